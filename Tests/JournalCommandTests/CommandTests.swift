import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Command line")
struct CommandTests {
    @Test("A new journal stores records, entries and corrections, with their history and past states")
    func story() throws {
        let tool = try CommandLineTool(hasJournal: false)
        let made = try tool.json("init", "--zone", "Europe/Zurich")
        #expect(try made.integer("position") == 3)
        let key = try made.string("masterKeyFile")
        #expect(try key == tool.folder.path + "/config/healthjournal/\(made.string("journal")).key")
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try tool.run("init").status == 4)

        let record = try tool.person()
        let listed = try tool.json("record", "list").items
        #expect(try listed.map { try $0.string("id") } == [record])
        #expect(try listed[0].string("displayName") == "Ottilie Zumsteg" && listed[0].string("subject") == "human")

        let weighed = try tool.json("weight", "log", record, "72.50kg", "--date", "2024-02-16", "--comment", "shoes on")
        let weight = try weighed.string("entry")
        #expect(try weighed.string("record") == record)
        let then = try weighed.integer("position")
        let corrected = try tool.json("entry", "correct", weight, "value=71.9", "--reason", "shoes off")
        #expect(try corrected.integer("position") > then)
        #expect(try tool.json("entry", "correct", weight, "value=71.9")["changed"] == .bool(false))

        func shown(_ more: String...) throws -> JSONValue? {
            let entries = try tool.run(["record", "show", record, "--format", "json"] + more).succeeded()
                .json["entries"]
            return entries?["weight"]?.items.first?["value"]
        }
        #expect(try shown() == .string("71.9"))
        #expect(try shown("--as-of", "\(then)") == .string("72.50"))
        #expect(try shown("--happened-by", "2024-02-15") == nil)
        let history = try tool.json("entry", "history", String(weight.prefix(35))).items
        #expect(try history.map { try $0.string("type") } == ["entry.added", "entry.corrected"])
        #expect(try history[1].string("reason") == "shoes off")
        let change = try #require(history[1]["changes"]?.items.first)
        #expect(change["field"] == .string("value"))
        #expect(change["before"] == .string("72.50"))
        #expect(change["after"] == .string("71.9"))

        try tool.json("entry", "retract", weight)
        #expect(try shown() == nil)
        #expect(try tool.json("entry", "list", record, "--retracted").items.count == 1)
        try tool.json("entry", "restore", weight)
        #expect(try shown() == .string("71.9"))

        let json = Array(#"{"date": "2024-10-03", "name": "LDL", "value": "3.4"}"#.utf8)
        try tool.json("entry", "add", record, "blood", "--json", "-", input: json)
        #expect(try tool.json("entry", "list", record, "blood").items.first?["name"] == .string("LDL"))
        try tool.json("record", "set", record, "employer=Käserei", "nickName=Otti")
        #expect(try tool.json("record", "show", record)["profile"]?["employer"] == .string("Käserei"))
        try tool.json("record", "close", record)
        #expect(try tool.run("weight", "log", record, "70kg").status == 4)
        #expect(try tool.json("record", "list").items.first?["closedAt"] != nil)
    }

    @Test("An entry that was listed can be edited and sent back as JSON, which replaces the whole entry")
    func replacing() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let json = Array(#"{"date": "2024-10-03", "name": "LDL", "value": "3.4", "comment": "fasting"}"#.utf8)
        let blood = try tool.json("entry", "add", record, "blood", "--json", "-", input: json).string("entry")
        func listed() throws -> JSONValue { try #require(try tool.json("entry", "list", record, "blood").items.first) }
        let kept = try listed().members.filter { $0.name != "comment" && $0.name != "value" }
        #expect(kept.contains { $0.name == "kind" })
        let edited = JSONValue.object(kept + [.init("value", "3.1")])
        try tool.json("entry", "correct", blood, "--json", "-", input: JSONWriter.bytes(edited))
        let replaced = try listed()
        #expect(replaced["value"] == "3.1")
        #expect(replaced["name"] == "LDL")
        #expect(replaced["comment"] == nil)
        let unknown = try tool.run(["entry", "correct", blood, "--json", "-"], input: Array(#"{"vaule": "3"}"#.utf8))
        #expect(unknown.status == 1, "\(unknown.status) \(unknown.message)")
        #expect(unknown.message.contains("vaule"), "\(unknown.status) \(unknown.message)")
        let other = JSONValue.object(kept.filter { $0.name != "kind" } + [.init("kind", "weight")])
        #expect(try tool.run(["entry", "correct", blood, "--json", "-"], input: JSONWriter.bytes(other)).status == 1)
        #expect(try tool.run("entry", "correct", blood).status == 64)
        #expect(try tool.run("entry", "correct", blood, "value=3", "--json", "x").status == 64)
        #expect(try listed() == replaced)
    }

    @Test("A file can be attached and saved again")
    func documents() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let file = try tool.write("what the letter says", to: "letter.txt")
        let entry = try tool.json("document", "attach", record, file, "--media-type", "text/plain").string("entry")
        try tool.run("document", "save", entry, tool.folder.path + "/back.txt").succeeded()
        #expect(try FileBytes.read(tool.folder.path + "/back.txt") == Array("what the letter says".utf8))
        #expect(try tool.run("document", "save", entry, "-").succeeded().text == "what the letter says")
        #expect(try tool.run("document", "attach", record, "/nowhere").status == 2)
        #expect(try tool.run("document", "attach", record, "/tmp").status == 1)
    }

    @Test("A caregiver sees what was granted, is refused the rest, and sees nothing after the revoke")
    func caregivers() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.json("entry", "add", record, "doctor", "name=Dr. Wyss")
        try tool.json("weight", "log", record, "72.5kg")
        try tool.json("account", "add", "anna", "--email", "anna@example.org")
        try tool.json("caregiver", "grant", record, "anna", "--sections", "doctorlist")
        let granted = try tool.json("caregiver", "list", record).items
        #expect(try granted.map { try $0.string("name") } == ["anna"])
        #expect(granted.first?["sections"] == .array([.string("doctorlist")]))

        let seen = try tool.run("export", record, "--as", "native", "--as", "anna").succeeded()
        #expect(seen.text.contains("Dr. Wyss"))
        #expect(!seen.text.contains("72.5"))
        let before = try tool.position
        let refused = try tool.run("entry", "list", record, "weight", "--as", "anna")
        #expect(refused.status == 4)
        #expect(refused.output.isEmpty)
        #expect(!refused.message.contains("72.5"))
        #expect(try tool.position == before + 1)
        #expect(try tool.run("record", "close", record, "--as", "anna").status == 4)
        #expect(try tool.run("costs", record, "--as", "anna", "--format", "json").status == 4)
        try tool.json("caregiver", "revoke", record, "anna")
        #expect(try tool.run("record", "show", record, "--as", "anna").status == 4)
        #expect(try tool.run("record", "show", record, "--as", "nobody").status == 2)
        #expect(try tool.json("caregiver", "list", record, "--as-of", "\(before)").items.first?["revokedAt"] == nil)
        #expect(try tool.json("caregiver", "list", record).items.first?["revokedAt"] != nil)
    }

    @Test("A token is shown only once")
    func tokens() throws {
        let tool = try CommandLineTool()
        try tool.json("account", "add", "scale", "--kind", "tool")
        let issued = try tool.json("token", "issue", "scale", "--scope", "append:weight", "--expires", "2099-12-31")
        let (secret, id) = (try issued.string("token"), try issued.string("id"))
        #expect(secret.hasPrefix("hj_"))
        #expect(secret.count > 40)
        #expect(try tool.run("token", "issue", "scale", "--scope", "full").status == 1)
        #expect(try tool.run("token", "issue", "scale", "--scope", "everything").status == 64)
        let listed = try tool.run("account", "list", "--format", "json").succeeded()
        #expect(!listed.text.contains(secret))
        #expect(listed.text.contains(id))
        try tool.json("token", "revoke", id)
        #expect(try tool.run("token", "revoke", id).status == 4)
        #expect(try tool.run("token", "revoke", "ffffffff").status == 2)
    }

    @Test("Amounts of money are shown with at least two decimals and stored as entered")
    func costs() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for amount in ["183.1", "0"] {
            try tool.json("entry", "add", record, "cost", "year=2024", "amount=\(amount)", "basis=item", "currency=CHF")
        }
        try tool.json("entry", "add", record, "cost", "year=2024", "amount=9", "basis=total", "currency=CHF")
        try tool.json("entry", "add", record, "cost", "year=2024", "amount=7.125", "basis=item", "currency=EUR")
        let lines = try tool.json("costs", record, "--year", "2024").items
        let amounts = Set(try lines.map { try $0.string("amount") })
        #expect(amounts == ["183.1", "9", "7.125"])
        let table = try tool.run("costs", record).succeeded().text
        for amount in ["183.10", " 9.00", "7.125"] { #expect(table.contains(amount), "\(amount)") }
        #expect(try tool.json("costs", record, "--currency", "eur").items.count == 1)
        #expect(try tool.json("costs").items.count == 3)
    }

    @Test("The sample can be added, the views rebuilt and the journal checked")
    func upkeep() throws {
        let tool = try CommandLineTool()
        let household = try tool.json("sample")
        #expect(household["changed"] == .bool(true) && household["practice"] == nil)
        #expect(try tool.json("sample")["changed"] == .bool(false))
        let practice = try tool.json("sample", "--practice")
        #expect(practice["changed"] == .bool(true) && practice["records"] == household["records"])
        let dog = try #require(try tool.json("record", "list").items.last).string("id")
        #expect(try tool.json("appointments", "--patient", dog).items.count == 1)
        let again = try tool.run("sample", "--practice").succeeded()
        #expect(again.text == "the sample household and the sample practice exist already\n")
        let head = try tool.position
        let rebuilt = try tool.json("views", "rebuild").items
        #expect(try rebuilt.map { try $0.integer("position") } == Array(repeating: head, count: 8))
        let before = try tool.run("record", "list").succeeded().text
        for part in ["index", "views"] { try FileManager.default.removeItem(atPath: tool.journal + "/" + part) }
        #expect(try tool.run("record", "list").succeeded().text == before)
        #expect(try tool.run("views", "rebuild", "Nothing").status == 64)
        let words = try tool.json("doctor").items.filter { $0["ok"] != .bool(true) }
        #expect(words.isEmpty, "\(words)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.journal)
        #expect(try tool.run("doctor").status == 1)
    }

    @Test("The errors for a missing key and for a folder without a journal are clear")
    func keys() throws {
        let tool = try CommandLineTool()
        #expect(try tool.run("record", "list", "--journal", tool.folder.path + "/none").status == 2)
        try FileManager.default.removeItem(atPath: tool.folder.path + "/config")
        let outcome = try tool.run("record", "list")
        #expect(outcome.status == 1)
        #expect(outcome.message.contains("key"))
    }

    @Test("The help of each command has an example, and shell completions can be generated")
    func help() throws {
        let tool = try CommandLineTool(hasJournal: false)
        let all = try tool.run("--help").succeeded().text
        let commands = Self.subcommands(in: all)
        #expect(commands.count == 56)
        var leaves = 0
        for command in commands {
            let text = try tool.run(command, "--help").succeeded().text
            let inner = Self.subcommands(in: text)
            for leaf in inner.isEmpty ? [[command]] : inner.map({ [command, $0] }) {
                leaves += 1
                let help = try tool.run(leaf + ["--help"]).succeeded().text
                #expect(
                    help.contains("Example:") && help.contains("healthjournal \(leaf.joined(separator: " "))"),
                    "\(leaf)"
                )
            }
        }
        #expect(leaves > 25)
        #expect(try tool.run("--version").succeeded().text == "0.1.0\n")
    }

    /// The library for arguments checks declarations in a debug build only.
    @Test(
        "The declarations of commands and options are consistent",
        arguments: ["healthjournal", "healthjournal-replay"]
    )
    func declarations(program: String) throws {
        let tool = try CommandLineTool(hasJournal: false)
        let dump = try tool.run(ChildProcess.built(program), ["--experimental-dump-help"]).succeeded()
        #expect(try dump.json["command"]?.string("commandName") == program)
    }

    private static func subcommands(in help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasSuffix("SUBCOMMANDS:") }) else { return [] }
        return lines[start...]
            .compactMap { line in
                guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return nil }
                return line.split(separator: " ").first.map(String.init)
            }
            .filter { $0 != "See" }
    }
}
