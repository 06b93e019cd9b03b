import Foundation
import Interchange
import TestSupport
import Testing

@Suite("healthjournal backup and restore")
struct BackupTests {
    private func backedUp() throws -> (tool: CommandLineTool, backup: String, record: String) {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.run("weight", "log", record, "71.5kg").succeeded()
        let file = try tool.write(String(repeating: "attached ", count: 1_000), to: "letter.txt")
        try tool.run("document", "attach", record, file).succeeded()
        let backup = tool.folder.path + "/backup"
        let printed = try tool.json("backup", backup)
        #expect(try printed.integer("position") == printed.integer("head") + 1)
        #expect(try printed.integer("events") == printed.integer("head"))
        #expect(try printed.integer("blobs") == 1)
        #expect(try printed.string("checkpoint").contains("\n\(try printed.integer("head"))\n"))
        return (tool, backup, record)
    }

    @Test("A restored journal has the same exports and is marked as restored, and both journals can be used")
    func roundTrip() throws {
        let (tool, backup, record) = try backedUp()
        let restored = tool.folder.path + "/restored"
        let head = try tool.json("restore", backup, "--journal", restored).integer("head")
        let asOf = ["--as-of", "\(head)"]
        let own = try tool.run(["export", record, "--as", "native"] + asOf).succeeded().output
        let other = try tool.run(["export", record, "--as", "native", "--journal", restored] + asOf).succeeded().output
        #expect(own == other)
        #expect(!own.isEmpty)
        // Both journals are opened repeatedly with the same master key.
        for _ in 0..<2 {
            for folder in [tool.journal, restored] {
                try tool.run("weight", "log", record, "70kg", "--journal", folder).succeeded()
                try tool.run("doctor", "--journal", folder).succeeded()
            }
        }
        #expect(try tool.json("backup", backup).integer("events") > 0)
        let refused = try tool.run("backup", backup, "--journal", restored)
        #expect(refused.status == 4, "\(refused.message)")
    }

    @Test("A journal that is falsely marked as restored is not opened")
    func mark() throws {
        let (tool, backup, _) = try backedUp()
        let restored = tool.folder.path + "/restored"
        try tool.run("restore", backup, "--journal", restored).succeeded()
        let mark = try FileBytes.read(restored + "/restored")
        // The file alone does not make it a restored journal, because the log contains no event of a restore.
        try FileBytes.write(mark, to: tool.journal + "/restored")
        let refused = try tool.run("record", "list")
        #expect(refused.status == 1 && refused.message.contains("marked as restored"))
        try FileManager.default.removeItem(atPath: tool.journal + "/restored")
        try tool.run("record", "list").succeeded()
    }

    @Test("A restore of an older backup omits erased records that the current journal or a receipt names")
    func erased() throws {
        let (tool, backup, record) = try backedUp()
        let other = try tool.person("Walburga")
        try tool.run("backup", backup).succeeded()
        let receipt = tool.folder.path + "/receipt"
        try tool.run("erase", record, "--reason", "asked for", "--yes", "-o", receipt).succeeded()
        #expect(try String(decoding: FileBytes.read(receipt), as: UTF8.self).contains(backup))

        let comes = tool.folder.path + "/comes-back"
        #expect(try tool.json("restore", backup, "--journal", comes).integer("erased") == 0)
        try tool.run("export", record, "--as", "native", "--journal", comes).succeeded()

        for (number, known) in [["--current", tool.journal], ["--receipt", receipt]].enumerated() {
            let folder = tool.folder.path + "/restored-\(number)"
            let arguments = ["restore", backup, "--journal", folder, "--format", "json"] + known
            #expect(try tool.run(arguments).succeeded().json.integer("erased") == 1)
            #expect(try tool.run("export", record, "--as", "native", "--journal", folder).status == 2)
            try tool.run("export", other, "--as", "native", "--journal", folder).succeeded()
            let blobs = try FileManager.default.subpathsOfDirectory(atPath: folder + "/blobs")
            #expect(blobs.isEmpty)
            // The restored log records the erasure, so the restored journal can issue a receipt.
            let again = try tool.run("record", "receipt", record, "--journal", folder).succeeded().text
            #expect(again.contains("healthjournal-erasure-receipt/1"))
        }
        // A receipt that was changed is refused, and nothing is restored.
        try FileBytes.edit(receipt) { $0[60] ^= 1 }
        let folder = tool.folder.path + "/no"
        #expect(try tool.run("restore", backup, "--journal", folder, "--receipt", receipt).status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder))
        // The next run of the backup destroys the key in the backup.
        #expect(try tool.json("backup", backup).integer("keysErased") == 1)
        let late = tool.folder.path + "/late"
        #expect(try tool.json("restore", backup, "--journal", late).integer("erased") == 1)
    }

    @Test("Only the owner of the journal may back up, and a refusal is recorded")
    func owner() throws {
        let tool = try CommandLineTool()
        try tool.run("account", "add", "Anna").succeeded()
        let position = try tool.position
        let backup = tool.folder.path + "/backup"
        #expect(try tool.run("backup", backup, "--as", "Anna").status == 4)
        #expect(!FileManager.default.fileExists(atPath: backup))
        #expect(try tool.position == position + 1)
        try tool.run("backup", backup).succeeded()
        let restored = tool.folder.path + "/restored"
        #expect(try tool.run("restore", backup, "--journal", restored, "--as", "Anna").status == 4)
        #expect(!FileManager.default.fileExists(atPath: restored))
        #expect(!FileManager.default.fileExists(atPath: restored + ".restoring"))
    }

    @Test("A restore without the right master key, or into a folder in use, fails with a clear message")
    func refusals() throws {
        let (tool, backup, _) = try backedUp()
        let restored = tool.folder.path + "/restored"
        let lost = try tool.run(
            "restore",
            backup,
            "--journal",
            restored,
            "--master-key-file",
            tool.folder.path + "/no.key"
        )
        #expect(lost.status == 1 && lost.message.contains("there is no master key"))
        let other = try CommandLineTool()
        let key = try #require(
            FileManager.default.subpaths(atPath: other.folder.path + "/config")?.first { $0.hasSuffix(".key") }
        )
        let wrong = try tool.run(
            "restore",
            backup,
            "--journal",
            restored,
            "--master-key-file",
            other.folder.path + "/config/" + key
        )
        #expect(wrong.status == 1)
        #expect(wrong.message.contains("not the one under which the backup's keys are sealed"))
        #expect(try tool.run("restore", backup).status == 4)
        #expect(try tool.run("restore", tool.folder.path, "--journal", restored).status == 2)
        #expect(try tool.run("restore", backup, "--journal", restored, "--key", "nonsense").status == 64)
        let verifier = try String(decoding: FileBytes.read(other.journal + "/keys/checkpoint.vkey"), as: UTF8.self)
        #expect(try tool.run("restore", backup, "--journal", restored, "--key", verifier).status == 4)
        #expect(!FileManager.default.fileExists(atPath: restored))
        let own = try String(decoding: FileBytes.read(tool.journal + "/keys/checkpoint.vkey"), as: UTF8.self)
        try tool.run("restore", backup, "--journal", restored, "--key", own, "--current", tool.journal).succeeded()
    }

    @Test("A killed backup still restores its last complete run, and the next run succeeds", .timeLimit(.minutes(10)))
    func killed() throws {
        var random = SeededGenerator()
        let tool = try CommandLineTool()
        let record = try tool.person()
        let backup = tool.folder.path + "/backup"
        var head = 0
        for round in 0..<12 {
            try tool.run("weight", "log", record, "70kg").succeeded()
            let running = try tool.start("backup", backup)
            running.kill(after: Int.random(in: 0..<120, using: &random))
            _ = running.lines()
            let restored = tool.folder.path + "/restored-\(round)"
            let outcome = try tool.run("restore", backup, "--journal", restored, "--format", "json")
            if outcome.status == 0 {
                let found = try outcome.json.integer("head")
                #expect(found >= head)
                head = found
                try FileManager.default.removeItem(atPath: restored)
            } else {
                #expect(outcome.status == 2, "\(outcome.message)")
                #expect(head == 0, "\(outcome.message)")
            }
        }
        head = try tool.json("backup", backup).integer("head")
        #expect(try tool.json("restore", backup, "--journal", tool.folder.path + "/last").integer("head") == head)
    }
}
