import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import EventLog
@testable import JournalCore

/// Documents whose files the journal does not have, such as after an import of a journal's own format.
@Suite("Missing files of documents")
struct MissingFileTests {
    private static let letter = Array("a letter".utf8)

    /// A journal into which the record of another journal was imported, with one document.
    private func imported() async throws -> (home: TestHousehold, record: UUID, report: ImportReport, letter: UUID) {
        let source = try await TestHousehold()
        let record = try await source.person("Ida")
        func attach(_ bytes: [UInt8], _ name: String) async throws -> UUID {
            let content = try entry("document", ["name": name])
            return try #require(
                try await source.journal.entries.attachDocument(bytes, content, to: record, source.owner).entry
            )
        }
        let letter = try await attach(Self.letter, "letter.txt")
        _ = try await source.add("weight", ["value": "71.5", "unit": "kg"], to: record)
        var bytes: [UInt8] = []
        try await source.journal.exports.export(record, by: source.owner).writeNative { bytes += $0 }

        let home = try await TestHousehold()
        var caller = home.owner
        caller.source = .import
        let document = try NativeDocument.read(bytes, now: home.journal.now)
        let trial = try await home.journal.imports.take(document, isTrial: true, caller)
        #expect(trial.missingFiles == [letter])
        return (home, record, try await home.journal.imports.take(document, caller), letter)
    }

    private func attachments(_ home: TestHousehold) async throws -> Finding {
        try #require(try await home.journal.maintenance.examine(home.owner).first { $0.what == "attachments" })
    }

    @Test("The examination names a document whose file is damaged; attaching the file mends it")
    func damaged() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let content = try entry("document", ["name": "letter.txt"])
        let letter = try #require(
            try await home.journal.entries.attachDocument(Self.letter, content, to: record, home.owner).entry
        )
        #expect(try await attachments(home).isOK)
        let folder = home.journal.log.folder.blobs(of: record)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        try FileBytes.edit("\(folder)/\(name)") { $0[$0.count / 2] ^= 1 }
        let finding = try await attachments(home)
        #expect(!finding.isOK)
        #expect(finding.detail.contains(letter.text))
        #expect(finding.detail.contains("damaged"))
        _ = try await home.journal.entries.attachDocument(Self.letter, content, to: record, home.owner)
        #expect(try await attachments(home).isOK)
    }

    @Test("A backup keeps its intact copy of an attachment that has been damaged in the journal since")
    func damagedAfterBackup() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let content = try entry("document", ["name": "letter.txt"])
        _ = try await home.journal.entries.attachDocument(Self.letter, content, to: record, home.owner)
        let folder = try TemporaryFolder()
        let backup = folder.path + "/b"
        _ = try await home.journal.maintenance.backUp(to: backup, home.owner)
        let blobs = home.journal.log.folder.blobs(of: record)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: blobs).first)
        let copy = "\(backup)/blobs/\(URL(filePath: blobs).lastPathComponent)/\(name)"
        let intact = try FileBytes.read(copy)
        try FileBytes.edit("\(blobs)/\(name)") { $0[$0.count / 2] ^= 1 }
        // Not `….report` of the awaited value: Swift 6.3.1 then frees what the task allocated in a wrong order under the
        // thread sanitizer.
        let again = try await home.journal.maintenance.backUp(to: backup, home.owner)
        #expect(again.report.blobsDamaged == 1)
        #expect(again.report.blobsKept == 1)
        #expect(try FileBytes.read(copy) == intact)
        // A new backup has what there is, and says that it is damaged.
        let other = try await home.journal.maintenance.backUp(to: folder.path + "/c", home.owner).report
        #expect(other.blobs == 1)
        #expect(other.blobsDamaged == 1)
        #expect(other.blobsKept == 0)
    }

    @Test(
        "An import, the examination, a backup and exports name a document without its file; attaching the file mends it"
    )
    func named() async throws {
        let (home, record, report, letter) = try await imported()
        let folder = try TemporaryFolder()
        #expect(report.added == 2)
        #expect(report.missingFiles == [letter])
        #expect(report.json(isTrial: false)["missingFiles"] == [.string(letter.text)])
        let finding = try await attachments(home)
        #expect(!finding.isOK)
        #expect(finding.detail.contains(letter.text))
        #expect(finding.detail.contains("attach"))
        #expect(try await home.journal.maintenance.backUp(to: folder.path + "/b", home.owner).missingFiles == [letter])
        func export(_ format: ExportFormat) async throws {
            let exported = try await home.journal.exports.export(record, ReadOptions(), by: home.owner)
            try await exported.requireContent(of: format)
            if format == .purus {
                try await exported.writePurus { _ in }
            } else {
                try await exported.writeFHIR(as: .collection) { _ in }
            }
        }
        for format in [ExportFormat.fhir, .purus] {
            let error = await refusal { try await export(format) }
            #expect(error?.code == .conflict, "\(format)")
            #expect(error?.message.contains(letter.text) == true, "\(format)")
        }
        // Formats without files are not affected.
        try await home.journal.exports.export(record, by: home.owner).requireContent(of: .native)
        #expect(
            await refusal { _ = try await home.journal.entries.document(letter, home.owner) }?.message
                .contains(letter.text)
                == true
        )

        let again = try await home.journal.entries.attachDocument(
            Self.letter,
            try entry("document", ["name": "again.txt"]),
            to: record,
            home.owner
        )
        _ = try await home.journal.entries.retractEntry(try #require(again.entry), home.owner)
        #expect(try await home.journal.entries.document(letter, home.owner).bytes == Self.letter)
        #expect(try await attachments(home).isOK)
        for format in [ExportFormat.fhir, .purus] { try await export(format) }
        #expect(try await home.journal.maintenance.backUp(to: folder.path + "/b", home.owner).missingFiles.isEmpty)
    }

    @Test("A value of an import that is far from the one before it is in doubt, also between known values")
    func outliers() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        _ = try await home.add("weight", ["value": "75.4", "unit": "kg", "date": "2024-03-01"], to: record)
        var caller = home.owner
        caller.source = .import
        let mapping = try CSVMapping([
            "format": "healthjournal-csv/1", "date": ["columns": ["Date"]],
            "rows": [["kind": "weight", "set": ["value": "{Weight}", "unit": "kg"]]],
        ])
        let table = "Date,Weight\n2024-02-01,75.9\n2024-03-15,754\n2024-04-01,75.1\n2024-05-01,20.5\n"
        let request = CSVRequest(Array(table.utf8), into: record, as: mapping)
        let document = try await home.journal.imports.read(request, isTrial: false, caller).record(record)
        let report = try await home.journal.imports.take(document, isTrial: true, caller)
        #expect(report.added == 4)
        #expect(report.doubts.map(\.path) == ["line 3", "line 5"])
        #expect(report.doubts.map(\.doubt.reason) == [.farFromLast, .farFromLast])
        #expect(report.doubts.first?.doubt.text == "754 kg is far from the last one: 75.4 kg on 2024-03-01")
        #expect(try await home.journal.imports.take(document, caller).doubts.count == 2)
        // What is known already is not in doubt again.
        #expect(try await home.journal.imports.take(document, caller).doubts.isEmpty)
    }

    @Test("A retracted document whose file is lost stops no export")
    func retracted() async throws {
        let (home, record, _, letter) = try await imported()
        _ = try await home.journal.entries.retractEntry(letter, home.owner)
        #expect(try await attachments(home).isOK)
        let exported = try await home.journal.exports.export(record, ReadOptions(), by: home.owner)
        try await exported.requireContent(of: .fhir)
        try await exported.writeFHIR(as: .collection) { _ in }
    }
}
