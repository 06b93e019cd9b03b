internal import EventLog
internal import LMDB

/// The access of an account to a record as of one event, as the positions of the defining events; 0 for none.
struct PermissionRow: Hashable, Sendable {
    /// The event that made the account an owner.
    var owner: UInt64 = 0
    /// The event that set the terms of its grant.
    var terms: UInt64 = 0
    /// The event that revoked that grant.
    var revoked: UInt64 = 0
    /// The last event that opened the emergency view for the account.
    var emergency: UInt64 = 0

    init() {}

    init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 32 else { return nil }
        owner = bytes.integer(at: 0)
        terms = bytes.integer(at: 8)
        revoked = bytes.integer(at: 16)
        emergency = bytes.integer(at: 24)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for position in [owner, terms, revoked, emergency] { bytes.append(littleEndian: position) }
        return bytes
    }
}
