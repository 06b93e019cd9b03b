import EventLog
import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Erasure at the command line")
struct EraseTests {
    @Test("The command asks for confirmation at a terminal, and requires --yes elsewhere")
    func asks() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let head = try tool.position
        #expect(try tool.run("erase", record, "--yes").status == 64)
        let silent = try tool.run("erase", record, "--reason", "asked for", input: Array("erase\n".utf8))
        #expect(silent.status == 64)
        #expect(silent.message.contains("--yes"))
        #expect(try tool.position == head)
        #expect(try tool.atTerminal("erase", record, "--reason", "asked", typing: "Somebody Else").status == 4)
        #expect(try tool.atTerminal("erase", record, "--reason", "asked", typing: "").status == 4)
        #expect(try tool.json("record", "list").items.count == 1)
        let meant = try tool.atTerminal("erase", record, "--reason", "asked", typing: "Ottilie Zumsteg")
        #expect(meant.status == 0, "\(meant.text)")
        #expect(meant.text.contains("Ottilie Zumsteg"))
        #expect(meant.text.contains("1 entries") == false)
        #expect(try tool.json("record", "list").items.isEmpty)
        let other = try tool.person("Urs")
        #expect(try tool.atTerminal("erase", other, "--reason", "asked", typing: "erase").status == 0)
    }

    @Test("The receipt contains no names and can be verified with the public key alone")
    func receipt() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.json("weight", "log", record, "72.5kg")
        let erased = try tool.json("erase", record, "--reason", "her wish of 3 March", "--yes")
        let position = try erased.integer("position")
        #expect(try erased.string("record") == record)
        let text = try erased.string("receipt")
        let key = try String(contentsOfFile: tool.journal + "/keys/checkpoint.vkey", encoding: .utf8)
        let receipt = try ErasureReceipt(parsing: Array(text.utf8), verifiedBy: [NoteVerifier(parsing: key)])
        #expect(receipt.record == UUID(uuidString: record))
        #expect(receipt.position == UInt64(position))
        #expect(receipt.backups.isEmpty)
        for word in ["Ottilie", "Zumsteg", "her wish", "72.5", "weight"] { #expect(!text.contains(word), "\(word)") }
        // The owner can write the receipt to a file later, which is readable by its owner only.
        let path = tool.folder.path + "/receipt.txt"
        try tool.run("record", "receipt", String(record.prefix(13)), "-o", path).succeeded()
        let later = try ErasureReceipt(
            parsing: Array(Data(contentsOf: URL(filePath: path))),
            verifiedBy: [NoteVerifier(parsing: key)]
        )
        #expect(later.position == receipt.position)
        #expect(later.erasedAt == receipt.erasedAt)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        // The auditor's tool checks it as it is, without the journal.
        let replay = ChildProcess.shipped("healthjournal-replay")
        func check(_ file: String, _ more: String...) throws -> Outcome {
            try tool.run(replay, ["check-proof", file, "--key", tool.journal + "/keys/checkpoint.vkey"] + more)
        }
        let shown = try check(path).succeeded().text
        #expect(shown.contains(record))
        #expect(shown.contains("position \(position)"))
        #expect(try check(path, "--format", "json").succeeded().json.string("record") == record)
        let forged = try tool.write(
            String(contentsOfFile: path, encoding: .utf8).replacing(record, with: UUID().uuidString.lowercased()),
            to: "forged.txt"
        )
        #expect(try check(forged).status == 3)
        #expect(try check(path, "--hash", String(repeating: "0", count: 64)).status == 64)
        let living = try tool.person("Urs")
        #expect(try tool.run("record", "receipt", living).status == 4)
    }

    @Test("Commands of the owner report the erasure, and other accounts learn nothing")
    func tombstone() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.json("account", "add", "anna")
        let weight = try tool.json("weight", "log", record, "72.5kg").string("entry")
        let file = try tool.write("attached", to: "letter.txt")
        let document = try tool.json("document", "attach", record, file).string("entry")
        let purus = try tool.write(#"{"uuid": "\#(record)", "personalGivenName": "Ottilie"}"#, to: "purus.json")
        let then = try tool.position
        let stranger = try tool.run("record", "show", record, "--as", "anna")
        #expect(stranger.status == 4)
        let position = try tool.json("erase", record, "--reason", "her wish", "--yes").integer("position")
        let sentence = "record \(record): erased on "
        let short = String(record.prefix(13))
        for command in [
            ["record", "show", record], ["record", "show", short], ["record", "show", record, "--as-of", "\(then)"],
            ["record", "set", record, "nickName=x"], ["record", "close", record], ["entry", "list", record],
            ["entry", "history", weight], ["entry", "correct", weight, "value=1"], ["entry", "retract", weight],
            ["weight", "log", record, "70kg"], ["document", "save", document, tool.folder.path + "/x"],
            ["document", "attach", record, file], ["costs", record], ["caregiver", "list", record],
            ["caregiver", "grant", record, "anna"], ["export", record, "--as", "native"],
            ["export", record, "--as", "purus"], ["export", record, "--as", "csv", "--as-of", "\(then)"],
            ["import", "purus", purus], ["import", "purus", purus, "--dry-run"],
            ["record", "hold", record, "--until", "2030-01-01", "--reason", "x"],
            ["erase", record, "--reason", "again", "--yes"],
        ] {
            let outcome = try tool.run(command)
            #expect(outcome.status == 2, "\(command): \(outcome.message)")
            #expect(outcome.output.isEmpty, "\(command)")
            #expect(outcome.message.contains(sentence), "\(command): \(outcome.message)")
            #expect(outcome.message.contains("(position \(position)): her wish"), "\(command): \(outcome.message)")
        }
        #expect(try tool.run("costs").status == 0)
        #expect(try tool.json("record", "list", "--as-of", "\(then)").items.isEmpty)
        let after = try tool.run("record", "show", record, "--as", "anna")
        #expect((after.status, after.message) == (stranger.status, stranger.message))
        #expect(try tool.run("import", "purus", purus, "--as", "anna").status == 4)
        try tool.run("doctor").succeeded()
        try tool.run("views", "rebuild").succeeded()
    }

    @Test("A hold, which is shown with the record, prevents an erasure and cannot be shortened")
    func hold() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        #expect(try tool.run("record", "hold", record, "--until", "2040-01-01").status == 64)
        try tool.json("record", "hold", record, "--until", "2040-01-01", "--reason", "kept by law")
        let refused = try tool.run("erase", record, "--reason", "x", "--yes")
        #expect(refused.status == 4)
        #expect(refused.message.contains("2040-01-01"))
        #expect(try tool.run("record", "show", record).text.contains("held until 2040-01-01"))
        #expect(try tool.json("record", "show", record)["heldUntil"] == .string("2040-01-01"))
        #expect(try tool.run("record", "hold", record, "--until", "2039-12-31", "--reason", "x").status == 4)
        #expect(try tool.run("record", "hold", record, "--until", "2999-12-31", "--reason", "x").status == 1)
        let same = try tool.json("record", "hold", record, "--until", "2040-01-01", "--reason", "x")
        #expect(same["changed"] == .bool(false))
    }
}

extension CommandLineTool {
    /// Runs a command in a terminal, in which a person types one line.
    fileprivate func atTerminal(_ arguments: String..., typing line: String) throws -> Outcome {
        let command = ([CommandLineTool.executable] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try run(
            "/usr/bin/script",
            ["--quiet", "--return", "--command", command, "/dev/null"],
            input: Array((line + "\n").utf8)
        )
    }
}
