package import FoundationEssentials
internal import LMDB

/// The description of a journal, written once, when the journal is created.
package struct JournalDescription: Hashable, Sendable {
    package let id: UUID
    /// When the journal was created, in microseconds since 1970.
    package let createdAt: Int64
    /// The IANA name of the time zone in which a date given as `asOf` ends.
    package let zone: String

    package init(id: UUID, createdAt: Int64, zone: String) {
        self.id = id
        self.createdAt = createdAt
        self.zone = zone
    }

    private static let version: UInt16 = 1

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: JournalDescription.version)
        bytes.append(id)
        bytes.append(littleEndian: createdAt)
        bytes.append(contentsOf: zone.utf8)
        return bytes
    }

    init(_ bytes: RawSpan) throws(EventLogError) {
        guard bytes.byteCount >= 26 else { throw EventLogError(.damaged, "the journal's description is damaged") }
        guard bytes.integer(at: 0, as: UInt16.self) == JournalDescription.version else {
            throw EventLogError(
                .newerFormat,
                "this journal was created by a newer version; install that version to open it"
            )
        }
        id = bytes.uuid(at: 2)
        createdAt = bytes.integer(at: 18)
        zone = String(decoding: bytes.extracting(26...).copy, as: UTF8.self)
    }
}
