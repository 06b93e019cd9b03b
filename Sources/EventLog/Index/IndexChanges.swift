internal import FoundationEssentials

/// The changes that one commit makes to the index.
struct IndexChanges: Sendable {
    /// The log's head before and after the commit.
    let after: UInt64
    let through: UInt64
    /// The change of each stream that got new events.
    let heads: [UUID: HeadChange]
    /// The positions of the new events that have an idempotency key, by event id.
    let keyed: [UUID: UInt64]

    /// The number of ids that are new to the index.
    var newCount: Int { heads.values.count { $0.before == 0 } + keyed.count }

    func write(to table: PositionTable) throws(PositionTable.Damaged) {
        for (stream, change) in heads {
            try table.move(stream, in: .streamHead, from: change.before, to: change.head.position)
        }
        for (id, position) in keyed { try table.move(id, in: .eventID, from: 0, to: position) }
    }
}

/// The position of a stream's newest event before a commit, and the stream's head after it.
struct HeadChange: Sendable {
    let before: UInt64
    var head: StreamHead
}
