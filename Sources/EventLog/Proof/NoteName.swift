internal import Crypto

/// The rules for the name of a key that signs notes, and for the id of that key.
enum NoteName {
    /// The type of signature that this journal makes and checks: Ed25519.
    static let ed25519: UInt8 = 0x01

    /// Reports whether a name is not empty and contains no white space, no plus and no control character below 0x20.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { $0 != "+" && $0.value >= 0x20 && !$0.properties.isWhitespace }
    }

    /// Returns the first four bytes of SHA-256(name ‖ newline ‖ type ‖ public key).
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
