import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Master key")
struct KeysTests {
    /// Returns a journal with one record, the record's id, and the path of the master key.
    private func journal() throws -> (tool: CommandLineTool, record: String, key: String) {
        let tool = try CommandLineTool(hasJournal: false)
        let key = try tool.json("init").string("masterKeyFile")
        return (tool, try tool.person(), key)
    }

    @Test("After a rotation the new master key opens the journal, the old one does not, and the log is unchanged")
    func rotate() throws {
        let (tool, record, key) = try journal()
        let old = try FileBytes.read(key)
        let shown = try tool.json("record", "show", record)
        let rotated = try tool.json("keys", "rotate", "--reason", "the laptop was stolen")
        #expect(try rotated.string("masterKeyFile") == key)
        let kept = try rotated.string("oldMasterKeyFile")
        #expect(try FileBytes.read(kept) == old && FileBytes.read(key) != old)
        let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try tool.json("record", "show", record)["profile"] == shown["profile"])

        let refused = try tool.run("record", "list", "--master-key-file", kept)
        #expect(refused.status == 1)
        #expect(refused.message.contains("does not belong to this journal"))
        #expect(!FileManager.default.fileExists(atPath: key + ".new"))
        // Any number of rotations is possible, and each old key is kept.
        let more = try (0..<3).map { _ in try tool.json("keys", "rotate").string("oldMasterKeyFile") }
        #expect(try Set((more + [kept, key]).map { try FileBytes.read($0) }).count == 5)
    }

    @Test("An interrupted rotation of the master key is completed or undone")
    func cutOff() throws {
        let (tool, record, key) = try journal()
        let old = try FileBytes.read(key)
        let kept = try tool.json("keys", "rotate").string("oldMasterKeyFile")
        let new = try FileBytes.read(key)
        // The state after a crash before the new key was renamed.
        try FileManager.default.moveItem(atPath: key, toPath: key + ".new")
        try FileManager.default.copyItem(atPath: kept, toPath: key)
        _ = try tool.json("record", "show", record)
        #expect(try FileBytes.read(key) == new)
        // The state after a crash before the data keys were sealed under the new key.
        try FileManager.default.copyItem(atPath: kept, toPath: key + ".new")
        _ = try tool.json("record", "show", record)
        #expect(try FileBytes.read(key) == new && FileBytes.read(kept) == old)
        // The state after a crash while the new key was written.
        try FileBytes.write(Array(new.prefix(20)), to: key + ".new")
        _ = try tool.json("keys", "rotate")
        #expect(try FileBytes.read(key) != new)
        #expect(!FileManager.default.fileExists(atPath: key + ".new"))
    }

    @Test("An older key file is reported until the erasures that it undid are repeated")
    func olderKeys() throws {
        let (tool, record, _) = try journal()
        let weight = try tool.json("weight", "log", record, "71kg").string("entry")
        let kept = try tool.person("Walburga")
        let path = tool.journal + "/keys/subjects"
        let older = try FileBytes.read(path)
        try tool.run("entry", "erase", weight, "--reason", "wrong person", "--yes").succeeded()
        try tool.run("erase", kept, "--reason", "asked for it", "--yes").succeeded()
        try tool.run("doctor").succeeded()
        let before = try tool.replay("trail", "--since", "#1", "--format", "json")
        try FileBytes.write(older, to: path)
        // Nothing of it is shown, and no backup contains it.
        let trail = try tool.replay("trail", "--since", "#1", "--format", "json")
        #expect(trail.status == 0, "\(trail.text)")
        #expect(trail.text == before.text, "\(trail.text)")
        #expect(!trail.text.contains("Walburga"), "\(trail.text)")
        #expect(try tool.run("entry", "history", weight).status == 2)
        #expect(try tool.run("record", "show", kept).status == 2)
        let backup = try tool.run("backup", tool.journal + "-backup")
        #expect(backup.status == 4, "\(backup.message)")
        #expect(backup.message.contains("keys erase-again"), "\(backup.message)")
        let doctor = try tool.run("doctor")
        #expect(doctor.status == 1, "\(doctor.text)")
        #expect(doctor.text.contains("older than 2 erasures"), "\(doctor.text)")
        let verified = try tool.replay("verify")
        #expect(verified.status == 3, "\(verified.message)")
        #expect(verified.message.contains("keys erase-again"), "\(verified.message)")
        let again = try tool.json("keys", "erase-again", "--reason", "an old disk was used")
        #expect(again["repeated"] == .number("2"))
        let recorded = try tool.replay("trail", "--type", "erasures.repeated")
        #expect(
            recorded.text.contains("2 erasures") && recorded.text.contains("an old disk was used"),
            "\(recorded.text)"
        )
        #expect(try tool.json("keys", "erase-again")["repeated"] == .number("0"))
        try tool.run("doctor").succeeded()
        try tool.replay("verify", "--views").succeeded()
        try tool.run("backup", tool.journal + "-backup").succeeded()
        #expect(try tool.run("entry", "history", weight).status == 2)
    }

    @Test("A missing master key is reported clearly, and nothing is written")
    func lost() throws {
        let (tool, record, key) = try journal()
        try FileManager.default.removeItem(atPath: key)
        let before = try FileBytes.read(tool.journal + "/keys/subjects")
        let told = try tool.run("weight", "log", record, "70kg")
        #expect(told.status == 1)
        #expect(told.message.contains("there is no master key at \(key)"))
        #expect(try FileBytes.read(tool.journal + "/keys/subjects") == before)
    }
}
