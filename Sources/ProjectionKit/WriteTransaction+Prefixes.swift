package import LMDB

extension WriteTransaction {
    /// The number of rows that are collected before they are deleted.
    private static var batch: Int { 1_000 }

    /// Deletes all rows whose key begins with `prefix`; calls `body` with each row first.
    package func deleteAll(
        startingWith prefix: Key,
        in table: Table,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void = { _, _ in }
    ) throws {
        var isDone = false
        while !isDone {
            // The keys are collected first, because a cursor's row is not valid after its table changes.
            var keys: [Key] = []
            do {
                let cursor = try reading.cursor(in: table)
                var row = try cursor.seek(prefix)
                while let found = row, found.key.starts(with: prefix), keys.count < WriteTransaction.batch {
                    try body(found.key, found.value)
                    var key = Key()
                    for index in 0..<found.key.byteCount { key.append(found.key.integer(at: index, as: UInt8.self)) }
                    keys.append(key)
                    row = try cursor.next()
                }
            }
            for key in keys { try delete(key, in: table) }
            isDone = keys.count < WriteTransaction.batch
        }
    }
}
