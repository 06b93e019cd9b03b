package import EventLog
internal import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import ProjectionKit

/// What is restored, and where to.
package struct RestoreRequest: Sendable {
    /// The folder of the backup.
    package var backup: String
    /// The folder of the journal to be.
    package var folder: JournalFolder
    package var masterKeyFile: String
    /// The account that asks for it, by name or id.
    package var account: String
    package var reason: String
    package var source: EventSource
    /// The public key of the journal's checkpoints, if it is known from elsewhere.
    package var verifier: NoteVerifier?
    /// The journal as it is now, from which later erasures are taken.
    package var current: JournalFolder?
    /// Receipts of erasures: where each came from, and its bytes.
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

extension Journal {
    /// Restores a backup into a new folder, without the data of those who were erased since.
    ///
    /// The journal is complete, verified and told of its past when the folder has its name.
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
            options.erased = try erased(by: request)
            if let current = request.current {
                let id = try Backup.description(of: request.backup).id
                options.erased.formUnion(try ErasedSubjects.known(to: current, of: id, options: request.log))
            }
            var position: UInt64 = 0
            let report = try await Backup.restore(
                from: request.backup,
                to: request.folder,
                masterKey: masterKey,
                options: options,
                progress: progress
            ) { log, report in
                position = try await tell(log, of: report, request, options.event)
            }
            return (report, position)
        } catch {
            throw JournalError(error)
        }
    }

    /// Whose receipts there are: signed by the journal's key, which the restore in turn holds against the master key.
    private static func erased(by request: RestoreRequest) throws -> Set<UUID> {
        guard !request.receipts.isEmpty else { return [] }
        let verifier = try Backup.verifier(of: request.backup)
        return Set(
            try request.receipts.map { name, bytes in
                do {
                    return try ErasureReceipt(parsing: bytes, verifiedBy: [verifier]).record
                } catch let error as ProofError {
                    throw JournalError(.invalid, field: "receipt", "\(name): \(error)")
                }
            }
        )
    }

    /// Appends to a restored log what befell it: the restore, and each erasure that it does not know of yet.
    private static func tell(
        _ log: EventLog,
        of report: RestoreReport,
        _ request: RestoreRequest,
        _ event: UUID
    ) async throws -> UInt64 {
        let journal = try Journal(log: log, mapSize: request.log.mapSize)
        defer { journal.views.close() }
        let caller = try journal.caller(
            request.account,
            source: request.source,
            reason: request.reason,
            purpose: request.reason
        )
        try await journal.requireAdministrator(caller)
        var change = try Change(journal, caller)
        try change.add(
            .restoring(head: report.head, from: request.backup),
            id: event,
            stream: try journal.backupStream(),
            subject: log.description.id
        )
        for record in report.erasedUntold.sorted(by: { $0.uuidString < $1.uuidString }) {
            try change.add(.recordErased, stream: record, subject: log.description.id, entry: record)
        }
        return try await change.commit()?.last ?? 0
    }
}
