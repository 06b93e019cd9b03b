import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Full disk")
struct FullDiskTests {
    @Test(
        "On a full disk everything can be read and erased, and changes are refused until there is space again",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system"),
        arguments: SmallDisk.kinds
    )
    func readAndErase(kind: SmallDisk.Kind) throws {
        let disk = try SmallDisk(kibibytes: 160 << 10, kind: kind)
        let tool = try CommandLineTool(["HEALTHJOURNAL_DIR": disk.path + "/journal"])
        let record = try tool.person()
        let other = try tool.person("Severin")
        for number in 1...3 { try tool.run("weight", "log", record, "7\(number)kg", "--yes").succeeded() }
        let wrong = try tool.json("weight", "log", record, "79kg", "--yes").string("entry")
        #expect(try finding("reserve", tool).string("detail").hasPrefix("64 of 64 MiB"))
        #expect(try finding("disk", tool).string("detail").contains("on a full disk, changes are refused"))
        try disk.fill()

        // The databases have free pages in their files, so changes may be accepted at first; each needs the views.
        for number in 1...6 {
            let outcome = try tool.run("weight", "log", record, "8\(number)kg", "--yes")
            #expect(outcome.status == 0 || outcome.message.contains("the disk"), "\(outcome.message)")
            try tool.run("record", "list").succeeded()
            try tool.run("entry", "list", record).succeeded()
        }
        let refused = try tool.run("weight", "log", record, "90kg", "--yes")
        #expect(refused.status == 1 && refused.message.contains("the disk is full"), "\(refused.message)")
        #expect(try finding("reserve", tool).string("detail").contains("the disk was full"))
        try tool.run("entry", "erase", wrong, "--reason", "not hers", "--yes").succeeded()
        try tool.run("erase", other, "--reason", "his wish", "--yes").succeeded()
        // The index and the views are caches, which a read builds again.
        for cache in ["index", "views"] { try FileManager.default.removeItem(atPath: disk.path + "/journal/" + cache) }
        // What they used is free now, but not for changes.
        try disk.fill()
        try tool.run("record", "show", record).succeeded()
        #expect(try tool.run("weight", "log", record, "90kg", "--yes").status == 1)
        let rebuild = try tool.run("views", "rebuild")
        #expect(rebuild.status == 1 && rebuild.message.contains("the disk is full"), "\(rebuild.message)")

        try disk.empty()
        #expect(try finding("reserve", tool).string("detail").hasPrefix("64 of 64 MiB"))
        try tool.run("weight", "log", record, "90kg", "--yes").succeeded()
        try tool.run("views", "rebuild").succeeded()
        try tool.replay("verify", "--views").succeeded()
        let weights = try tool.json("entry", "list", record, "weight").items
        #expect(weights.count >= 4)
    }

    private func finding(_ what: String, _ tool: CommandLineTool) throws -> JSONValue {
        // A finding that is not OK makes the command fail.
        let findings = try tool.run("doctor", "--format", "json").json.items
        return try #require(findings.first { $0["what"] == .string(what) })
    }
}
