internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import LMDB

/// The positions of the events that define an entry, as of one of its events.
package struct EntryVersion: Hashable, Sendable {
    package var record: UUID
    package var kind: UInt16
    /// The position of the event that retracted the entry; nil if it is not retracted.
    package var retracted: UInt64?
    /// The position of the event that added the entry.
    package var added: UInt64
    /// The position of the event that holds the content.
    package var content: UInt64
    /// The day on which it occurred, in days since 1970; nil if it has no date.
    package var occurredDay: Int32?

    package var isRetracted: Bool { retracted != nil }

    init(adding frame: Frame) {
        record = frame.subject
        kind = frame.kind
        added = frame.position
        content = frame.position
        occurredDay = frame.occurred?.daysSince1970
    }

    /// Returns the version that results from a later event.
    func after(_ effect: EntryEffect, _ frame: Frame) -> EntryVersion {
        var version = self
        switch effect {
        case .replaces:
            version.content = frame.position
            version.occurredDay = frame.occurred?.daysSince1970
        case .retracts:
            version.retracted = frame.position
        case .restores:
            version.retracted = nil
        case .adds, .annotates, .erases:
            break
        }
        return version
    }

    init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 48 else { return nil }
        record = bytes.uuid(at: 0)
        kind = bytes.integer(at: 16)
        let hasDay = bytes.integer(at: 19, as: UInt8.self) != 0
        occurredDay = hasDay ? bytes.integer(at: 20) : nil
        added = bytes.integer(at: 24)
        content = bytes.integer(at: 32)
        let retraction = bytes.integer(at: 40, as: UInt64.self)
        retracted = retraction > 0 ? retraction : nil
        guard added > 0, content > 0 else { return nil }
    }

    /// The row of the view: 48 bytes, integers little-endian.
    var row: Key {
        var row = Key(record)
        let day = UInt64(UInt32(bitPattern: occurredDay ?? 0))
        let flags: UInt64 = occurredDay == nil ? 0 : 1 << 8
        row.append(littleEndian: UInt64(kind) | flags << 16 | day << 32)
        row.append(littleEndian: added)
        row.append(littleEndian: content)
        row.append(littleEndian: retracted ?? 0)
        return row
    }
}
