import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Proofs at the command line")
struct ProofCommandTests {
    /// A journal of 21 events, and a folder for the files that an auditor receives.
    private final class Audit {
        let house: Household
        let folder: TemporaryFolder
        var tool: Tool { Tool(house) }
        var outside: Tool {
            var tool = Tool(house)
            tool.namesJournal = false
            return tool
        }
        var key: String { path("journal.vkey") }

        init() async throws {
            house = try await Household.withHistory()
            folder = try TemporaryFolder()
            try write(tool.run("checkpoint", "--key").text, to: "journal.vkey")
        }

        func path(_ name: String) -> String { folder.path + "/" + name }

        func write(_ text: String, to name: String) throws {
            try FileBytes.write(Array(text.utf8), to: path(name))
        }
    }

    @Test("An event is proven by the proof, its frame or hash, and the key, without the journal")
    func provesEvent() async throws {
        let audit = try await Audit()
        let (proof, frame) = (audit.path("9.tlog-proof"), audit.path("9.frame"))
        let made = try audit.tool.run("prove", "9", "-o", proof, "--frame", frame)
        #expect(made.status == 0)
        #expect(made.text == "")
        #expect(made.message.contains("position 9 of 21"))
        let event = try audit.house.log.event(at: 9)
        #expect(try FileBytes.read(frame) == event.bytes)
        let leaf = MerkleHash.leaf(event.bytes)
        let hexadecimal = leaf.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        for arguments in [["--frame", frame], ["--hash", hexadecimal], ["--hash", hexadecimal.uppercased()], []] {
            let answer = try audit.outside.run(
                ["check-proof", proof, "--key", audit.key, "--format", "json"] + arguments
            )
            #expect(answer.status == 0, "\(answer.message)")
            #expect(try answer.json["position"]?.number == "9")
            #expect(try answer.json["size"]?.number == "21")
            #expect(try answer.json["leaf"]?.string == hexadecimal)
            #expect(try answer.json["log"]?.string == "healthjournal/\(audit.house.journal.text)")
            #expect(answer.message.contains("by its hash alone") == arguments.isEmpty)
        }
        // The proof on standard output; further below, the key itself instead of its file.
        #expect(try audit.tool.run("prove", "9").text == String(decoding: FileBytes.read(proof), as: UTF8.self))
        // A link is kept, and a folder is refused.
        try FileManager.default.createSymbolicLink(atPath: audit.path("link"), withDestinationPath: "linked")
        #expect(
            try audit.tool.run("prove", "9", "-o", audit.path("link"), "--frame", audit.path("link-frame")).status == 0
        )
        #expect(try FileBytes.read(audit.path("linked")) == FileBytes.read(proof))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: audit.path("link")) == "linked")
        for option in ["-o", "--frame"] {
            let refused = try audit.tool.run("prove", "9", option, audit.house.path)
            #expect(refused.status == 1 && refused.message.contains("it is a folder; name a file"))
        }
        let key = String(decoding: try FileBytes.read(audit.key).dropLast(), as: UTF8.self)
        #expect(try audit.outside.run("check-proof", proof, "--key", key).status == 0)
    }

    @Test("A proof of another event, tree or key ends with status 3")
    func refusesInvalidProofs() async throws {
        let audit = try await Audit()
        let (proof, frame) = (audit.path("9.tlog-proof"), audit.path("9.frame"))
        _ = try audit.tool.run("prove", "9", "-o", proof, "--frame", frame)
        func status(_ arguments: String...) throws -> Int32 {
            try audit.outside.run(["check-proof"] + arguments).status
        }
        try FileBytes.write(audit.house.log.event(at: 8).bytes, to: audit.path("8.frame"))
        #expect(try status(proof, "--key", audit.key, "--frame", audit.path("8.frame")) == 3)
        #expect(try status(proof, "--key", audit.key, "--hash", String(repeating: "0", count: 64)) == 3)
        #expect(try status(proof, "--key", audit.key, "--hash", "12") == 64)
        #expect(try status(proof, "--key", audit.key, "--hash", "12", "--frame", frame) == 64)
        #expect(try status(proof, "--key", audit.key, "--old-checkpoint", frame) == 64)
        #expect(try status(proof) == 64)
        #expect(try status(proof, "--key", "nothing") == 64)
        #expect(try status(proof, "--key", frame) == 1)
        #expect(try status(audit.path("none"), "--key", audit.key) == 1)
        #expect(try status(frame, "--key", audit.key) == 1)
        let text = String(decoding: try FileBytes.read(proof), as: UTF8.self)
        try audit.write(text.replacingOccurrences(of: "index 8", with: "index 9"), to: "moved")
        #expect(try status(audit.path("moved"), "--key", audit.key) == 3)
        try audit.write(text.replacingOccurrences(of: "\n21\n", with: "\n22\n"), to: "longer")
        #expect(try status(audit.path("longer"), "--key", audit.key) == 3)
        // The key of another journal.
        let other = try await Audit()
        let answer = try audit.outside.run("check-proof", proof, "--key", other.key)
        #expect(answer.status == 3)
        #expect(answer.message.contains("not from the key") || answer.message.contains("not signed by the key"))
    }

    @Test("A consistency proof shows that the log extends an earlier checkpoint")
    func provesConsistency() async throws {
        let audit = try await Audit()
        try audit.write(try audit.tool.run("checkpoint").text, to: "old")
        let early = try audit.tool.run("prove", "3").text
        try audit.write(early, to: "early.tlog-proof")
        for number in 0..<5 { try await audit.house.append(.recordClosed, about: Household.id(UInt8(60 + number))) }
        for old in ["old", "early.tlog-proof"] {
            let made = try audit.tool.run("prove", "--consistent-with", audit.path(old), "-o", audit.path("grown"))
            #expect(made.status == 0, "\(made.message)")
            #expect(made.message.contains("the log of 26 events extends that of 21"))
        }
        let arguments = ["check-proof", audit.path("grown"), "--key", audit.key, "--format", "json"]
        let answer = try audit.outside.run(arguments + ["--old-checkpoint", audit.path("old")])
        #expect(answer.status == 0)
        #expect(try answer.json["oldSize"]?.number == "21" && answer.json["size"]?.number == "26")
        #expect(try audit.outside.run(arguments).message.contains("--old-checkpoint"))
        try audit.write(try audit.tool.run("checkpoint").text, to: "new")
        #expect(try audit.outside.run(arguments + ["--old-checkpoint", audit.path("new")]).status == 3)
        #expect(try audit.outside.run(arguments + ["--hash", "00"]).status == 64)
        // A checkpoint of another history than this log has.
        let other = try await Audit()
        try await other.house.append(.recordClosed, about: Household.id(70))
        try other.write(try other.tool.run("checkpoint").text, to: "other")
        #expect(try audit.tool.run("prove", "--consistent-with", other.path("other")).status == 3)
    }

    @Test("Without the master key, the newest stored checkpoint is used, and a message states its size")
    func storedCheckpoint() async throws {
        let audit = try await Audit()
        var tool = audit.tool
        tool.key = nil
        let none = try tool.run("checkpoint")
        #expect(none.status == 2)
        #expect(none.message.contains("no checkpoint has been stored"))
        try audit.house.log.checkpoint()
        try await audit.house.append(.recordClosed, about: Household.id(60))
        let kept = try tool.run("checkpoint")
        #expect(kept.status == 0)
        #expect(Array(kept.text.utf8) == (try FileBytes.read(audit.house.path + "/checkpoint")))
        #expect(kept.message.contains("of 21 events; the log has 22"))
        #expect(try tool.run("checkpoint", "--key").text == audit.tool.run("checkpoint", "--key").text)
        #expect(try tool.run("prove", "21").status == 0)
        #expect(try tool.run("prove", "22").status == 1)
        #expect(try tool.run("prove", "23").status == 2)
        #expect(try audit.tool.run("prove", "22").status == 0)
        #expect(try audit.tool.run("prove").status == 64)
        #expect(try audit.tool.run("prove", "0").status == 2)
        // The tool stores no checkpoint.
        #expect(Array(kept.text.utf8) == (try FileBytes.read(audit.house.path + "/checkpoint")))
    }

    @Test("A rolled-back log is reported, and no checkpoint or proof is created from it")
    func rolledBackLog() async throws {
        let audit = try await Audit()
        // A copy of the whole folder, used below when the witness file next to the key is newer.
        let older = audit.path("older")
        try FileManager.default.copyItem(atPath: audit.house.path, toPath: older)
        try await audit.house.append(.recordClosed, about: Household.id(60))
        let signed = try audit.house.log.checkpoint()
        let witness =
            try MasterKeyFile.witness(
                of: audit.house.journal,
                in: JournalFolder(older),
                besideKey: audit.path("master.key")
            )
            .path
        try FileBytes.write(Array(signed.text.utf8), to: witness)
        try FileManager.default.copyItem(atPath: audit.house.keyPath, toPath: audit.path("master.key"))
        var tool = Tool(audit.house, journal: older)
        tool.key = audit.path("master.key")
        // `verify` reports the rollback as a mismatch.
        let verified = try tool.run("verify")
        #expect(verified.status == 3)
        #expect(verified.message.contains("position 21: the log contains 21 events"))
        #expect(verified.message.contains("\(witness) proves 22"))
        for arguments in [["stats"], ["trail"]] {
            let answer = try tool.run(arguments)
            #expect(answer.message.contains("warning: the log contains 21 events"), "\(arguments)")
            #expect(answer.message.contains("\(witness) proves 22"), "\(arguments)")
            #expect(!answer.output.isEmpty)
        }
        for arguments in [["checkpoint"], ["prove", "3"]] {
            let answer = try tool.run(arguments)
            #expect(answer.status == 3)
            #expect(answer.output.isEmpty)
        }
        try FileManager.default.removeItem(atPath: witness)
        #expect(try tool.run("stats").message == "")
    }

    @Test("Control characters in a proof are not printed to the terminal")
    func hostileFile() async throws {
        let audit = try await Audit()
        let signer = try NoteSigner(name: "healthjournal/\u{9B}2J\u{202E}x", seed: Array(0..<32))
        let signed = try SignedCheckpoint(
            Checkpoint(origin: signer.verifier.name, size: 1, root: .leaf([])),
            signedBy: signer
        )
        try audit.write(InclusionProof(index: 0, leaf: .leaf([]), path: [], checkpoint: signed).text, to: "hostile")
        try audit.write(signer.verifier.text, to: "hostile.vkey")
        for key in [audit.path("hostile.vkey"), audit.key] {
            for format in ["table", "json"] {
                let answer = try audit.outside.run(
                    "check-proof",
                    audit.path("hostile"),
                    "--key",
                    key,
                    "--format",
                    format
                )
                #expect(answer.status == (key == audit.key ? 3 : 0))
                let said = answer.message + (format == "table" ? answer.text : "")
                #expect(!said.unicodeScalars.contains { $0 != "\n" && TerminalText.isUnsafe($0) })
            }
        }
    }
}
