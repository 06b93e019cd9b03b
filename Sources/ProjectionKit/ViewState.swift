internal import EventLog
internal import LMDB

/// Where a view stands: a row of the catalog, committed together with the view's own rows.
struct ViewState: Hashable {
    /// Which set of tables is read; a rebuild makes the next one beside it.
    var generation: UInt64
    var version: UInt64
    /// The last event that was taken in.
    var checkpoint: UInt64 = 0
    /// The start of that event's leaf hash: a log that says otherwise is another log.
    var leaf: UInt64 = 0

    init(generation: UInt64, version: UInt64) {
        self.generation = generation
        self.version = version
    }

    init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 32 else { return nil }
        generation = bytes.integer(at: 0)
        version = bytes.integer(at: 8)
        checkpoint = bytes.integer(at: 16)
        leaf = bytes.integer(at: 24)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in [generation, version, checkpoint, leaf] { bytes.append(littleEndian: word) }
        return bytes
    }
}
