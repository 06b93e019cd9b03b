internal import EventLog
internal import LMDB

/// What became of an opening of the emergency view, as the positions of events; 0 for none.
struct EmergencyRow: Hashable, Sendable {
    /// The event that acknowledged it.
    var acknowledged: UInt64 = 0
    /// The event that ended it before it expired.
    var ended: UInt64 = 0

    init() {}

    init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 16 else { return nil }
        (acknowledged, ended) = (bytes.integer(at: 0), bytes.integer(at: 8))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for position in [acknowledged, ended] { bytes.append(littleEndian: position) }
        return bytes
    }
}
