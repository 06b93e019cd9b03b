import Foundation
import Interchange
import TestSupport
import Testing

/// Commands on interactions: what CARE calls the checks of findings and of their settlement.
@Suite("Interactions on the command line")
struct InteractionCommandTests {
    private let tool: CommandLineTool
    private let record: String

    init() throws {
        tool = try CommandLineTool(hasJournal: false)
        try tool.run("init", "--zone", "Europe/Zurich").succeeded()
        record = try tool.person()
    }

    private func plan(_ name: String, _ more: String...) throws -> String {
        let arguments = ["plan", "add", record, name, "--daily", "08:00=1"] + more + ["--format", "json"]
        return try tool.run(arguments).succeeded().json.string("entry")
    }

    private func texts(_ name: String, _ value: JSONValue) -> [String] {
        (value[name]?.items ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    @Test("A duplicate is found once, an allergy is critical, and an unknown name is listed")
    func findings() throws {
        _ = try plan("Dafalgan", "--substance", "paracetamol")
        _ = try plan("Panadol", "--substance", "paracetamol")
        let without = try tool.json("interactions", "check", record)
        #expect(try without.string("result") == "not checked" && without["ruleSets"]?.items.isEmpty == true)
        #expect(try tool.run("interactions", "check", record).succeeded().text.hasPrefix("not checked (no rules"))
        let unruled = try tool.run("interactions", "check", record).message
        #expect(unruled.contains("rules load starter"))
        #expect(!unruled.contains("pharmacist has reviewed"))
        let unasked = try tool.json("interactions", "ask", record, "May I take ampicillin?")
        #expect(try unasked.string("result") == "not checked")
        #expect(!texts("notChecked", unasked).contains { $0.contains("?") })
        // A record did not exist before the journal's first event.
        #expect(try tool.run("interactions", "check", record, "--as-of", "0").status == 2)
        let duplicates = (without["findings"]?.items ?? []).filter { $0["severity"] == "high" }
        #expect(duplicates.count == 1)
        #expect(try duplicates.first?["details"]?.items.first?.string("interactionType") == "duplicate")

        let loaded = try tool.json("interactions", "rules", "load", "starter")
        #expect(loaded["changed"] == true)
        #expect(try tool.json("interactions", "rules", "load", "starter")["changed"] == false)
        #expect(try tool.json("interactions", "rules", "list").items.map { try $0.string("name") } == ["starter"])

        try tool.json("entry", "add", record, "allergy", "name=Penicillin")
        _ = try plan("Amoxicillin")
        _ = try plan("Zqxol")
        let open = try tool.json("interactions", "list", record, "--open").items
        #expect(try open.first?.string("severity") == "critical")
        #expect(open.count { $0["severity"] == "critical" } == 1)
        let head = try tool.position
        let check = try tool.json("interactions", "check", record)
        #expect(try check.string("result") == "found" && texts("added", check).isEmpty)
        #expect(texts("notChecked", check).contains("Zqxol"))
        // The read itself is the only event.
        #expect(try tool.position == head + 1)

        let answer = try tool.json("interactions", "ask", record, "May I take ampicillin?")
        #expect(texts("understood", answer) == ["ampicillin"])
        #expect(try answer["findings"]?.items.first?.string("severity") == "critical")
        let asked = try tool.json("interactions", "list", record).items.filter { $0["state"] == "answered" }
        #expect(try asked.map { try $0.string("queryText") } == ["May I take ampicillin?", "May I take ampicillin?"])
    }

    @Test(
        "Every answer names what it could not match, in a question as in the list",
        arguments: [
            ("May I take ibuprofen with foobarol?", ["ibuprofen"], ["foobarol"]),
            ("Darf ich Ibuprofen mit Ashwagandha und Foobarol einnehmen?", ["ibuprofen"], ["Ashwagandha", "Foobarol"]),
            ("Puis-je prendre de l’ibuprofène avec du foobarol ?", ["ibuprofen"], ["foobarol"]),
            ("ibuprofen 400 mg tablets, foo barol; Fentanyl-Pflaster", ["fentanyl", "ibuprofen"], ["foo barol"]),
            ("May I take foobarol?", [], ["foobarol"]), ("Fentanylpflaster", ["fentanyl"], []),
        ]
    )
    func namesTheRest(question: String, understood: [String], rest: [String]) throws {
        try tool.run("interactions", "rules", "load", "starter").succeeded()
        let answer = try tool.json("interactions", "ask", record, question)
        #expect(texts("understood", answer).sorted() == understood)
        #expect(texts("notChecked", answer) == rest)
        let shown = try tool.run("interactions", "ask", record, question).succeeded()
        for name in rest { #expect(shown.text.contains(name) || shown.message.contains(name), "\(shown.text)") }
    }

    @Test("Names of other languages, forms and doses in the list are matched, and the rest of a name is named")
    func otherNames() throws {
        try tool.run("interactions", "rules", "load", "starter").succeeded()
        for name in ["Fentanyl-Pflaster 25 µg/h", "Lorazepam Foobar 1 mg", "Torasemid 10 mg", "Torasemide"] {
            _ = try plan(name)
        }
        let check = try tool.json("interactions", "check", record)
        #expect(texts("notChecked", check) == ["Lorazepam Foobar 1 mg (Foobar)", "Torasemid 10 mg", "Torasemide"])
        let findings = try #require(check["findings"]?.items)
        // Opioid and sedative, and the same diuretic by two names.
        #expect(findings.count { $0["severity"] == .string("high") } == 2, "\(findings)")
    }

    @Test("A finding is settled with a reason, and opens again when the dosing changes")
    func settling() throws {
        try tool.run("interactions", "rules", "load", "starter").succeeded()
        let plan = try plan("Dafalgan", "--substance", "paracetamol")
        _ = try self.plan("Panadol", "--substance", "paracetamol")
        func finding() throws -> JSONValue {
            let found = try tool.json("interactions", "list", record).items
            return try #require(found.first { $0["severity"] == "high" })
        }
        let id = try finding().string("id")
        #expect(try tool.run("interactions", "resolve", id, "--as", "accepted", "--reason", " ").status == 1)
        #expect(try tool.run("interactions", "resolve", id, "--as", "perhaps", "--reason", "so").status == 64)
        try tool.json(
            "interactions",
            "resolve",
            String(id.prefix(13)),
            "--as",
            "askedProfessional",
            "--reason",
            "Dr. Rossi, 3 May"
        )
        #expect(try finding().string("state") == "resolved" && finding().string("reason") == "Dr. Rossi, 3 May")
        let history = try tool.run("entry", "history", id).succeeded().text
        #expect(history.contains("Dr. Rossi, 3 May"))
        let settled = try tool.position
        try tool.json("plan", "change", plan, "--effective", "2027-01-01", "--daily", "08:00=2")
        #expect(try finding().string("state") == "reopened")
        let then = try tool.json("interactions", "list", record, "--as-of", String(settled)).items
        #expect(then.contains { $0["id"] == .string(id) && $0["state"] == "resolved" })

        try tool.json("account", "add", "anna")
        try tool.json("account", "add", "ben")
        try tool.json("caregiver", "grant", record, "anna", "--sections", "myhealth")
        try tool.json("caregiver", "grant", record, "ben", "--sections", "conflicts")
        #expect(try tool.run("interactions", "list", record, "--as", "anna").status == 4)
        #expect(try tool.run("plan", "list", record, "--as", "anna").succeeded().text.contains("Dafalgan"))
        #expect(try tool.run("interactions", "list", record, "--as", "ben").succeeded().text.contains("Dafalgan"))
        #expect(try tool.run("plan", "list", record, "--as", "ben").status == 4)
        #expect(try tool.run("interactions", "check", record, "--as", "ben").status == 4)
    }

    @Test("The commands do the same through a service")
    func remote() throws {
        let service = try LiveService()
        let record = try service.local.person()
        #expect(try service.json("interactions", "rules", "load", "starter")["changed"] == true)
        #expect(try service.json("interactions", "rules", "load", "starter")["changed"] == false)
        try service.expectAlike("interactions", "rules", "list")
        for name in ["Warfarin", "Ibuprofen", "Zqxol"] {
            _ = try service.json("plan", "add", record, name, "--daily", "08:00=1")
        }
        let check = try service.json("interactions", "check", record)
        #expect(try check.string("result") == "found" && texts("notChecked", check) == ["Zqxol"])
        let answer = try service.json("interactions", "ask", record, "May I take aspirin?")
        #expect(texts("understood", answer) == ["acetylsalicylic acid"])
        try service.expectAlike("interactions", "list", record)
        try service.expectAlike("interactions", "list", record, "--open")
        let found = try service.json("interactions", "list", record, "--open").items
        let id = try #require(found.first { $0["rule"] == "anticoagulant-nsaid" }).string("id")
        _ = try service.json("interactions", "resolve", id, "--as", "accepted", "--reason", "Dr. Rossi, 3 May")
        try service.expectAlike("interactions", "list", record)
        try service.expectAlike("interactions", "resolve", id, "--as", "accepted", "--reason", "")
    }

    @Test("A rule file that is wrong is refused, with the place in it")
    func wrongFile() throws {
        let file = try tool.write(#"{"format": "healthjournal-interactions/1", "name": 5}"#, to: "rules.json")
        let outcome = try tool.run("interactions", "rules", "load", file)
        #expect(outcome.status == 1)
        #expect(outcome.message.contains("name"))
        #expect(try tool.json("interactions", "rules", "list").items.isEmpty)
    }
}
