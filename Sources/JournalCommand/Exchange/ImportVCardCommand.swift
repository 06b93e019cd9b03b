import ArgumentParser
import EventLog
import HealthJournal
import HealthModel
import Interchange

/// Imports the cards of an address book.
struct ImportVCardCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "vcard",
        abstract: "Import the cards of an address book (.vcf) as doctors or emergency contacts.",
        discussion: """
            Example:  healthjournal import vcard doctors.vcf --record maria
            Example:  healthjournal import vcard son.vcf --record maria --kind emergency-contact --dry-run

            Choose the cards in the address book of the phone and share them as a file. A card that this journal \
            exported changes the entry from which it came; what was changed in the journal since the export stays.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The record to which the cards belong: its id, the beginning of it, or a name.")
    var record: String

    @Option(name: .long, help: "What the cards become.")
    var kind: CardKind = .doctor

    @Flag(name: .long, help: "Import nothing if a card cannot be read.")
    var strict = false

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    enum CardKind: String, ExpressibleByArgument, CaseIterable {
        case doctor
        case emergencyContact = "emergency-contact"
    }

    var eventSource: EventSource { .import }

    func run(in session: FolderSession) async throws {
        let record = try await LocalJournal(journal: session.journal, caller: session.caller).record(record)
        let bytes = try readFile(file, atMost: VCardDocument.maximumBytes)
        let document = try await session.journal.imports.readCards(
            bytes,
            as: kind == .doctor ? Doctor.kind : EmergencyContact.kind,
            into: record,
            isTrial: dryRun,
            isStrict: strict,
            session.caller
        )
        let report = try await session.journal.imports.take(
            document,
            digest: BlobStore.digest(of: bytes),
            isTrial: dryRun,
            session.caller
        )
        try session.output.report([report], isTrial: dryRun)
    }
}
