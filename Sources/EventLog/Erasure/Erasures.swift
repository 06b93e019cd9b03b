internal import FoundationEssentials
internal import LMDB

/// Finishing what an erasure has begun: for good if the log says so, else as if it had never been.
///
/// A key is shut off inside the write transaction that appends the event, and destroyed after its commit. Whoever holds the
/// log's write lock and finds one that is shut off has found an erasure that was cut off, or one whose event is there.
struct Erasures: Sendable {
    let environment: Environment
    let tables: LogTables
    let keys: KeyStore
    let blobs: BlobStore

    /// Destroys what is left of subjects whose events are in the log.
    func finish(_ subjects: Set<UUID>) throws(EventLogError) {
        var failed: EventLogError?
        for subject in subjects {
            do throws(EventLogError) {
                try blobs.remove(of: subject)
            } catch {
                failed = error
            }
        }
        // Attachments that cannot be removed are no reason to keep the key that opens them.
        try keys.destroy(subjects)
        if let failed { throw failed }
    }

    /// Settles what earlier erasures left undone, if there is any.
    func settle() throws(EventLogError) {
        guard keys.hasMasterKey else { return }
        let unsettled = try keys.unsettled()
        try finish(unsettled.remains)
        guard !unsettled.condemned.isEmpty else { return }
        do {
            // Taken back when done: it only holds the log's lock.
            try environment.write { transaction in
                try settle(transaction.reading)
                throw Done()
            }
        } catch is Done {
            return
        } catch {
            throw EventLogError(error, "an interrupted erasure could not be settled")
        }
    }

    private struct Done: Error {}

    private func settle(_ transaction: borrowing ReadTransaction) throws {
        let head = try tables.head(transaction)
        var final: Set<UUID> = []
        for condemned in try keys.unsettled().condemned {
            if try tables.saysErased(condemned.subject, after: condemned.since, through: head, transaction) {
                final.insert(condemned.subject)
            } else {
                try keys.restore(condemned.subject)
            }
        }
        try finish(final)
    }
}

extension LogTables {
    /// Whether an event between two positions says that a subject was erased.
    func saysErased(
        _ subject: UUID,
        after start: UInt64,
        through end: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        var isErased = false
        try frames(after: min(start, end), through: end, transaction) { frame in
            isErased = frame.type == EventLog.erasedType && frame.entry == subject
            return !isErased
        }
        return isErased
    }
}
