internal import EventLog
internal import LMDB

/// How an account stood to a record as of one event, and where the terms of its grant are.
struct PermissionRow: Hashable, Sendable {
    enum Standing: UInt8, Sendable {
        case owner = 1
        case granted = 2
        case revoked = 3
    }

    var standing: Standing
    /// The event that made the account an owner, or gave the grant its terms.
    var terms: UInt64

    init(standing: Standing, terms: UInt64) {
        self.standing = standing
        self.terms = terms
    }

    init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 9, let standing = Standing(rawValue: bytes.integer(at: 0)) else { return nil }
        self.standing = standing
        terms = bytes.integer(at: 1)
        guard terms > 0 else { return nil }
    }

    var bytes: [UInt8] {
        var bytes = [standing.rawValue]
        bytes.append(littleEndian: terms)
        return bytes
    }
}
