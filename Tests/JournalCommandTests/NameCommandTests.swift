import Foundation
import Interchange
import TestSupport
import Testing

/// Commands on names and dictated sentences.
@Suite("Names on the command line")
struct NameCommandTests {
    private let tool: CommandLineTool
    private let record: String

    init() throws {
        tool = try CommandLineTool(hasJournal: false)
        try tool.run("init", "--zone", "Europe/Zurich").succeeded()
        record = try tool.person()
    }

    @Test("A name is completed, with names of the record first")
    func suggest() throws {
        let names = { (json: JSONValue) in try json.items.map { try $0.string("name") } }
        #expect(try names(tool.json("suggest", "acetamin")) == ["Acetaminophen"])
        _ = try tool.run("plan", "add", record, "Lisinopril Alfa", "--daily", "08:00=1").succeeded()
        #expect(
            try names(tool.json("suggest", "LISIN", "--record", record)).prefix(2) == ["Lisinopril Alfa", "Lisinopril"]
        )
        #expect(try tool.run("suggest", "lisonopril").succeeded().text.contains("ace-inhibitor"))
        #expect(try tool.run("suggest", "x", "--kind", "elephant").status == 1)
    }

    @Test("A list of names is loaded and listed; one with a mistake is refused")
    func load() throws {
        let file = tool.folder.path + "/swiss.csv"
        try Data("Zorbifin 20;omeprazole;X02\n".utf8).write(to: URL(fileURLWithPath: file))
        let loaded = try tool.json("names", "load", file, "--version", "2026-03")
        #expect(try loaded["names"]?.string("name") == "swiss")
        #expect(try tool.json("suggest", "zorbi").items.first?.string("substance") == "omeprazole")
        #expect(try tool.json("names", "list").items.count == 1)
        try Data("a;b;c;d".utf8).write(to: URL(fileURLWithPath: file))
        let refused = try tool.run("names", "load", file)
        #expect(refused.status != 0)
        #expect(refused.message.contains("line 1"))
    }

    @Test("A sentence is shown as it is understood, and nothing is stored")
    func draft() throws {
        let plan =
            try tool.json("plan", "add", record, "Ibuprofen", "--unit", "tablet", "--as-needed").string("entry")
        let draft = try tool.json("draft", record, "took two ibuprofen 400 yesterday at half past eight in the evening")
        #expect(try draft.string("kind") == "dose")
        #expect(try draft["content"]?.string("of") == plan)
        #expect(try draft["content"]?.string("amount") == "2")
        let text = try tool.run("draft", record, "weight 75.4 kilos").succeeded().text
        #expect(text.contains("75.4"))
        #expect(text.contains("kg"))
        #expect(try tool.json("entry", "list", record).items.count == 1)
        #expect(try tool.run("draft", record, " ").status == 1)
    }
}
