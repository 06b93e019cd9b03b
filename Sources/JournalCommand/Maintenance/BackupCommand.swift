import ArgumentParser
import EventLog
import HealthJournal
import HealthModel
import Interchange

/// Creates or updates a backup of the journal.
struct BackupCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Create or update a backup of the journal, while it is in use.",
        discussion: """
            Example:  healthjournal backup /media/disk/journal-backup

            The first run copies everything, each later one only what is new. A run that is interrupted leaves the \
            backup as it was. The backup does not contain the master key: without a copy of that, stored elsewhere, \
            nobody can read it.

            The folder must belong to you, and is closed to other users. --trust-target also accepts a folder of \
            another user, or on a filesystem without permissions: users who can write there can then tamper with the \
            backup, and users who can read there learn when and how much was recorded.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(
        help: "The backup's folder: a new or empty one, or that of an earlier backup of this journal.",
        completion: .directory
    )
    var folder: String

    @Flag(name: .long, help: "Also accept a folder that belongs to another user, or that cannot be closed to others.")
    var trustTarget = false

    func run(in session: FolderSession) async throws {
        let progress = Progress("backup")
        let (report, position, missingFiles) = try await session.journal.maintenance.backUp(
            to: folder,
            trustsTarget: trustTarget,
            session.caller
        ) {
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
                    .init("damagedFiles", .integer(report.blobsDamaged)),
                    .init("missingFiles", .array(missingFiles.map { .string($0.text) })),
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
            if report.keysErased > 0 { session.output.line("destroyed in the backup: \(report.keysErased) keys") }
            if report.blobsDamaged > 0 {
                session.output.line(
                    "damaged in the journal: \(report.blobsDamaged) attachments, \(report.blobsKept) of which an earlier "
                        + "backup had intact, which is kept: see  healthjournal doctor"
                )
            }
            if !missingFiles.isEmpty {
                session.output.line(
                    "without the files of \(missingFiles.count) documents, which the journal does not have: see  healthjournal doctor"
                )
            }
            session.output.line("root \(report.checkpoint.checkpoint.root.base64)")
        }
        if report.blobsDamaged > 0 { throw ExitCode(1) }
    }
}
