import Foundation
import TestSupport
import Testing

@Suite("What a command asks before it stores something doubtful")
struct AskedTests {
    @Test("A weight without its unit is refused where nobody can be asked, and nothing is stored")
    func unit() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for arguments in [["weight", "log", record, "61"], ["entry", "add", record, "weight", "value=61"]] {
            let refused = try tool.run(arguments)
            #expect(refused.status == 1 && refused.message.contains("unit: is required"), "\(refused.message)")
        }
        #expect(try tool.json("entry", "list", record, "weight").items.isEmpty)
        try tool.run("weight", "log", record, "61kg").succeeded()
    }

    @Test(
        "On a terminal, the unit of a weight is asked for",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"))
    )
    func askedUnit() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let line = "\(CommandLineTool.executable) weight log \(record) 61"
        let outcome = try tool.run("/usr/bin/script", ["-qec", line, "/dev/null"], input: Array("lb\n".utf8))
        #expect(outcome.status == 0 && outcome.text.contains("In which unit is 61"), "\(outcome.text)")
        let stored = try #require(try tool.json("entry", "list", record, "weight").items.first)
        #expect(String(describing: stored).contains("lb"))
    }

    @Test("A second record of one person needs --yes; another date of birth does not")
    func similar() throws {
        let tool = try CommandLineTool()
        let maria = ["record", "create", "--given-name", "Maria", "--family-name", "Keller"]
        try tool.run(maria + ["--birthdate", "1984-05-17"]).succeeded()
        let refused = try tool.run(maria)
        #expect(refused.status == 4, "\(refused.message)")
        #expect(refused.message.contains("--yes"), "\(refused.message)")
        #expect(!refused.message.contains("Keller"))
        #expect(try tool.json("record", "list").items.count == 1)
        try tool.run(maria + ["--birthdate", "1990"]).succeeded()
        try tool.run(maria + ["--yes"]).succeeded()
        #expect(try tool.json("record", "list").items.count == 3)
    }

    @Test("Passwords that are easy to guess are refused", arguments: ["password12", "owner123456", "Sommer2026!"])
    func password(_ password: String) throws {
        let tool = try CommandLineTool()
        let refused = try tool.run("account", "password", "owner", input: Array("\(password)\n".utf8))
        #expect(
            refused.status == 1 && refused.message.contains("a few unrelated words work best"),
            "\(refused.message)"
        )
        #expect(!refused.message.contains(password))
        try tool.run("account", "password", "owner", input: Array("correct horse\n".utf8)).succeeded()
    }

    @Test("A mistyped type of event is refused in the pipe, with its line and a suggestion")
    func eventType() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        func event(_ id: String, _ type: String) -> String {
            #"{"specversion":"1.0","id":"\#(id)","source":"/scale","subject":"\#(record)","type":"\#(type)","#
                + #""data":{"value":"61","unit":"kg","date":"2026-03-01"}}"#
        }
        let lines = [event("1", "org.healthjournal.wieght.logged"), event("2", "org.healthjournal.weight.logged")]
        let outcome = try tool.run("append", input: Array(lines.joined(separator: "\n").utf8))
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("did you mean org.healthjournal.weight.logged?"))
        #expect(try tool.json("entry", "list", record, "weight").items.count == 1)
    }
}
