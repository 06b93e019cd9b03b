import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Copies of a journal")
struct CopyTests {
    private func journal() throws -> (tool: CommandLineTool, record: String, key: String) {
        let tool = try CommandLineTool(hasJournal: false)
        let key = try tool.json("init").string("masterKeyFile")
        return (tool, try tool.person(), key)
    }

    private func copy(_ tool: CommandLineTool, _ name: String) throws -> String {
        let path = tool.folder.path + "/" + name
        try FileManager.default.copyItem(atPath: tool.journal, toPath: path)
        return path
    }

    private func weigh(_ tool: CommandLineTool, _ record: String, _ folder: String) throws -> Outcome {
        try tool.run("weight", "log", record, "70kg", "--journal", folder)
    }

    // MARK: - Checkpoints beside the key

    @Test("A copy and its original can both be written to, and an older copy cannot replace the original")
    func goOn() throws {
        let (tool, record, _) = try journal()
        let (copied, older) = (try copy(tool, "copy"), try copy(tool, "older"))
        for folder in [copied, tool.journal, copied, tool.journal] { try weigh(tool, record, folder).succeeded() }
        for folder in [copied, tool.journal] {
            let findings = try tool.json("doctor", "--journal", folder).items
            #expect(findings.contains { $0["what"] == .string("log") })
        }
        // The copy can also be written to after it was moved.
        let moved = tool.folder.path + "/moved-copy"
        try FileManager.default.moveItem(atPath: copied, toPath: moved)
        try weigh(tool, record, moved).succeeded()
        try weigh(tool, record, tool.journal).succeeded()

        try FileManager.default.removeItem(atPath: tool.journal)
        try FileManager.default.moveItem(atPath: older, toPath: tool.journal)
        let refused = try weigh(tool, record, tool.journal)
        #expect(refused.status == 4, "\(refused.message)")
        #expect(refused.message.contains("an older copy"), "\(refused.message)")
        // The copy, which has diverged, cannot replace the original either.
        try FileManager.default.removeItem(atPath: tool.journal)
        try FileManager.default.moveItem(atPath: moved, toPath: tool.journal)
        #expect(try weigh(tool, record, tool.journal).status == 4)
    }

    @Test("A moved journal is still checked against its checkpoint, and an older copy cannot replace it")
    func moved() throws {
        let (tool, record, _) = try journal()
        let older = try copy(tool, "older")
        let oldest = try copy(tool, "oldest")
        try FileManager.default.removeItem(atPath: oldest + "/place")
        try weigh(tool, record, tool.journal).succeeded()
        let moved = tool.folder.path + "/moved"
        try FileManager.default.moveItem(atPath: tool.journal, toPath: moved)
        for folder in [older, oldest] {
            let refused = try weigh(tool, record, folder)
            #expect(refused.status == 4, "\(folder): \(refused.message)")
            #expect(refused.message.contains("an older copy"), "\(folder): \(refused.message)")
        }
        try weigh(tool, record, moved).succeeded()
        // A link to a folder does not count as a copy of it.
        try FileManager.default.createSymbolicLink(atPath: tool.journal, withDestinationPath: moved)
        for folder in [tool.journal, moved, tool.journal] { try weigh(tool, record, folder).succeeded() }
    }

    @Test("An accepted log is checked against its new checkpoint from then on")
    func accepted() throws {
        let (tool, record, _) = try journal()
        let older = try copy(tool, "older")
        try weigh(tool, record, tool.journal).succeeded()
        try FileManager.default.removeItem(atPath: tool.journal)
        #expect(try weigh(tool, record, older).status == 4)
        try tool.run("accept-log", "--reason", "the disk failed", "--journal", older).succeeded()
        try weigh(tool, record, older).succeeded()
    }

    // MARK: - Keys

    @Test("A new master key for a restored journal does not lock out the journal in use", arguments: [false, true])
    func drill(namesKey: Bool) throws {
        let (tool, record, key) = try journal()
        let (backup, drill) = (tool.folder.path + "/backup", tool.folder.path + "/drill")
        let named = namesKey ? ["--master-key-file", key] : []
        try tool.run("backup", backup).succeeded()
        try tool.run(["restore", backup, "--journal", drill] + named).succeeded()
        let before = try FileBytes.read(key)
        let rotated = try tool.run(["keys", "rotate", "--journal", drill, "--format", "json"] + named).succeeded().json
        let own = try rotated.string("masterKeyFile")
        #expect(own != key)
        #expect(own.contains(".restored-"))
        #expect(try FileBytes.read(key) == before && FileBytes.read(own) != before)
        for folder in [tool.journal, drill] { try weigh(tool, record, folder).succeeded() }
        // Neither journal opens with the other's key, and the error names the right one.
        for (folder, wrong, right) in [(drill, key, own), (tool.journal, own, key)] {
            let refused = try tool.run("record", "list", "--journal", folder, "--master-key-file", wrong)
            #expect(
                refused.status == 1 && refused.message.contains("the matching one is \(right):"),
                "\(refused.message)"
            )
        }
        // Further rotations replace each journal's own key file.
        #expect(try tool.json("keys", "rotate", "--journal", drill).string("masterKeyFile") == own)
        #expect(try tool.json("keys", "rotate").string("masterKeyFile") == key)
        for folder in [tool.journal, drill] { try weigh(tool, record, folder).succeeded() }
    }

    @Test("Rotating the master key of a copied folder does not lock out the original, before or after changes to it")
    func copiedFolder() throws {
        let (tool, record, key) = try journal()
        let before = try FileBytes.read(key)
        for name in ["fresh", "written"] {
            let copied = try copy(tool, name)
            if name == "written" { try weigh(tool, record, copied).succeeded() }
            let own = try tool.json("keys", "rotate", "--journal", copied).string("masterKeyFile")
            #expect(own != key)
            #expect(try FileBytes.read(key) == before)
            for folder in [tool.journal, copied] { try weigh(tool, record, folder).succeeded() }
            // The copy finds its key also after it was moved.
            let moved = tool.folder.path + "/moved-" + name
            try FileManager.default.moveItem(atPath: copied, toPath: moved)
            for _ in 0..<2 { try weigh(tool, record, moved).succeeded() }
        }
    }

    @Test("After the original's master key was rotated, errors of copies and older backups name the old key")
    func oldKey() throws {
        let (tool, record, _) = try journal()
        let copied = try copy(tool, "copy")
        let (backup, drill) = (tool.folder.path + "/backup", tool.folder.path + "/drill")
        try tool.run("backup", backup).succeeded()
        let old = try tool.json("keys", "rotate").string("oldMasterKeyFile")
        let refused = try tool.run("record", "list", "--journal", copied)
        #expect(refused.status == 1 && refused.message.contains("the matching one is \(old):"), "\(refused.message)")
        try tool.run("record", "list", "--journal", copied, "--master-key-file", old).succeeded()
        let lost = try tool.run("restore", backup, "--journal", drill)
        #expect(lost.status == 1 && lost.message.contains("the matching one is \(old):"), "\(lost.message)")
        try tool.run("restore", backup, "--journal", drill, "--master-key-file", old).succeeded()
        #expect(try weigh(tool, record, tool.journal).status == 0)
    }

    @Test("Rotating a master key that is given by a link replaces the file that the link leads to")
    func linkedKey() throws {
        let (tool, record, key) = try journal()
        let link = tool.folder.path + "/secret"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: key)
        let before = try FileBytes.read(key)
        try tool.run("keys", "rotate", "--master-key-file", link).succeeded()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == key)
        #expect(try FileBytes.read(key) != before)
        #expect(try weigh(tool, record, tool.journal).status == 0)
    }

    // MARK: - Older backups

    @Test("A restore of an older backup warns that later events are known, and describes how to keep erasures")
    func olderBackup() throws {
        let (tool, record, _) = try journal()
        let backup = tool.folder.path + "/backup"
        try tool.run("backup", backup).succeeded()
        let receipt = tool.folder.path + "/receipt"
        try tool.run("erase", record, "--reason", "asked for", "--yes", "-o", receipt).succeeded()
        let end = try tool.position
        func restore(_ name: String, _ more: [String] = []) throws -> Outcome {
            let folder = tool.folder.path + "/" + name
            return try tool.run(["restore", backup, "--journal", folder, "--format", "json"] + more).succeeded()
        }
        // The warning is the same for a second restore, beside a restored journal.
        for name in ["one", "two"] {
            let outcome = try restore(name)
            for word in ["--current", "--receipt", "up to position \(end)", "delete \(tool.folder.path)/\(name)"] {
                #expect(outcome.message.contains(word), "\(word) in \(outcome.message)")
            }
            #expect(try outcome.json.integer("laterPosition") == end)
        }
        let known = try restore("known", ["--current", tool.journal])
        #expect(try known.json["laterPosition"] == nil)
        #expect(!known.message.contains("continued"), "\(known.message)")
        let told = try restore("told", ["--receipt", receipt])
        #expect(told.message.contains("except those of the receipts"))
    }

    @Test("A restore of the newest backup does not warn")
    func newestBackup() throws {
        let (tool, _, _) = try journal()
        let backup = tool.folder.path + "/backup"
        try tool.run("backup", backup).succeeded()
        let outcome = try tool.run("restore", backup, "--journal", tool.folder.path + "/restored").succeeded()
        #expect(!outcome.message.contains("continued"), "\(outcome.message)")
    }
}
