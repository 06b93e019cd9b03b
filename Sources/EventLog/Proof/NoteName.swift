internal import Crypto

/// What a signature of a note states, and how.
package enum NoteAlgorithm: UInt8, Hashable, Sendable {
    /// Ed25519 over the note: the signature of a log (https://c2sp.org/signed-note).
    case ed25519 = 0x01
    /// Ed25519 over the note and a time: the cosignature of a witness (https://c2sp.org/tlog-cosignature).
    case cosignature = 0x04
}

/// The rules for the name of a key that signs notes, and for the id of that key.
enum NoteName {
    /// Reports whether a name is not empty and contains no white space, no plus and no control character below 0x20.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { $0 != "+" && $0.value >= 0x20 && !$0.properties.isWhitespace }
    }

    /// Returns the first four bytes of SHA-256(name ‖ newline ‖ type ‖ public key).
    static func keyID(of name: String, publicKey: [UInt8], _ algorithm: NoteAlgorithm) -> UInt32 {
        var hash = SHA256()
        hash.update(data: Array(name.utf8))
        hash.update(data: [ProofLines.newline, algorithm.rawValue])
        hash.update(data: publicKey)
        return hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) }
    }
}
