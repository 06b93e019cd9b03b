internal import FoundationEssentials

/// What one commit changed of what the index knows.
struct IndexNews: Sendable {
    /// The log's head before and after the commit.
    let after: UInt64
    let through: UInt64
    /// Each stream's newest event before and after the commit.
    let heads: [UUID: (before: UInt64, after: UInt64)]
    /// Where the events with an idempotency key stand.
    let keyed: [UUID: UInt64]

    /// How many ids the index does not have yet.
    var newCount: Int { heads.values.count { $0.before == 0 } + keyed.count }

    func write(to table: PositionTable) throws(PositionTable.Damaged) {
        for (stream, positions) in heads {
            try table.move(stream, in: .streamHead, from: positions.before, to: positions.after)
        }
        for (id, position) in keyed { try table.move(id, in: .eventID, from: 0, to: position) }
    }
}
