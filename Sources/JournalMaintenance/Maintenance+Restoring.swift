package import EventLog
internal import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import ProjectionKit

/// The parameters of a restore.
package struct RestoreRequest: Sendable {
    /// The folder of the backup.
    package var backup: String
    /// The folder of the new journal.
    package var folder: JournalFolder
    package var masterKeyFile: String
    /// Whether the restored journal gets a file of its own with the master key, beside `masterKeyFile`.
    package var copiesMasterKey = false
    /// The account that requests the restore, by name or id.
    package var account: String
    package var reason: String
    package var source: EventSource
    /// The public key of the journal's checkpoints, if it is known from another source.
    package var verifier: NoteVerifier?
    /// The folder of the current journal, from which later erasures are taken.
    package var current: JournalFolder?
    /// Erasure receipts: the source of each, and its bytes.
    package var receipts: [(name: String, bytes: [UInt8])] = []
    package var log = EventLog.Options()

    package init(
        backup: String,
        folder: JournalFolder,
        masterKeyFile: String,
        account: String,
        reason: String,
        source: EventSource
    ) {
        self.backup = backup
        self.folder = folder
        self.masterKeyFile = masterKeyFile
        self.account = account
        self.reason = reason
        self.source = source
    }
}

extension Journal.Maintenance {
    /// Restores a backup into a new folder, without the data of subjects that were erased since.
    ///
    /// The folder gets its final name only when the journal is complete and verified, and its log contains the restore
    /// and the later erasures.
    package static func restore(
        _ request: RestoreRequest,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) async throws(JournalError) -> (report: RestoreReport, position: UInt64) {
        do {
            let masterKey = try MasterKey(file: request.masterKeyFile)
            var options = RestoreOptions(event: UUID.timeOrdered(at: request.log.now()))
            options.log = request.log
            options.masterKeyFile = request.masterKeyFile
            options.verifier = request.verifier
            for receipt in try receipts(of: request) {
                options.erased.insert(receipt.erased)
                if let entry = receipt.entry {
                    // The kind matters only to an event, and the backup's log names it if it has the entry.
                    options.erasedEntries.insert(ErasedEntry(record: receipt.record, entry: entry, kind: 0))
                }
            }
            if let current = request.current {
                let id = try Backup.description(of: request.backup).id
                options.erased.formUnion(try ErasedSubjects.known(to: current, of: id, options: request.log))
                options.erasedEntries.formUnion(ErasedSubjects.knownEntries(to: current, options: request.log))
            }
            var position: UInt64 = 0
            var later: LaterCheckpoint?
            var report = try await Backup.restore(
                from: request.backup,
                to: request.folder,
                masterKey: masterKey,
                options: options,
                progress: progress
            ) { log, report in
                position = try await appendRestoreEvents(log, of: report, request, options.event)
                later = try laterCheckpoint(than: report.head, of: log, request)
            }
            report.later = later
            if request.copiesMasterKey {
                let own = MasterKeyFile.own(
                    of: report.journal,
                    restored: options.event,
                    besideKey: request.masterKeyFile
                )
                // If it cannot be written, the journal is opened with the file that was named.
                if (try? masterKey.write(to: own, replacing: request.masterKeyFile)) != nil {
                    report.masterKeyFile = own
                }
            }
            return (report, position)
        } catch {
            throw JournalError(error)
        }
    }

    /// Parses the receipts.
    ///
    /// They are verified with the journal's key, which the restore in turn checks against the master key.
    private static func receipts(of request: RestoreRequest) throws -> [ErasureReceipt] {
        guard !request.receipts.isEmpty else { return [] }
        let verifier = try Backup.verifier(of: request.backup)
        return try request.receipts.map { name, bytes in
            do {
                return try ErasureReceipt(parsing: bytes, verifiedBy: [verifier])
            } catch let error as ProofError {
                throw JournalError(.invalid, field: "receipt", "\(name): \(error)")
            }
        }
    }

    /// Returns a checkpoint which shows that the journal continued after the backup; nil if the current journal is
    /// given.
    private static func laterCheckpoint(
        than head: UInt64,
        of log: EventLog,
        _ request: RestoreRequest
    ) throws -> LaterCheckpoint? {
        guard request.current == nil else { return nil }
        let stream = try log.opaqueID(of: "backups", subject: log.description.id)
        let restores = try log.recordedEvents(of: stream)
            .compactMap { recorded -> UUID? in
                guard recorded.stamp.position <= head, recorded.type == JournalRestored.type else { return nil }
                return try log.event(at: recorded.stamp.position).header.id
            }
        return MasterKeyFile.checkpoint(
            // The event after the head is the one that records the end of the backup itself.
            beyond: head + 1,
            of: log,
            restores: Set(restores),
            besideKey: request.masterKeyFile
        )
    }

    /// Appends to a restored log the restore, and each erasure that the log does not contain yet.
    private static func appendRestoreEvents(
        _ log: EventLog,
        of report: RestoreReport,
        _ request: RestoreRequest,
        _ event: UUID
    ) async throws -> UInt64 {
        // Only the events of the restore are appended, in which no capability takes part.
        let journal = try Journal(log: log, mapSize: request.log.mapSize, capabilities: [])
        defer { journal.views.close() }
        let caller = try journal.accounts.caller(
            request.account,
            source: request.source,
            reason: request.reason,
            purpose: request.reason
        )
        try await journal.access.admit(caller, to: .administer(.manage))
        var change = try Change(journal, caller)
        try change.add(
            .restoring(head: report.head, from: request.backup),
            id: event,
            in: .stream(journal.backupStream(), of: log.description.id)
        )
        for record in report.erasedUnrecorded.sorted(by: { $0.uuidString < $1.uuidString }) {
            try change.add(.recordErased, in: .entry(record, of: log.description.id))
        }
        for erased in report.entriesErasedUnrecorded where !report.erased.contains(erased.record) {
            try change.add(.entryErased, in: .entry(erased.entry, of: erased.record, Kind.coded(erased.kind)))
        }
        return try await change.commit()?.last ?? 0
    }
}
