internal import LMDB

/// The events of a log as they were at one moment, for who looks up many that are not next to each other.
///
/// Alive inside one closure.
package struct LogSnapshot: ~Copyable, ~Escapable {
    private let cursor: Cursor

    @_lifetime(copy cursor)
    init(_ cursor: consuming Cursor) {
        self.cursor = cursor
    }

    /// The frame at a position, where it lies.
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
    /// Runs `body` on the events as they are now.
    package func withSnapshot<Result>(_ body: (borrowing LogSnapshot) throws -> Result) throws -> Result {
        try environment.read { transaction in try body(LogSnapshot(transaction.cursor(in: tables.events))) }
    }
}
