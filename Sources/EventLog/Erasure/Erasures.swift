internal import FoundationEssentials
internal import LMDB

/// Completes erasures whose events are in the log, and undoes erasures whose events are not.
///
/// A key is disabled inside the write transaction that appends the erasure event, and destroyed after the commit. So a
/// disabled key that is found under the log's write lock belongs to an interrupted erasure, or to one whose event is
/// committed.
struct Erasures: Sendable {
    let environment: Environment
    let tables: LogTables
    let keys: KeyStore
    let blobs: BlobStore

    /// Destroys the attachments and keys of subjects whose erasure events are in the log.
    func finish(_ subjects: Set<UUID>) throws(EventLogError) {
        var failed: EventLogError?
        for subject in subjects {
            do throws(EventLogError) {
                try blobs.remove(of: subject)
            } catch {
                failed = error
            }
        }
        // The key is destroyed even if the attachments cannot be removed.
        try keys.destroy(subjects)
        if let failed { throw failed }
    }

    /// Completes or undoes interrupted erasures, if there are any.
    func settle() throws(EventLogError) {
        guard keys.hasMasterKey else { return }
        let unsettled = try keys.interruptedErasures()
        try finish(unsettled.remains)
        try keys.retire(unsettled.roots)
        guard !unsettled.markedForErasure.isEmpty else { return }
        do {
            try environment.withWriteLock { transaction in try settle(transaction) }
        } catch {
            throw EventLogError(error, "an interrupted erasure could not be completed or undone")
        }
    }

    private func settle(_ transaction: borrowing ReadTransaction) throws {
        let head = try tables.head(transaction)
        var final: Set<UUID> = []
        for marked in try keys.interruptedErasures().markedForErasure {
            if try tables.recordsErasure(marked.subject, after: marked.since, through: head, transaction) {
                final.insert(marked.subject)
            } else {
                try keys.restore(marked.subject)
            }
        }
        try finish(final)
    }
}

extension LogTables {
    /// Reports whether an event after `start` and up to `end` records that a subject was erased.
    func recordsErasure(
        _ subject: UUID,
        after start: UInt64,
        through end: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        var isErased = false
        try frames(after: min(start, end), through: end, transaction) { frame in
            isErased = EventLog.erasure(by: frame) == subject
            return !isErased
        }
        return isErased
    }
}
