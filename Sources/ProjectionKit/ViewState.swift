internal import EventLog
internal import LMDB

/// The state of a view: a row of the catalog, committed together with the view's own rows.
struct ViewState: Hashable {
    /// The set of tables that queries read; a rebuild creates the next set beside it.
    var generation: UInt64
    var version: UInt64
    /// The position of the last event that was processed.
    var checkpoint: UInt64 = 0
    /// The first eight bytes of that event's leaf hash.
    ///
    /// If the log has another hash at the checkpoint, the view belongs to another log.
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
