/// A witness's statement that a checkpoint is of the largest consistent tree of its log that it saw until a time.
struct Cosignature {
    /// In seconds since 1970.
    let time: UInt64
    let signature: [UInt8]

    /// Divides the bytes of a signature; nil if they are not a time and an Ed25519 signature.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 72 else { return nil }
        time = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard time <= UInt64(Int64.max) else { return nil }
        signature = Array(bytes.dropFirst(8))
    }

    /// The bytes that a witness signs.
    static func message(_ text: [UInt8], _ time: UInt64) -> [UInt8] {
        Array("cosignature/v1\ntime \(time)\n".utf8) + text
    }
}
