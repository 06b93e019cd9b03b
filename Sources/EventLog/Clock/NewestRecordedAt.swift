internal import LMDB
internal import Synchronization

/// The recorded time of the newest event that this process knows of, available without reading the log.
package final class NewestRecordedAt: Sendable {
    private let time = Atomic<Int64>(.min)

    func note(_ microseconds: Int64) {
        time.store(microseconds, ordering: .relaxed)
    }

    var microseconds: Int64 { time.load(ordering: .relaxed) }
}

extension LogTables {
    /// Returns the recorded time of the newest event, or `Int64.min` for an empty log.
    func newestRecordedAt(in environment: Environment) throws -> Int64 {
        try environment.read { transaction in
            let head = try head(transaction)
            return head == 0 ? .min : try frame(at: head, transaction).recordedAt
        }
    }
}
