internal import Crypto
internal import FoundationEssentials

/// A public key that verifies the signatures of notes (https://c2sp.org/signed-note).
package struct NoteVerifier: Hashable, Sendable {
    package let algorithm: NoteAlgorithm
    package let name: String
    /// The key as 32 bytes, encoded as in RFC 8032.
    package let publicKey: [UInt8]
    package let keyID: UInt32

    init(name: String, publicKey: [UInt8], _ algorithm: NoteAlgorithm = .ed25519) {
        self.algorithm = algorithm
        self.name = name
        self.publicKey = publicKey
        keyID = NoteName.keyID(of: name, publicKey: publicKey, algorithm)
    }

    /// Parses `<name>+<key id, 8 hexadecimal digits>+<base64 of the algorithm and the key>`, which a newline may follow.
    package init(
        parsing text: some Collection<UInt8>,
        as algorithm: NoteAlgorithm = .ed25519
    ) throws(ProofError) {
        guard text.count <= NoteVerifier.maximumBytes else {
            throw ProofError(.malformed, "the verifier key is longer than \(NoteVerifier.maximumBytes) bytes")
        }
        var bytes = Array(text)
        if bytes.last == ProofLines.newline { bytes.removeLast() }
        let parts = bytes.split(separator: UInt8(ascii: "+"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = String(validating: parts[0], as: UTF8.self), NoteName.isValid(name) else {
            throw ProofError(.malformed, "a verifier key has the form NAME+ID+KEY; this text does not")
        }
        guard let key = Base64.bytes(parts[2]), key.count == 33, key[0] == algorithm.rawValue else {
            let noun = algorithm == .ed25519 ? "an Ed25519 key of a log" : "an Ed25519 key of a witness (type 4)"
            throw ProofError(.malformed, "the verifier key is not \(noun)")
        }
        self.init(name: name, publicKey: Array(key.dropFirst()), algorithm)
        guard Array(idText.utf8) == Array(parts[1]) else {
            throw ProofError(.malformed, "the verifier key's id does not belong to its name and key; copy it again")
        }
    }

    package init(parsing text: String, as algorithm: NoteAlgorithm = .ed25519) throws(ProofError) {
        try self.init(parsing: Array(text.utf8), as: algorithm)
    }

    /// The encoded verifier key, in the form that `init(parsing:)` reads.
    package var text: String {
        "\(name)+\(idText)+\(Base64.text([algorithm.rawValue] + publicKey))"
    }

    /// Reports whether a signature of a note's text is valid under this key.
    func hasSigned(_ text: [UInt8], _ signature: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        switch algorithm {
        case .ed25519: return key.isValidSignature(signature, for: text)
        case .cosignature:
            guard let cosignature = Cosignature(signature) else { return false }
            return key.isValidSignature(cosignature.signature, for: Cosignature.message(text, cosignature.time))
        }
    }

    /// Reports whether a signature names this key.
    ///
    /// Names are compared as bytes: different Unicode encodings of a character make different names.
    func isNamed(by signature: NoteSignature) -> Bool {
        signature.keyID == keyID && signature.name.utf8.elementsEqual(name.utf8)
    }

    private var idText: String {
        let digits = String(keyID, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    package static let maximumBytes = 4_096
}
