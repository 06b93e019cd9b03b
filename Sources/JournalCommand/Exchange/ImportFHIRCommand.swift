import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Imports resources of FHIR R4.
struct ImportFHIRCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fhir",
        abstract: "Import resources of FHIR R4: a Bundle, one resource, or one resource on each line (NDJSON).",
        discussion: """
            Example:  healthjournal import fhir hospital.json --dry-run
            Example:  healthjournal import fhir results.ndjson --record maria --source inselspital

            Each Patient becomes a record, unless --record names one. What fits becomes entries; all other resources are
            kept as they came, and so is the text of each resource. What was changed here stays. Consents, access events and
            the like are kept, too, but grant nothing and record nothing.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.")
    var file: String

    @Option(name: .long, help: "The record that the document is about: its id, the beginning of it, or a name.")
    var record: String?

    @Option(
        name: .long,
        help: "The name of the system from which it comes, to tell its ids from those of other systems."
    )
    var source = ""

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    func run() async throws {
        try await FolderSession.run(options, source: .import) { session in
            var record: UUID?
            if let name = self.record {
                record = try await LocalJournal(journal: session.journal, caller: session.caller).record(name)
            }
            let bytes = try readFile(file, atMost: FHIRDocument.maximumBytes)
            let documents = try FHIRDocument.read(
                bytes,
                options: session.journal.fhirOptions(of: record, source: source, isTrial: dryRun)
            )
            let reports = try await session.journal.take(
                documents,
                digest: BlobStore.digest(of: bytes),
                isTrial: dryRun,
                session.caller
            )
            for report in reports { session.output.report(report, isTrial: dryRun) }
        }
    }
}
