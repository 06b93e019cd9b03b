package import EventLog
package import FoundationEssentials
internal import HealthModel
package import JournalCore
internal import JournalEvents

extension Journal.Maintenance {
    /// Brings a folder up to date as a backup of the journal, and records that in the log.
    ///
    /// For callers who run the journal: a backup contains all records. With `trustsTarget` the folder may belong to
    /// another user, or be open to others. Returns also the documents whose files the journal, and therefore the backup,
    /// does not have. Throws `conflict` while the key file is older than an erasure.
    package func backUp(
        to path: String,
        trustsTarget: Bool = false,
        _ caller: Caller,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) async throws(JournalError) -> (report: BackupReport, position: UInt64, missingFiles: [UUID]) {
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            // The backup would contain erased data.
            let undone = try journal.log.undoneErasures()
            guard undone.isEmpty else { throw JournalError(.conflict, Message(verbatim: undone.sentence)) }
            let place = try journal.log.prepareBackup(in: path, trustsTarget: trustsTarget)
            // Recorded first: a backup killed halfway may hold anyone's keys, and erasure receipts must name it.
            _ = try await recordBackup(in: place, head: 0, caller)
            let digests = AttachmentDigests(journal)
            let report = try journal.log.backUp(
                to: place,
                trustsTarget: trustsTarget,
                isIntact: { subject, name in digests.isIntact(name, of: subject) },
                progress: progress
            )
            let position = try await recordBackup(in: place, head: report.head, caller)
            return (report, position, try journal.entries.missingFiles())
        } catch {
            throw JournalError(error)
        }
    }

    /// The digests of attachments by the names of their files, read once for each record that a backup asks about.
    private final class AttachmentDigests {
        private let journal: Journal
        private var known: [UUID: [String: String]] = [:]

        init(_ journal: Journal) { self.journal = journal }

        /// Whether an attachment is what its document says; true if no document names it.
        func isIntact(_ name: String, of record: UUID) -> Bool {
            let names = known[record] ?? (try? journal.entries.attachmentDigests(of: record)) ?? [:]
            known[record] = names
            return names[name].map { journal.entries.opens($0, of: record) } ?? true
        }
    }

    private func recordBackup(in place: String, head: UInt64, _ caller: Caller) async throws -> UInt64 {
        var change = try Change(journal, caller)
        try change.add(
            .backingUp(to: place, head: head),
            in: .stream(journal.backupStream(), of: journal.log.description.id)
        )
        return try await change.commit()?.last ?? 0
    }
}
