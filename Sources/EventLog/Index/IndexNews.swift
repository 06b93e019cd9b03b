internal import FoundationEssentials

/// What one commit changed of what the index knows.
struct IndexNews: Sendable {
    /// The log's head before and after the commit.
    let after: UInt64
    let through: UInt64
    /// Each stream that was added to.
    let heads: [UUID: HeadChange]
    /// Where the events with an idempotency key stand.
    let keyed: [UUID: UInt64]

    /// How many ids the index does not have yet.
    var newCount: Int { heads.values.count { $0.before == 0 } + keyed.count }

    func write(to table: PositionTable) throws(PositionTable.Damaged) {
        for (stream, change) in heads {
            try table.move(stream, in: .streamHead, from: change.before, to: change.head.position)
        }
        for (id, position) in keyed { try table.move(id, in: .eventID, from: 0, to: position) }
    }
}

/// Where a stream ended before a commit, by its newest event's position, and how it ends now.
struct HeadChange: Sendable {
    let before: UInt64
    var head: StreamHead
}
