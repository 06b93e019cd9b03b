import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Entries named on the command line")
struct EntryNameTests {
    private let tool: CommandLineTool
    private let record: String

    init() throws {
        tool = try CommandLineTool()
        record = try tool.person()
    }

    private func add(_ kind: String, _ fields: String...) throws -> String {
        try tool.run(["entry", "add", record, kind, "--format", "json"] + fields).succeeded().json.string("entry")
    }

    @Test("An entry is shown, corrected, retracted and restored by its name")
    func changes() throws {
        let doctor = try add("doctor", "name=Dr. Rossi", "phone=1")
        _ = try add("allergy", "name=Peanuts")
        let shown = try tool.run("entry", "show", "rossi").succeeded().text
        #expect(shown.hasPrefix("Doctor \(doctor)"), "\(shown)")
        #expect(shown.contains("Name: Dr. Rossi") && shown.contains("Phone: 1") && shown.contains("by owner"))
        #expect(try tool.json("entry", "show", "rossi").string("id") == doctor)
        try tool.run("entry", "correct", "rossi", "phone=2").succeeded()
        #expect(try tool.run("entry", "history", "rossi").succeeded().text.contains("phone: 1 → 2"))
        try tool.run("entry", "retract", "rossi").succeeded()
        #expect(try tool.run("entry", "show", "rossi").status == 2)
        try tool.run("entry", "restore", "rossi").succeeded()
        #expect(try tool.json("entry", "show", "rossi")["phone"] == "2")
    }

    @Test("A name of several entries and an unknown one are refused with what may be meant, and nothing is changed")
    func ambiguous() throws {
        let entries = [
            try add("vaccination", "name=Rabies", "date=2024"), try add("vaccination", "name=Rabies", "date=2025"),
        ]
        let position = try tool.position
        let refused = try tool.run("entry", "retract", "rabies")
        #expect(refused.status == 1, "\(refused.message)")
        for entry in entries { #expect(refused.message.contains(entry.prefix(8)), "\(refused.message)") }
        let mistyped = try tool.run("entry", "retract", "rabeis")
        #expect(mistyped.status == 2, "\(mistyped.message)")
        #expect(mistyped.message.contains(entries[0].prefix(8)), "\(mistyped.message)")
        // A script's messages may be kept in a log.
        #expect(!(refused.message + mistyped.message).contains("Rabies"))
        let nothing = try tool.run("entry", "retract", "xylophone")
        #expect(nothing.status == 2 && nothing.message.contains("entry list"), "\(nothing.message)")
        // Looking for a name is a read, which is recorded; no entry was changed.
        #expect(try tool.position > position)
        #expect(try tool.json("entry", "list", record, "vaccination").items.count == 2)
    }

    @Test("With several records, a name needs its record, and the refusal lists them by their ids")
    func severalRecords() throws {
        let other = try tool.person("Walburga")
        let doctor = try add("doctor", "name=Dr. Rossi")
        let refused = try tool.run("entry", "show", "rossi")
        #expect(refused.status == 1, "\(refused.message)")
        #expect(refused.message.contains("--record"), "\(refused.message)")
        for id in [record, other] { #expect(refused.message.contains(id.prefix(8)), "\(refused.message)") }
        #expect(!refused.message.contains("Walburga"))
        #expect(try tool.json("entry", "show", "rossi", "--record", "ottilie").string("id") == doctor)
        #expect(try tool.run("entry", "show", "rossi", "--record", "walburga").status == 2)
        // An id needs no record.
        #expect(try tool.json("entry", "show", String(doctor.prefix(20))).string("id") == doctor)
    }

    @Test("A weight has no name, so that a number never means an entry")
    func values() throws {
        try tool.run("weight", "log", record, "74.5kg").succeeded()
        #expect(try tool.run("entry", "retract", "74.5").status == 2)
        #expect(try tool.json("entry", "list", record, "weight").items.count == 1)
    }

    @Test("A plan is stopped by its name, and the doses of one plan are listed by it")
    func plans() throws {
        let plan = try tool.json("plan", "add", record, "Lisinopril", "--daily", "08:00=1").string("entry")
        try tool.run("plan", "add", record, "Metformin", "--daily", "09:00=1").succeeded()
        let period = ["--from", "today", "--to", "tomorrow", "--format", "json"]
        let due = try tool.run(["due", record, "--plan", "lisin"] + period).succeeded().json.items
        #expect(try due.map { try $0.string("name") } == ["Lisinopril"])
        #expect(try tool.run("plan", "stop", "lisniopril", "--why", "finished").status == 2)
        try tool.run("plan", "stop", "lisinopril", "--why", "finished").succeeded()
        let stopped = try #require(tool.json("entry", "list", record, "drug").items.first { $0["stopped"] != nil })
        #expect(try stopped.string("id") == plan)
    }
}
