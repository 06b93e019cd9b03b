package import EventLog
package import LMDB
package import ProjectionKit

/// A view that shows whether each event was applied once and in order.
package struct DigestView: Projection {
    package static let name = "Digest"
    package static let version: UInt64 = 1
    package static let tables = ["digest"]

    package init() {}

    package func handles(type: UInt16) -> Bool { type == 7 }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        let before: UInt64 = try transaction.reading.get(Key(UInt64(0)), in: tables[0])?.integer(at: 0) ?? 0
        var row: [UInt8] = []
        row.append(littleEndian: DigestView.step(before, frame.position, try log.open(frame)))
        try transaction.put(Key(UInt64(0)), row.raw, in: tables[0])
        // One row per event, so that the tree has pages that can be torn.
        try transaction.put(Key(frame.position), row.raw, in: tables[0])
    }

    /// Returns the digest after one more event.
    package static func step(_ digest: UInt64, _ position: UInt64, _ payload: [UInt8]) -> UInt64 {
        payload.reduce(digest &* 31 &+ position) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

extension ViewStore {
    package func digest() throws -> UInt64 {
        try query(DigestView()) { tables, transaction in
            try transaction.get(Key(UInt64(0)), in: tables[0])?.integer(at: 0) ?? 0
        }
    }
}
