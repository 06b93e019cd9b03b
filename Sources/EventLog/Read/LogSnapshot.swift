internal import LMDB

/// The events of a log at one moment, for callers that read many events at scattered positions.
///
/// It is valid only inside the closure of `withSnapshot`.
package struct LogSnapshot: ~Copyable, ~Escapable {
    private let cursor: Cursor

    @_lifetime(copy cursor)
    init(_ cursor: consuming Cursor) {
        self.cursor = cursor
    }

    /// Returns the frame at a position, without copying it.
    @_lifetime(borrow self)
    package func frame(at position: UInt64) throws -> Frame {
        guard let row = try cursor.seek(Key(position)), row.key.byteCount == 8, row.key.bigEndian(at: 0) == position
        else {
            throw EventLogError.damaged("there is no event", at: position)
        }
        return try Frame(row.value, at: position)
    }
}

extension EventLog {
    /// Runs `body` on a snapshot of the current events.
    package func withSnapshot<Result>(_ body: (borrowing LogSnapshot) throws -> Result) throws -> Result {
        try environment.read { transaction in try body(LogSnapshot(transaction.cursor(in: tables.events))) }
    }
}
