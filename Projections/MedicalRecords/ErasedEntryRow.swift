package import FoundationEssentials
internal import EventLog
internal import LMDB
internal import ProjectionKit

/// What remains of an erased entry: its record, its kind, and the position of the event that erased it.
package struct ErasedEntryRow: Hashable, Sendable {
    package let record: UUID
    package let kind: UInt16
    package let position: UInt64

    init(record: UUID, kind: UInt16, position: UInt64) {
        (self.record, self.kind, self.position) = (record, kind, position)
    }

    init(_ bytes: RawSpan) throws {
        guard bytes.byteCount == 32 else { throw EventLogError.damagedRow }
        record = bytes.uuid(at: 0)
        kind = bytes.integer(at: 16)
        position = bytes.integer(at: 24)
    }

    /// The row of the view: 32 bytes, integers little-endian.
    var bytes: Key {
        var row = Key(record)
        row.append(littleEndian: UInt64(kind))
        row.append(littleEndian: position)
        return row
    }
}
