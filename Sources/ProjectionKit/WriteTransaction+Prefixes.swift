package import LMDB

extension WriteTransaction {
    /// Rows that are looked at before they are removed.
    private static var batch: Int { 1_000 }

    /// Removes all rows whose key begins with `prefix`; `body` sees each of them first.
    package func deleteAll(
        startingWith prefix: Key,
        in table: Table,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void = { _, _ in }
    ) throws {
        var isDone = false
        while !isDone {
            // Gathered first: what a cursor has found does not outlive a change of its table.
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
