import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Restores a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a new folder.",
        discussion: """
            Example:  healthjournal restore /media/disk/journal-backup --journal ./journal-restored

            Nothing is put in place before every event, key and attachment was checked against the backup's signed checkpoint.
            Who was erased after the backup was made must not come back: name the journal as it is now with --current if any of
            it is left, and each receipt of an erasure with --receipt.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The backup's folder.")
    var folder: String

    @Option(name: .long, help: "Take nothing but what this key has signed: the text of keys/checkpoint.vkey.")
    var key: String?

    @Option(name: .long, help: "The journal as it is now, whose erasures are to stay.")
    var current: String?

    @Option(name: .long, help: "The receipt of an erasure; may be given several times.")
    var receipt: [String] = []

    func run() async throws {
        try options.place.requireFolder()
        let output = Output(options.format)
        try await output.reporting {
            let journal = try Backup.description(of: folder).id
            var request = RestoreRequest(
                backup: folder,
                folder: options.place.folder,
                masterKeyFile: options.place.namedMasterKeyFile
                    ?? MasterKeyFile.defaultPath(for: journal, environment: Environment.variables),
                account: options.account ?? Journal.ownerName,
                reason: options.reason,
                source: .commandLine
            )
            request.log = options.place.logOptions
            request.current = current.map { JournalFolder($0) }
            request.receipts = try receipt.map { ($0, try readFile($0, atMost: SignedNote.maximumBytes)) }
            request.verifier = try key.map { try verifier($0) }
            let progress = Progress("restore")
            let (report, position) = try await Journal.restore(request) { progress.show($0, of: $1) }
            progress.finish()
            show(report, position, request, output)
        }
    }

    private func verifier(_ text: String) throws -> NoteVerifier {
        do {
            return try NoteVerifier(parsing: text)
        } catch {
            throw ValidationError("--key: \(error)")
        }
    }

    private func show(_ report: RestoreReport, _ position: UInt64, _ request: RestoreRequest, _ output: Output) {
        if output.isJSON {
            output.json(
                .object([
                    .init("position", .integer(position)), .init("journal", .string(report.journal.text)),
                    .init("folder", .string(request.folder.path)), .init("head", .integer(report.head)),
                    .init("blobs", .integer(UInt64(report.blobs))), .init("keys", .integer(UInt64(report.keys))),
                    .init("erased", .integer(UInt64(report.erased.count))),
                    .init("bytes", .integer(UInt64(report.byteCount))),
                    .init("checkpoint", .string(report.checkpoint.text)),
                ]),
                .compact
            )
        } else {
            output.line("restored \(request.folder.path), up to position \(report.head)")
            output.line(
                "checked: \(report.head) events, \(report.blobs) attachments, \(report.keys) keys, \(report.byteCount) bytes"
            )
            if !report.erased.isEmpty { output.line("erased, and not restored: \(report.erased.count)") }
            output.line("root \(report.checkpoint.checkpoint.root.base64)")
            output.note("its views are built when they are first asked for; see also: healthjournal doctor")
        }
    }
}
