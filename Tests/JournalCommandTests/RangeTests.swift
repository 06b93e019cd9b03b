import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Ranges, order and limits of lists")
struct RangeTests {
    private struct Household {
        let tool: CommandLineTool
        let record: String

        init() throws {
            tool = try CommandLineTool()
            record = try tool.json("record", "create", "--given-name", "Maria").string("record")
            for (value, date) in [("70", "2025-03-01"), ("71", "2024-12-31"), ("72", "2026-01-01"), ("73", "2025")] {
                try tool.run("weight", "log", record, "\(value)kg", "--date", date).succeeded()
            }
            let cost = ["year=2025", "amount=12", "currency=CHF", "basis=item"]
            try tool.run(["entry", "add", record, "cost"] + cost).succeeded()
            try tool.run("entry", "add", record, "allergy", "name=Nuts").succeeded()
        }

        /// The weights, and the names of other kinds, in the order in which they are listed.
        func listed(_ arguments: String...) throws -> [String] {
            let entries = try tool.run(["entry", "list", record, "--format", "json"] + arguments).succeeded().json
            return try entries.items.map { $0["value"] == nil ? try $0.string("kind") : try $0.string("value") }
        }
    }

    @Test("A period is given by days, months or years, in any order of the entries")
    func periods() throws {
        let household = try Household()
        #expect(try household.listed() == ["70", "71", "72", "73", "cost", "allergy"])
        #expect(try household.listed("--since", "2025", "--until", "2025") == ["70", "73", "cost"])
        #expect(try household.listed("--since", "2025-03-02") == ["72", "73", "cost"])
        #expect(try household.listed("--until", "2024", "weight") == ["71"])
        #expect(try household.listed("--happened-by", "2024-12-31", "allergy") == ["allergy"])
        #expect(try household.listed("weight", "--sort", "date") == ["71", "73", "70", "72"])
        #expect(try household.listed("weight", "--sort", "date", "--limit", "2") == ["70", "72"])
        #expect(try household.listed("--limit", "1") == ["73", "cost", "allergy"])
        let refused = try household.tool.run("entry", "list", household.record, "--since", "2026", "--until", "2025")
        #expect(refused.status == 64 && refused.message.contains("is before"))
        #expect(try household.tool.run("entry", "list", household.record, "--limit", "0").status == 64)
        let empty = try household.tool.run("entry", "list", household.record, "weight", "--since", "2030").succeeded()
        #expect(empty.message.contains("there is no entry of the kind weight that happened in these days"))
        let exported = try household.tool.run(
            "export",
            household.record,
            "--as",
            "csv",
            "--since",
            "2026",
            "--until",
            "2026"
        )
        let lines = try exported.succeeded().text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2 && lines[1].contains("72"))
    }

    @Test("Accesses and costs have ranges, and accesses a limit")
    func others() throws {
        let household = try Household()
        for _ in 0..<3 { _ = try household.listed() }
        let replay = ChildProcess.shipped("healthjournal-replay")
        func accesses(_ arguments: String...) throws -> [Int] {
            let all = ["access", "--record", household.record, "--format", "json"] + arguments
            return try household.tool.run(replay, all).succeeded().json.items.map(\.position)
        }
        let all = try accesses()
        #expect(all.count == 3)
        #expect(try accesses("--limit", "2") == Array(all.suffix(2)))
        #expect(try accesses("--since", "\(all[1])") == Array(all.suffix(2)))
        #expect(try accesses("--from", "\(all[1])", "--to", "\(all[1])") == [all[1]])
        func years(_ arguments: String...) throws -> Int {
            try household.tool.run(["costs", household.record, "--format", "json"] + arguments).succeeded().json.items
                .count
        }
        #expect(try years("--since", "2025", "--until", "2025") > 0)
        #expect(try years("--since", "2026") == 0 && years("--until", "2024") == 0)
        #expect(try household.tool.run("costs", "--year", "2025", "--since", "2024").status == 64)
    }
}

extension JSONValue {
    /// The member `position` of an object; 0 if it has none.
    fileprivate var position: Int {
        if case .number(let text)? = self["position"] { Int(text) ?? 0 } else { 0 }
    }
}

@Suite("Lists of tokens and documents")
struct FurtherListTests {
    @Test("The tokens of an account and the documents of a record are listed", arguments: [false, true])
    func lists(remote: Bool) throws {
        let service = remote ? try LiveService() : nil
        let local = try service?.local ?? CommandLineTool()
        func run(_ arguments: String...) throws -> Outcome {
            try service?.run(arguments) ?? local.run(arguments)
        }
        try local.run("record", "create", "--given-name", "Maria").succeeded()
        try local.run("account", "add", "scale", "--kind", "tool").succeeded()
        let token = try local.json("token", "issue", "scale", "--scope", "append:weight")
        let listed = try run("token", "list", "scale")
        #expect(listed.status == 0, "\(listed.message)")
        let tokens = listed.text
        #expect(tokens.contains("append:weight"))
        #expect(tokens.contains("valid"))
        #expect(!tokens.contains(try token.string("token")))
        let file = local.folder.path + "/letter.txt"
        try FileBytes.write(Array("letter".utf8), to: file)
        try local.run("document", "attach", "maria", file, "--date", "2025-03-06").succeeded()
        let documents = try run("document", "list", "maria").succeeded().text
        #expect(documents.contains("letter.txt"))
        #expect(documents.contains("2025-03-06"))
        #expect(try run("document", "list", "maria", "--since", "2026").succeeded().text.isEmpty)
    }
}
