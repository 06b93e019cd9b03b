import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Records as FHIR R4")
struct RecordFHIRTests {
    @Test(
        "The sample household as FHIR is valid, and imported elsewhere it says the same",
        .enabled(if: PythonFHIR.isInstalled),
        arguments: ["Ada", "Theo", "Biscuit"]
    )
    func household(_ name: String) throws {
        let tool = try CommandLineTool()
        try tool.run("sample").succeeded()
        let file = tool.folder.path + "/record.json"
        let mine = JSONWriter.text(try plain(tool, name))
        for form in ["fhir-ips", "fhir-history", "fhir-transaction", "fhir-ndjson", "fhir"] {
            try tool.run("export", name, "--as", form, "-o", file).succeeded()
            let checked = try PythonFHIR.check(file)
            #expect(checked.status == 0, "\(form): \(checked.message)")
            if ["fhir-ips", "fhir-history", "fhir-transaction"].contains(form) { continue }
            let other = try CommandLineTool()
            try other.run("import", "fhir", file).succeeded()
            #expect(try JSONWriter.text(plain(other, name)) == mine, "\(form)")
            #expect(try other.run("import", "fhir", file).succeeded().text.contains("nothing to append"))
        }
    }

    @Test(
        "A date of birth goes through each format as precisely as it is known",
        arguments: ["1951", "1951-03", "1951-03-14"]
    )
    func dateOfBirth(_ date: String) throws {
        let tool = try CommandLineTool()
        let record = try tool.json("record", "create", "--given-name", "Nora", "--birthdate", date).string("record")
        let patient = try tool.json("export", record, "--as", "fhir")["entry"]?.items.first?["resource"]
        #expect(patient?["birthDate"] == .string(date))
        for form in ["fhir", "purus", "native"] {
            let file = tool.folder.path + "/record.json"
            try tool.run("export", record, "--as", form, "-o", file).succeeded()
            let other = try CommandLineTool()
            try other.run("import", form, file).succeeded()
            #expect(try other.json("record", "show", "Nora")["profile"]?["birthdate"] == .string(date), "\(form)")
        }
        #expect(try tool.run("record", "set", record, "birthdate=1951-3").status == 1)
    }

    @Test("A history has each version, the newest first, with a proof that the journal and others accept")
    func history() throws {
        let tool = try CommandLineTool()
        let record = try tool.json("record", "create", "--given-name", "Nora").string("record")
        let entry = try tool.json("entry", "add", record, "weight", "value=70.50", "unit=kg").string("entry")
        try tool.run("entry", "correct", entry, "value=71.50", "--reason", "read wrongly").succeeded()
        try tool.run("entry", "retract", entry).succeeded()
        try tool.run("entry", "restore", entry).succeeded()
        try tool.run("account", "add", "mia").succeeded()
        try tool.run("caregiver", "grant", record, "mia", "--sections", "myhealth").succeeded()
        try tool.run("entry", "list", record).succeeded()
        let exported = try tool.json("export", record, "--as", "fhir-history")
        let items = exported["entry"]?.items ?? []
        func versions(_ type: String) -> [JSONValue] {
            items.filter { item in
                if case .string(let url)? = item["request"]?["url"] { url.hasPrefix(type + "/") } else { false }
            }
        }
        let weights = versions("Observation")
        #expect(weights.map { $0["request"]?["method"] } == ["PUT", "DELETE", "PUT", "POST"])
        let values = weights.map { $0["resource"]?["valueQuantity"]?["value"] }
        #expect(values == [.number("71.50"), nil, .number("71.50"), .number("70.50")])
        let changes = versions("Provenance").compactMap { $0["resource"] }
        let kinds = changes.map { $0["activity"]?["coding"]?.items.first?["code"] }
        #expect(kinds == ["UPDATE", "DELETE", "UPDATE", "CREATE", "CREATE"])
        #expect(changes[2]["reason"]?.items.first?["text"] == "read wrongly")
        #expect(versions("Patient").count == 1)
        #expect(versions("Consent").count == 1)
        #expect(versions("AuditEvent").count > 0)

        let whole = try tool.run("export", record, "--as", "fhir-history", "--as-of", "#9").succeeded().text
        try tool.run("entry", "add", record, "weight", "value=80", "unit=kg").succeeded()
        #expect(try tool.run("export", record, "--as", "fhir-history", "--as-of", "#9").succeeded().text == whole)

        let seen = try tool.json("export", record, "--as", "fhir-history", "--as", "mia")["entry"]?.items ?? []
        let types = Set(seen.compactMap { $0["resource"]?["resourceType"] })
        #expect(types == ["Patient", "Observation", "Provenance"])

        // The copy takes over what was retracted, and nothing of who read or changed what.
        let (other, copy) = (try CommandLineTool(), tool.folder.path + "/history.json")
        try tool.run("export", record, "--as", "fhir-history", "-o", copy).succeeded()
        let first = try other.run("import", "fhir", copy).succeeded().text
        #expect(first.contains("added 2") && !first.contains("kept as they came"), "\(first)")
        #expect(try other.run("import", "fhir", copy).succeeded().text.contains("nothing to append"))
        try tool.run("entry", "retract", entry).succeeded()
        try tool.run("export", record, "--as", "fhir-history", "-o", copy).succeeded()
        _ = try other.run("import", "fhir", copy).succeeded()
        #expect(try other.run("entry", "list", record, "weight", "--format", "json").text.contains("80"))
        #expect(try !other.run("entry", "list", record, "weight", "--format", "json").text.contains("71.5"))

        let key = try tool.replay("checkpoint", "--key").succeeded().text.trimmingCharacters(in: .newlines)
        let attachment = changes[0]["extension"]?.items.first?["valueAttachment"]?["data"]
        guard case .string(let data)? = attachment, let proof = Data(base64Encoded: data) else {
            Issue.record("there is no proof")
            return
        }
        let file = tool.folder.path + "/event.proof"
        func check() throws -> [Int32] {
            let own = try tool.replay("check-proof", file, "--key", key).status
            guard GoMonitor.isBuilt else { return [own == 3 ? 1 : own] }
            return [own == 3 ? 1 : own, try GoMonitor.run("-key", key, "-proof", file).status]
        }
        try proof.write(to: URL(filePath: file))
        #expect(try Set(check()) == [0])
        for line in 1...4 {
            var lines = String(decoding: proof, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            // One letter of the hash, the index, the path.
            let other = lines[line].dropLast(3) + (lines[line].hasSuffix("A=") ? "BB=" : "AA=")
            lines[line] = line == 2 ? "index 0" : other
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            #expect(try Set(check()) == [1], "line \(line)")
        }
    }

    /// The native export of a record, without what differs between journals.
    private func plain(_ tool: CommandLineTool, _ name: String) throws -> JSONValue {
        try tool.run("export", name, "--as", "native").succeeded().json
            .without([
                "asOf", "createdAt", "updatedAt", "addedAt", "addedBy", "position", "correctedAt", "correctedBy",
            ])
    }

    @Test("A folder of a Bulk Data export is one document, and a fault in it is named with its file")
    func bulkData() throws {
        let tool = try CommandLineTool()
        let folder = tool.folder.path + "/bulk"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let patient: JSONValue = ["reference": "Patient/p1"]
        func write(_ name: String, _ resources: [JSONValue]) throws {
            let lines = resources.map { resource in
                JSONWriter.text(.object(resource.members.map { $0.name == "subject" ? .init("subject", patient) : $0 }))
            }
            _ = try tool.write(lines.joined(separator: "\n"), to: "bulk/\(name)")
        }
        try write("Patient.ndjson", [FHIRTexts.patient])
        try write("Observation.ndjson", [FHIRTexts.weight("75.50"), FHIRTexts.weight("76", id: "w2")])
        try write("Condition.ndjson", [FHIRTexts.condition("the day before")])
        _ = try tool.write("no resource", to: "bulk/manifest.json")
        _ = try tool.write("\u{0}", to: "bulk/._Patient.ndjson")
        let refused = try tool.run("import", "fhir", folder, "--strict")
        #expect(refused.status == 1)
        #expect(refused.message.contains("Condition.ndjson line 1.onsetDateTime"))
        #expect(!refused.message.contains("day before"))
        let partly = try tool.run("import", "fhir", folder)
        #expect(partly.status == 3)
        #expect(partly.text.contains("added 4"))
        #expect(partly.text.contains("not readable, and kept as it came: Condition.ndjson line 1.onsetDateTime"))
        #expect(partly.text.contains("skipped, because they contain nothing to import: ._Patient.ndjson"))
        #expect(!partly.text.contains("day before"))
        try write("Condition.ndjson", [FHIRTexts.condition("2010")])
        #expect(try tool.run("import", "fhir", folder).succeeded().text.contains("corrected 1"))
        #expect(try tool.run("import", "fhir", folder).succeeded().text.contains("unchanged 4"))
        let other = try tool.run("import", "fhir", tool.folder.path, "--dry-run")
        #expect(other.status == 1)
        #expect(other.message.contains(".ndjson"))
    }

    @Test("A document of a hospital goes in and comes out again, and its import is listed and undone")
    func hospital() throws {
        let tool = try CommandLineTool()
        let document = FHIRTexts.bundle([
            FHIRTexts.weight("75.50"), FHIRTexts.condition("2010"), FHIRTexts.carePlan, FHIRTexts.document,
        ])
        let file = try tool.write(JSONWriter.text(document), to: "hospital.json")
        let trial = try tool.run("import", "fhir", file, "--dry-run").succeeded()
        #expect(
            trial.text.contains("added 6") && trial.text.contains("kept as they came: Bundle 1, CarePlan 1, Patient 1")
        )
        #expect(try tool.run("import", "list", "Maria").status == 2)
        try tool.run("import", "fhir", file, "--source", "hospital").succeeded()
        let source = tool.folder.path + "/source.json"
        try tool.run("export", "Maria", "--as", "fhir-source", "-o", source).succeeded()
        #expect(try JSONReader.read(FileBytes.read(source)) == document)
        if PythonFHIR.isInstalled {
            let all = tool.folder.path + "/all.json"
            try tool.run("export", "Maria", "--as", "fhir", "-o", all).succeeded()
            let checked = try PythonFHIR.check(all)
            #expect(checked.status == 0, "\(checked.message)")
        }
        let imports = try tool.json("import", "list", "Maria")
        #expect(imports.items.map { $0["added"] } == [.integer(6)])
        let undone = try tool.json("import", "undo", "Maria")
        #expect(undone["retracted"] == .integer(6))
        #expect(try tool.run("entry", "list", "Maria").succeeded().text.isEmpty)
        #expect(try tool.run("export", "Maria", "--as", "fhir-source").status == 2)
    }

    @Test("The history of an imported entry shows its values, and of a change of the original alone only that")
    func entryHistory() throws {
        let tool = try CommandLineTool()
        for weight in [FHIRTexts.weight("75.50"), FHIRTexts.weight("75.50", updated: "2026-03-01T08:00:00Z")] {
            let file = try tool.write(JSONWriter.text(FHIRTexts.bundle([weight])), to: "hospital.json")
            try tool.run("import", "fhir", file).succeeded()
        }
        let weight = try #require(try tool.json("entry", "list", "Maria", "weight").items.first).string("id")
        let shown = try tool.run("entry", "history", weight).succeeded().text
        #expect(shown.contains("value: – → 75.50"), "\(shown)")
        #expect(shown.contains("only in the imported original"), "\(shown)")
        #expect(!shown.contains("$fhir"))
        let changes = try tool.json("entry", "history", weight).items.last?["changes"]?.items ?? []
        #expect(changes.contains { $0["field"] == "extra.$fhir.resource" })
    }
}

extension JSONValue {
    /// The value without the members of some names, at any depth.
    fileprivate func without(_ names: Set<String>) -> JSONValue {
        switch self {
        case .array(let items): .array(items.map { $0.without(names) })
        case .object(let members):
            .object(members.filter { !names.contains($0.name) }.map { .init($0.name, $0.value.without(names)) })
        default: self
        }
    }
}

/// The check of FHIR documents by a library in Python.
enum PythonFHIR {
    static func check(_ file: String) throws -> Outcome {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "check_fhir.py").path
        return try Outcome(of: python, ["-B", script, file])
    }

    static let isInstalled = ((try? Outcome(of: python, ["-c", "import fhir.resources"]))?.status ?? 1) == 0

    private static let python = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".build-python/bin/python3").path
}
