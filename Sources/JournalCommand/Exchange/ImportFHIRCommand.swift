import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Imports resources of FHIR R4.
struct ImportFHIRCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "fhir",
        abstract: "Import resources of FHIR R4: a Bundle, one resource, or one resource on each line (NDJSON).",
        discussion: """
            Example:  healthjournal import fhir hospital.json --dry-run
            Example:  healthjournal import fhir results.ndjson --record maria --source inselspital
            Example:  healthjournal import fhir bulk-export/

            Of a folder or a zip archive, such as a Bulk Data export, all files are read whose names end with .ndjson. \
            An archive may contain one other document instead.

            Each Patient becomes a record, unless --record names one. What fits becomes entries; all other resources \
            are kept as they came, and so is the text of each resource. What was changed here stays. Consents, access \
            events and the like are kept, too, but grant nothing and record nothing.

            A resource that cannot be read, such as one with an impossible date, is kept as it came, or left out if it is \
            no resource. The others are imported, each such one is listed, and the exit status is 3.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(
        help: "The document, a folder or a zip archive of NDJSON files, or - for standard input.",
        completion: .file()
    )
    var file: String

    @Option(name: .long, help: "The record that the document is about: its id, the beginning of it, or a name.")
    var record: String?

    @Option(
        name: .long,
        help: "The name of the system from which it comes, to tell its ids from those of other systems."
    )
    var source = ""

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Take resources of these types alone, with commas between them, and the Patients.",
            valueName: "types"
        )
    )
    var only: String?

    @Option(
        name: .long,
        help: "What to do with a resource that is older than the version in the journal: skip or take."
    )
    var older = OlderVersions.skip

    enum OlderVersions: String, ExpressibleByArgument {
        case skip, take
    }

    @Flag(name: .long, help: "Import nothing if a resource cannot be read.")
    var strict = false

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    var eventSource: EventSource { .import }

    func run(in session: FolderSession) async throws {
        var record: UUID?
        if let name = self.record {
            record = try await LocalJournal(journal: session.journal, caller: session.caller).record(name)
        }
        var reading = try session.journal.imports.fhirOptions(of: record, source: source, isTrial: dryRun)
        reading.types = only.map { Set($0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }) }
        reading.takesOlder = older == .take
        reading.isStrict = strict
        let (documents, digest) = try document(reading)
        let reports = try await session.journal.imports.take(
            consume documents,
            digest: digest,
            isTrial: dryRun,
            session.caller
        )
        try session.output.report(reports, isTrial: dryRun)
    }

    /// Reads the document; its bytes are not needed any more when its entries are appended.
    private func document(_ reading: FHIROptions) throws -> (records: [ImportedRecord], digest: String) {
        if file != "-", isFolder(file) { return try folder(reading) }
        let bytes = try readFile(file, atMost: FHIRDocument.maximumBytes)
        return (try FHIRDocument.read(bytes, options: reading), BlobStore.digest(of: bytes))
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Reads the files of a folder in the order of their names; the digest is that of the list that `sha256sum` prints.
    private func folder(_ reading: FHIROptions) throws -> (records: [ImportedRecord], digest: String) {
        let names = try FileManager.default.contentsOfDirectory(atPath: file).filter { $0.hasSuffix(".ndjson") }
            .sorted()
        var (files, left) = ([FHIRLines](), FHIRDocument.maximumBytes)
        for name in names {
            // Not read: what a system stores beside a file is no document, and may be anything.
            if FHIRDocument.isOfSystem(name) {
                files.append(FHIRLines(name: name, bytes: []))
                continue
            }
            let bytes = try BoundedFile.read(found: file + "/" + name, atMost: left)
            files.append(FHIRLines(name: name, bytes: bytes))
            left -= bytes.count
        }
        let list = files.map { "\(BlobStore.digest(of: $0.bytes))  \($0.name)\n" }.joined()
        return (try FHIRDocument.read(files, options: reading), BlobStore.digest(of: Array(list.utf8)))
    }
}
