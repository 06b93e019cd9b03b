import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Lost connections and concurrent changes")
struct RemoteConnectionTests {
    @Test("A request whose answer is lost is sent again and executed once", arguments: ["swallow", "drop"])
    func repetition(_ fault: String) throws {
        let service = try LiveService()
        let record = try service.local.person()
        let between = try service.between(fault)
        let arguments = ["weight", "log", record, "72.5kg", "--format", "json"]
        let logged = try service.run(arguments, at: between.url).succeeded().json
        let entries = try service.local.json("entry", "list", record, "weight").items
        #expect(try entries.map { try $0.string("id") } == [logged.string("entry")])
        #expect(try entries.first?.integer("position") == logged.integer("position"))
    }

    @Test("A dose whose answer is lost is logged once", arguments: ["swallow", "drop"])
    func dose(_ fault: String) throws {
        let service = try LiveService()
        let record = try service.local.person()
        let add = ["plan", "add", record, "Ibuprofen", "--as-needed", "--amount", "1", "--format", "json"]
        let plan = try service.local.run(add).succeeded().json.string("entry")
        let between = try service.between(fault)
        let take = ["dose", "take", plan, "--format", "json"]
        let logged = try service.run(take, at: between.url).succeeded().json.string("entry")
        let doses = try service.local.json("entry", "list", record, "dose").items
        #expect(try doses.map { try $0.string("id") } == [logged])
    }

    @Test("A dose that was corrected meanwhile is not undone")
    func undo() throws {
        let service = try LiveService()
        let record = try service.local.person()
        let add = ["plan", "add", record, "Ibuprofen", "--as-needed", "--amount", "1", "--format", "json"]
        let plan = try service.local.run(add).succeeded().json.string("entry")
        let dose = try service.local.json("dose", "take", plan).string("entry")
        let between = try service.between("first", CommandLineTool.executable, "entry", "correct", dose, "amount=2")
        let undone = try service.run(["dose", "undo", dose], at: between.url)
        #expect(undone.status == 4, "\(undone.message)")
        #expect(undone.message.contains("changed in the meantime"), "\(undone.message)")
        #expect(try service.local.json("entry", "list", record, "dose").items.count == 1)
    }

    @Test("A request for a token, whose secret is shown only once, is not sent again")
    func tokens() throws {
        let service = try LiveService()
        let before = try service.json("account", "list").items.first?["tokens"]?.items.count
        let between = try service.between("drop")
        let issued = try service.run(["token", "issue", "owner", "--scope", "read"], at: between.url)
        #expect(issued.status == 1)
        #expect(issued.message.contains("not known"))
        #expect(try service.json("account", "list").items.first?["tokens"]?.items.count == before)
    }

    @Test("Of two concurrent corrections of an entry, the second is refused and overwrites nothing")
    func correction() throws {
        let service = try LiveService()
        let record = try service.local.person()
        let entry = try service.local.json("weight", "log", record, "72kg").string("entry")
        let between = try service.between("first", CommandLineTool.executable, "entry", "correct", entry, "value=73")
        let second = try service.run(["entry", "correct", entry, "value=74"], at: between.url)
        #expect(second.status == 4)
        #expect(second.message.contains("changed in the meantime"))
        let value = try service.json("entry", "list", record, "weight").items.first?.string("value")
        #expect(value == "73")
    }

    @Test("Of two concurrent changes of a profile, the second is refused")
    func profile() throws {
        let service = try LiveService()
        let record = try service.local.person()
        let between = try service.between("first", CommandLineTool.executable, "record", "set", record, "employer=A")
        let second = try service.run(["record", "set", record, "employer=B"], at: between.url)
        #expect(second.status == 4)
        #expect(second.message.contains("changed in the meantime"))
        #expect(try service.json("record", "show", record)["profile"]?.string("employer") == "A")
    }
}

/// A proxy between the tool and the service.
private struct Between {
    let process: BackgroundProgram

    var url: String { "http://" + (process.firstLine.components(separatedBy: "http://").last ?? "") }
}

extension LiveService {
    fileprivate func between(_ arguments: String...) throws -> Between {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "between.py").path
        let port = try #require(url.split(separator: ":").last)
        // It runs commands on the journal's folder, so it has the environment of the local tool.
        return Between(process: try local.background("/usr/bin/env", ["python3", script, String(port)] + arguments))
    }
}
