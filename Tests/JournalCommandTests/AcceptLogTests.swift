import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Logs that do not extend their checkpoint")
struct AcceptLogTests {
    @Test("Every command refuses an older log; only accept-log by the owner, with a reason, accepts it, once")
    func olderLog() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.json("account", "add", "anna")
        let position = try tool.position
        let file = tool.journal + "/log/data.mdb"
        let older = try FileBytes.read(file)
        try tool.json("weight", "log", record, "72kg")
        try FileBytes.write(older, to: file)
        for arguments in [["record", "list"], ["doctor"], ["weight", "log", record, "71kg"], ["views", "rebuild"]] {
            let refused = try tool.run(arguments)
            #expect(refused.status == 4, "\(arguments)")
            #expect(refused.output.isEmpty)
            #expect(refused.message.contains("the log contains \(position) events"))
            #expect(refused.message.contains("healthjournal accept-log --reason"))
        }
        #expect(try tool.run("accept-log").status == 64)
        #expect(try tool.run("accept-log", "--reason", "x", "--as", "nobody").status == 2)
        #expect(try tool.run("accept-log", "--reason", "x", "--as", "anna").status == 4)
        #expect(try tool.run("record", "list").status == 4)
        let accepted = try tool.run("accept-log", "--reason", "the disk failed", "--format", "json").succeeded()
        #expect(try accepted.json.integer("position") == position + 1)
        #expect(accepted.message.contains("the log contains \(position) events"))
        #expect(try tool.json("record", "list").items.count == 1)
        #expect(try tool.json("record", "show", record)["entries"]?["weight"] == nil)
        try tool.json("weight", "log", record, "71kg")
        #expect(try tool.run("accept-log", "--reason", "again").status == 4)
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.journal)
        #expect(names.contains { $0.hasPrefix("checkpoint.refused-") })
    }

    @Test("An older copy of the whole journal is detected by the checkpoint beside the master key")
    func wholeFolder() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let copy = tool.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: tool.journal, toPath: copy)
        try tool.json("weight", "log", record, "72kg")
        try FileManager.default.removeItem(atPath: tool.journal)
        try FileManager.default.moveItem(atPath: copy, toPath: tool.journal)
        let refused = try tool.run("record", "list")
        #expect(refused.status == 4)
        #expect(refused.message.contains(tool.folder.path + "/config/healthjournal/"))
        #expect(refused.message.contains(".checkpoint proves"))
        try tool.run("accept-log", "--reason", "restored").succeeded()
        #expect(try tool.json("record", "list").items.count == 1)
    }
}
