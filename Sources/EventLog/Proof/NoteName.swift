internal import Crypto

/// The name of a key that signs notes, and the id that stands beside it.
enum NoteName {
    /// The type of signature that this journal makes and checks: Ed25519.
    static let ed25519: UInt8 = 0x01

    /// Not empty, no space of any kind, no plus, no control character.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { $0 != "+" && $0.value >= 0x20 && !$0.properties.isWhitespace }
    }

    /// The first four bytes of SHA-256(name ‖ newline ‖ type ‖ public key).
    static func keyID(of name: String, publicKey: [UInt8]) -> UInt32 {
        var hash = SHA256()
        hash.update(data: Array(name.utf8))
        hash.update(data: [ProofLines.newline, ed25519])
        hash.update(data: publicKey)
        return hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) }
    }
}
