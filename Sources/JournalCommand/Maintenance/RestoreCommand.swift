import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Restores a backup into a new folder.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a new folder.",
        discussion: """
            Example:  healthjournal restore /media/disk/journal-backup --journal ./journal-restored

            Every event, key and attachment is checked against the backup's signed checkpoint before anything is put \
            in place. Records that were erased after the backup must stay erased: name the current journal with \
            --current if any of it is left, and each receipt of an erasure with --receipt. If a checkpoint beside the \
            master key shows that the journal continued after the backup, and neither is given, the command prints a \
            warning.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The backup's folder.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "Accept only a backup that this key has signed: the text of keys/checkpoint.vkey.")
    var key: String?

    @Option(name: .long, help: "The current journal, whose erasures are applied.")
    var current: String?

    @Option(name: .long, help: "The receipt of an erasure. May be repeated.")
    var receipt: [String] = []

    func run() async throws {
        try options.place.requireFolder()
        let output = options.out
        try await output.reporting {
            let journal = try Backup.description(of: folder).id
            var request = RestoreRequest(
                backup: folder,
                folder: options.place.folder,
                masterKeyFile: options.place.namedMasterKeyFile
                    ?? MasterKeyFile.defaultPath(for: journal, environment: ProcessEnvironment.variables),
                account: options.account ?? Journal.ownerName,
                reason: options.reason,
                source: .commandLine
            )
            request.copiesMasterKey = options.place.namedMasterKeyFile == nil
            request.log = options.place.logOptions
            request.current = current.map { JournalFolder($0) }
            request.receipts = try receipt.map { ($0, try readFile($0, atMost: SignedNote.maximumBytes)) }
            request.verifier = try key.map { try verifier($0) }
            let progress = Progress("restore")
            let (report, position) = try await Journal.Maintenance.restore(request) { progress.show($0, of: $1) }
            progress.finish()
            show(report, position, request, output)
            if let later = report.later { warn(later.path, later.size, report, request, output) }
        }
    }

    private func verifier(_ text: String) throws -> NoteVerifier {
        do {
            return try NoteVerifier(parsing: text)
        } catch {
            throw ValidationError("--key: \(error)")
        }
    }

    private func warn(
        _ path: String,
        _ size: UInt64,
        _ report: RestoreReport,
        _ request: RestoreRequest,
        _ output: Output
    ) {
        let known = request.receipts.isEmpty ? "" : ", except those of the receipts"
        output.warn(
            "the journal continued after this backup, up to position \(size) at least (\(path)): any record that was erased "
                + "after position \(report.head) can be read again\(known). To keep them erased, delete "
                + "\(request.folder.path) and restore again with --current JOURNAL, the current journal, or with "
                + "--receipt FILE for each erasure"
        )
    }

    private func show(_ report: RestoreReport, _ position: UInt64, _ request: RestoreRequest, _ output: Output) {
        if output.isJSON {
            let later: [JSONValue.Member] = report.later.map { [.init("laterPosition", .integer($0.size))] } ?? []
            let key: [JSONValue.Member] = report.masterKeyFile.map { [.init("masterKeyFile", .string($0))] } ?? []
            output.json(
                .object(
                    [
                        .init("position", .integer(position)), .init("journal", .string(report.journal.text)),
                        .init("folder", .string(request.folder.path)), .init("head", .integer(report.head)),
                        .init("blobs", .integer(UInt64(report.blobs))), .init("keys", .integer(UInt64(report.keys))),
                        .init("erased", .integer(UInt64(report.erased.count))),
                        .init("bytes", .integer(UInt64(report.byteCount))),
                        .init("checkpoint", .string(report.checkpoint.text)),
                    ] + key + later
                ),
                .compact
            )
        } else {
            output.line("restored \(request.folder.path), up to position \(report.head)")
            output.line(
                "checked: \(report.head) events, \(report.blobs) attachments, \(report.keys) keys, \(report.byteCount) bytes"
            )
            if !report.erased.isEmpty { output.line("erased, and not restored: \(report.erased.count)") }
            output.line("root \(report.checkpoint.checkpoint.root.base64)")
            if let path = report.masterKeyFile { output.line("its master key is \(path), a separate copy") }
            output.note("its views are built when they are first read; see also: healthjournal doctor")
        }
    }
}
