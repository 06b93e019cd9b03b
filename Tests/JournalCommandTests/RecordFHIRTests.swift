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
        for form in ["fhir-ips", "fhir-transaction", "fhir"] {
            try tool.run("export", name, "--as", form, "-o", file).succeeded()
            let checked = try PythonFHIR.check(file)
            #expect(checked.status == 0, "\(checked.message)")
        }
        let other = try CommandLineTool()
        try other.run("import", "fhir", file).succeeded()
        let (mine, theirs) = (try plain(tool, name), try plain(other, name))
        #expect(JSONWriter.text(mine) == JSONWriter.text(theirs))
        #expect(try other.run("import", "fhir", file).succeeded().text.contains("nothing to append"))
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
        let refused = try tool.run("import", "fhir", folder)
        #expect(refused.status == 1 && refused.message.contains("Condition.ndjson line 1.onsetDateTime"))
        #expect(!refused.message.contains("day before"))
        try write("Condition.ndjson", [FHIRTexts.condition("2010")])
        #expect(try tool.run("import", "fhir", folder).succeeded().text.contains("added 4"))
        #expect(try tool.run("import", "fhir", folder).succeeded().text.contains("unchanged 4"))
        let other = try tool.run("import", "fhir", tool.folder.path, "--dry-run")
        #expect(other.status == 1 && other.message.contains(".ndjson"))
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
