import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Records named on the command line")
struct RecordNameTests {
    private func household() throws -> CommandLineTool {
        let tool = try CommandLineTool()
        try tool.run("record", "create", "--given-name", "Maria", "--family-name", "Keller").succeeded()
        try tool.run("record", "create", "--given-name", "Maël", "--family-name", "Keller").succeeded()
        try tool.run("record", "create", "--animal", "--name", "Biscuit", "--species", "dog").succeeded()
        return tool
    }

    @Test(
        "A record is found by its name or the unique beginning of a word of it, whatever case and accents",
        arguments: ["maria", "MARIA KELLER", "mael", "Maë", "bisc", "Biscuit"]
    )
    func found(text: String) throws {
        let tool = try household()
        try tool.run("weight", "log", text, "20kg").succeeded()
        let name = text.lowercased().hasPrefix("b") ? "Biscuit" : text.lowercased().hasPrefix("mari") ? "Maria" : "Maël"
        let list = try tool.run("entry", "list", name, "weight").succeeded()
        #expect(list.text.contains("20"), "\(list.text)")
        // The names are recorded as read.
        let access = try tool.run(
            ChildProcess.built("healthjournal-replay"),
            ["access", "--record", try id(name, tool)]
        )
        #expect(access.text.contains("list"))
    }

    private func id(_ name: String, _ tool: CommandLineTool) throws -> String {
        let records = try tool.json("record", "list")
        let found = records.items.first { (try? $0.string("displayName").hasPrefix(name)) ?? false }
        return try #require(found).string("id")
    }

    @Test("Of several records with a name none is chosen: they are listed with ids that tell them apart")
    func ambiguous() throws {
        let tool = try household()
        let refused = try tool.run("weight", "log", "keller", "20kg")
        let ids = try ["Maria", "Maël"].map { try id($0, tool).prefix(13) }
        #expect(refused.status == 1 && refused.message.contains("Maria Keller (\(ids[0])), Maël Keller (\(ids[1]))"))
        // What the error lists identifies them.
        try tool.run("weight", "log", String(ids[1]), "20kg").succeeded()
        #expect(try tool.run("entry", "list", "mael", "weight").text.contains("20"))
        #expect(try !tool.run("entry", "list", "maria", "weight").text.contains("20"))
    }

    @Test("A mistyped name is refused with what may have been meant, and names nobody else's record")
    func mistyped() throws {
        let tool = try household()
        let near = try tool.run("weight", "log", "Mraia", "20kg")
        #expect(near.status == 2 && near.message.contains("did you mean Maria Keller"), "\(near.message)")
        try tool.run("account", "add", "anna").succeeded()
        for text in ["maria", "Mraia", "keller"] {
            let other = try tool.run("weight", "log", text, "20kg", "--as", "anna")
            #expect(other.status == 2 && !other.message.contains("Keller"), "\(other.message)")
        }
        try tool.run("caregiver", "grant", "maria", "anna", "--sections", "myhealth", "--verbs", "read,contribute")
            .succeeded()
        try tool.run("weight", "log", "keller", "20kg", "--as", "anna").succeeded()
    }

    @Test("The staff of a practice names its patients; an own animal of the same name makes the name ambiguous")
    func patients() throws {
        let tool = try CommandLineTool()
        _ = try tool.run("import", "vetnet", try tool.write(VetNetTexts.whole, to: "practice.json"))
        try tool.run("account", "add", "rosa").succeeded()
        try tool.run("practice", "member", "set", "rosa", "--role", "receptionist").succeeded()
        try tool.run("practice", "service", "add", "name=Check-up", "type=routine", "minutes=30").succeeded()
        let booking = [
            "book", "luna", "Check-up", "--at", "2199-03-05T10:00", "--specialist", "Ada Roth", "--as", "rosa",
        ]
        try tool.run("practice", "hours", "--from", "2020-01-01", "--usual", "mon-sun 08:00-17:00").succeeded()
        try tool.run(booking).succeeded()
        try tool.run("record", "create", "--animal", "--name", "Luna", "--as", "rosa").succeeded()
        let ambiguous = try tool.run(booking)
        #expect(ambiguous.status == 1 && ambiguous.message.contains("several records"), "\(ambiguous.message)")
    }
}
