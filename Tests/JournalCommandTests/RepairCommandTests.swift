import Foundation
import Interchange
import TestSupport
import Testing

@Suite("The commands undo, entry move and entry correct-all")
struct RepairCommandTests {
    @Test("A mistyped weight is undone, and an entry of the wrong record is moved", arguments: [false, true])
    func repairs(remote: Bool) throws {
        let service = remote ? try LiveService() : nil
        let local = try service?.local ?? CommandLineTool()
        func run(_ arguments: String...) throws -> Outcome {
            try service?.run(arguments) ?? local.run(arguments)
        }
        try local.run("record", "create", "--given-name", "Maria").succeeded()
        try local.run("record", "create", "--animal", "--name", "Biscuit", "--species", "dog").succeeded()
        try run("weight", "log", "maria", "754kg").succeeded()
        let undone = try run("undo", "maria").succeeded().text
        #expect(undone.contains("retracted: Weight 754 kg"))
        #expect(undone.contains("undid the change at position"))
        try run("weight", "log", "maria", "7.5kg").succeeded()
        let entries = try local.json("entry", "list", "maria").items
        let id = try #require(entries.first).string("id")
        try run("entry", "move", id, "biscuit").succeeded()
        #expect(try local.json("entry", "list", "maria").items.isEmpty)
        #expect(try local.json("entry", "list", "biscuit").items.count == 1)
        try run("record", "close", "biscuit").succeeded()
        #expect(try run("weight", "log", "biscuit", "8kg").status == 4)
        try run("record", "reopen", "biscuit").succeeded()
        try run("weight", "log", "biscuit", "8kg").succeeded()
        let nothing = try run("undo", "biscuit", "--position", "1")
        #expect(nothing.status == 2)
        #expect(nothing.message.contains("no change of an entry"))
    }

    @Test(
        "An entry of another person is erased with a receipt, and a backup from before does not bring it back",
        arguments: [false, true]
    )
    func erase(remote: Bool) throws {
        let service = remote ? try LiveService() : nil
        let local = try service?.local ?? CommandLineTool()
        func run(_ arguments: String...) throws -> Outcome {
            try service?.run(arguments) ?? local.run(arguments)
        }
        try local.run("record", "create", "--given-name", "Maria").succeeded()
        let letter = try local.write("Ottilie has measles", to: "letter.txt")
        let wrong = try local.json("document", "attach", "maria", letter).string("entry")
        try local.run("weight", "log", "maria", "72kg").succeeded()
        let backup = local.folder.path + "/backup"
        try local.run("backup", backup).succeeded()
        try local.run("entry", "list", "maria").succeeded()
        #expect(try run("entry", "erase", wrong, "--yes").status == 64)
        #expect(try run("entry", "erase", wrong, "--reason", "not hers").message.contains("--yes"))
        let receipt = local.folder.path + "/receipt.txt"
        let done = try run("entry", "erase", wrong, "--reason", "not hers", "--yes", "-o", receipt).succeeded()
        #expect(done.message.contains("the entry \(wrong) is erased (position"))
        let again = try run("entry", "erase", wrong, "--reason", "not hers", "--yes")
        #expect(again.status == 2)
        #expect(again.message.contains("entry \(wrong): erased on"))
        #expect(try run("entry", "history", wrong).message.contains("entry \(wrong): erased on"))
        #expect(try local.json("entry", "list", "maria").items.map { try $0.string("kind") } == ["weight"])
        let later = try run("record", "receipt", "maria", "--entry", wrong).succeeded().text
        #expect(later.contains("entry \(wrong)\n"))
        #expect(later.contains("backup "))
        #expect(try run("record", "receipt", "maria").status == 4)
        let replay = ChildProcess.shipped("healthjournal-replay")
        func audit(_ arguments: String...) throws -> Outcome {
            try local.run(replay, arguments + ["--journal", local.journal])
        }
        let key = local.journal + "/keys/checkpoint.vkey"
        let checked = try local.run(replay, ["check-proof", receipt, "--key", key]).succeeded()
        #expect(checked.text.contains(wrong))
        if !remote {
            #expect(try audit("verify", "--views").succeeded().text.contains("erased"))
            let trail = try audit("trail").succeeded()
            #expect(trail.text.contains("entry.erased"))
            #expect(trail.message.isEmpty)
            let state = try audit("as-of", "2100-01-01", "--record", "maria").succeeded().text
            #expect(state.contains("72"))
            #expect(!state.contains("letter.txt"))
            // Reads before the erasure showed the entry, reads after it did not.
            let head = try local.position
            try local.run("entry", "list", "maria").succeeded()
            let looks = try audit("access", "--record", "maria", "--entry", wrong, "--format", "json").succeeded().text
            #expect(looks.contains("\"position\":"))
            #expect(!looks.contains("\"position\":\(head + 1)"))
        }
        let restored = local.folder.path + "/restored"
        try local.run("restore", backup, "--journal", restored, "--receipt", receipt, "--reason", "a fire").succeeded()
        let gone = try local.run("entry", "history", wrong, "--journal", restored)
        #expect(gone.status == 2)
        #expect(gone.message.contains("erased on"))
    }

    @Test("The history of a record is the same locally and at a service, also with corrected and erased entries")
    func history() throws {
        let service = try LiveService()
        let local = service.local
        try local.run("record", "create", "--given-name", "Maria").succeeded()
        let weight = try local.json("weight", "log", "maria", "754kg").string("entry")
        try local.run("entry", "correct", weight, "value=75.4", "--reason", "misread").succeeded()
        let wrong = try local.json("entry", "add", "maria", "drug", "name=Aspirin").string("entry")
        try local.run("entry", "erase", wrong, "--reason", "not hers", "--yes").succeeded()
        try local.run("record", "set", "maria", "birthdate=1950-01-01").succeeded()
        let shown = try service.run(["record", "history", "maria"]).succeeded().text
        #expect(try local.run("record", "history", "maria").succeeded().text == shown)
        let lines = shown.split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(shown.contains("Corrected: Weight 75.4 kg"))
        #expect(shown.contains("misread"))
        #expect(shown.contains("Entry erased"))
        #expect(shown.contains("not hers"))
        #expect(!shown.contains("Aspirin"))
        let last = try service.run(["record", "history", "maria", "--limit", "1", "--format", "json"]).succeeded().json
        #expect(try last.items.map { try $0.string("type") } == ["record.changed"])
        #expect(try local.run("record", "history", "maria", "--limit", "0").status == 64)
    }

    @Test("Several entries are corrected only with --yes, and the preview says which", arguments: [false, true])
    func several(remote: Bool) throws {
        let service = remote ? try LiveService() : nil
        let local = try service?.local ?? CommandLineTool()
        func run(_ arguments: String...) throws -> Outcome {
            try service?.run(arguments) ?? local.run(arguments)
        }
        try local.run("record", "create", "--given-name", "Maria").succeeded()
        for dosage in ["10 mg", "10 mg", "5 mg"] {
            try local.run("entry", "add", "maria", "drug", "name=Lisinopril", "dosage=\(dosage)").succeeded()
        }
        let preview = try run("entry", "correct-all", "maria", "drug", "--where", "dosage=10 mg", "dosage=20 mg")
            .succeeded()
        #expect(preview.text.contains("dosage: 10 mg → 20 mg"))
        #expect(preview.message.contains("2 entries would be"))
        func dosages() throws -> [String] {
            try local.json("entry", "list", "maria").items.map { try $0.string("dosage") }
        }
        #expect(try dosages() == ["10 mg", "10 mg", "5 mg"])
        let done = try run("entry", "correct-all", "maria", "drug", "--where", "dosage=10 mg", "dosage=20 mg", "--yes")
        #expect(try done.succeeded().text.contains("corrected 2 entries"))
        #expect(try dosages() == ["20 mg", "20 mg", "5 mg"])
        #expect(try run("undo", "maria").succeeded().text.contains("as before: Medication Lisinopril"))
        #expect(try dosages() == ["10 mg", "10 mg", "5 mg"])
        let none = try run("entry", "correct-all", "maria", "drug", "--where", "dosage=1 mg", "dosage=2 mg").succeeded()
        #expect(none.message.contains("no entry to correct"))
        let wrong = try run("entry", "correct-all", "maria", "drug", "colour=red")
        #expect(wrong.status == 1)
        #expect(wrong.message.contains("colour"))
    }
}

@Suite("Doubts on the command line")
struct DoubtCommandTests {
    @Test(
        "A script's mistake is added with a warning, and an answer of no on a terminal adds nothing",
        arguments: [false, true]
    )
    func warning(remote: Bool) throws {
        let service = remote ? try LiveService() : nil
        let local = try service?.local ?? CommandLineTool()
        func run(_ arguments: String...) throws -> Outcome {
            try service?.run(arguments) ?? local.run(arguments)
        }
        try local.run("record", "create", "--given-name", "Maria").succeeded()
        #expect(try run("weight", "log", "maria", "75.4kg", "--date", "2026-03-01").succeeded().message.isEmpty)
        let far = try run("weight", "log", "maria", "754kg").succeeded()
        // A warning may be mailed or logged, and contains no value.
        #expect(far.message.contains("the value is far from the last one") && !far.message.contains("75"))
        #expect(try run("weight", "log", "maria", "754kg", "--yes").succeeded().message.isEmpty)
        #expect(try run("entry", "add", "maria", "drug").status == 64)
        let file = local.folder.path + "/letter.txt"
        try FileBytes.write(Array("letter".utf8), to: file)
        try run("document", "attach", "maria", file).succeeded()
        let again = try run("document", "attach", "maria", file, "--name", "other").succeeded()
        #expect(again.message.contains("the same is in the record already"))
    }
}
