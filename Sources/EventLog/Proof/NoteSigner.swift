internal import Crypto
internal import FoundationEssentials

/// A private key that signs notes (https://c2sp.org/signed-note, Ed25519).
package struct NoteSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    package let verifier: NoteVerifier

    /// Creates a signer from `seed`, the private key of RFC 8032: 32 random bytes.
    package init(name: String, seed: [UInt8], _ algorithm: NoteAlgorithm = .ed25519) throws(ProofError) {
        guard NoteName.isValid(name) else {
            throw ProofError(.malformed, "the name of a key must not be empty or contain a space or a plus sign")
        }
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        } catch {
            throw ProofError(.malformed, "the seed of a signing key must have 32 bytes")
        }
        verifier = NoteVerifier(name: name, publicKey: [UInt8](key.publicKey.rawRepresentation), algorithm)
    }

    /// Returns the signed note: the text, a blank line and the signature.
    package func note(_ text: String) throws(ProofError) -> String {
        "\(text)\n" + (try line(signature(of: Array(text.utf8))))
    }

    /// Returns the line with the cosignature of a checkpoint at a time in seconds since 1970.
    func cosignature(of text: [UInt8], at time: UInt64) throws(ProofError) -> String {
        let stamp = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
        return try line(stamp + signature(of: Cosignature.message(text, time)))
    }

    private func signature(of bytes: [UInt8]) throws(ProofError) -> [UInt8] {
        do { return [UInt8](try key.signature(for: bytes)) } catch {
            throw ProofError(.badSignature, "the note could not be signed")
        }
    }

    private func line(_ signature: [UInt8]) -> String {
        "\(SignedNote.dash)\(verifier.name) \(Base64.text(verifier.keyID.bigEndianBytes + signature))\n"
    }
}
