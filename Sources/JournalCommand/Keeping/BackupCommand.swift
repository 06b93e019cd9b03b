import ArgumentParser
import EventLog
import HealthJournal
import Interchange

/// Backs the journal up.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Bring a folder up to date as a backup of the journal, while it is in use.",
        discussion: """
            Example:  healthjournal backup /media/disk/journal-backup

            The first run copies all, each later one only what is new. Cut off at any moment it leaves the backup as it was.
            The master key is not in it: without a copy of that, kept elsewhere, nobody can read the backup.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The backup's folder: a new or empty one, or that of an earlier backup of this journal.")
    var folder: String

    func run() async throws {
        try await FolderSession.run(options) { session in
            let progress = Progress("backup")
            let (report, position) = try await session.journal.backUp(to: folder, session.caller) {
                progress.show($0, of: $1)
            }
            progress.finish()
            if session.output.isJSON {
                session.output.json(
                    .object([
                        .init("position", .integer(position)), .init("place", .string(report.place)),
                        .init("head", .integer(report.head)), .init("events", .integer(report.events)),
                        .init("blobs", .integer(UInt64(report.blobs))), .init("keys", .integer(UInt64(report.keys))),
                        .init("keysErased", .integer(UInt64(report.keysErased))),
                        .init("bytes", .integer(UInt64(report.byteCount))),
                        .init("checkpoint", .string(report.checkpoint.text)),
                    ]),
                    .compact
                )
            } else {
                session.output.line("backed up to \(report.place), up to position \(report.head)")
                session.output.line(
                    "copied: \(report.events) events, \(report.blobs) attachments, \(report.keys) keys, "
                        + "\(report.byteCount) bytes"
                )
                if report.keysErased > 0 { session.output.line("destroyed there: \(report.keysErased) keys") }
                session.output.line("root \(report.checkpoint.checkpoint.root.base64)")
            }
        }
    }
}
