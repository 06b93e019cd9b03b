package import LMDB

/// Reads of a table whose keys end in a position.
///
/// Finding the newest row of a prefix costs one seek, whatever the position.
package enum TemporalIndex {
    /// Calls `body` with the newest row of the prefix at or before `position`; returns nil if there is none.
    package static func newest<Result>(
        _ prefix: Key,
        asOf position: UInt64,
        in table: Table,
        _ transaction: borrowing ReadTransaction,
        _ body: (_ position: UInt64, _ value: RawSpan) throws -> Result
    ) throws -> Result? {
        let cursor = try transaction.cursor(in: table)
        guard let row = try cursor.seekBack(prefix.appending(position)), row.key.starts(with: prefix),
            row.key.byteCount == prefix.count + 8
        else { return nil }
        return try body(row.key.bigEndian(at: prefix.count), row.value)
    }

    /// Calls `body` with each row of the prefix after `start` and up to `position`, in ascending order.
    ///
    /// Stops when `body` returns false.
    package static func forEach(
        _ prefix: Key,
        after start: UInt64 = 0,
        through position: UInt64,
        in table: Table,
        _ transaction: borrowing ReadTransaction,
        _ body: (_ position: UInt64, _ value: RawSpan) throws -> Bool
    ) throws {
        guard start < position else { return }
        let cursor = try transaction.cursor(in: table)
        var row = try cursor.seek(prefix.appending(start + 1))
        while let found = row, found.key.byteCount == prefix.count + 8, found.key.starts(with: prefix) {
            let at: UInt64 = found.key.bigEndian(at: prefix.count)
            guard at <= position, try body(at, found.value) else { return }
            row = try cursor.next()
        }
    }

    /// Calls `body` with the rows of some groups of the prefix after `start`, in ascending order within each group.
    ///
    /// The two bytes after the prefix are the group. The groups must ascend. If `body` returns false, the rest of the
    /// group is skipped. A group without rows costs a comparison, not a seek.
    package static func forEach(
        _ prefix: Key,
        groups: some Sequence<UInt16>,
        after start: UInt64 = 0,
        in table: Table,
        _ transaction: borrowing ReadTransaction,
        _ body: (_ group: UInt16, _ position: UInt64, _ value: RawSpan) throws -> Bool
    ) throws {
        guard start < .max else { return }
        let length = prefix.count + 10
        let cursor = try transaction.cursor(in: table)
        // The group of the row at the cursor.
        var current: UInt16?
        for group in groups {
            if let current, current > group { continue }
            var row = try cursor.seek(prefix.appending(group).appending(start + 1))
            var isWanted = true
            while isWanted {
                guard let found = row, found.key.byteCount == length, found.key.starts(with: prefix) else { return }
                let at: UInt16 = found.key.bigEndian(at: prefix.count)
                current = at
                guard at == group else { break }
                isWanted = try body(at, found.key.bigEndian(at: prefix.count + 2), found.value)
                if isWanted { row = try cursor.next() }
            }
        }
    }

    /// Calls `body` with each row of the prefix from `position` down, in descending order, until `body` returns false.
    package static func forEachBack(
        _ prefix: Key,
        through position: UInt64,
        in table: Table,
        _ transaction: borrowing ReadTransaction,
        _ body: (_ position: UInt64, _ value: RawSpan) throws -> Bool
    ) throws {
        let cursor = try transaction.cursor(in: table)
        var row = try cursor.seekBack(prefix.appending(position))
        while let found = row, found.key.byteCount == prefix.count + 8, found.key.starts(with: prefix) {
            guard try body(found.key.bigEndian(at: prefix.count), found.value) else { return }
            row = try cursor.previous()
        }
    }
}
