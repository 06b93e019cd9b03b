internal import Crypto
internal import FoundationEssentials

/// A private key that signs notes (https://c2sp.org/signed-note, Ed25519).
package struct NoteSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    package let verifier: NoteVerifier

    /// Creates a signer from `seed`, the private key of RFC 8032: 32 random bytes.
    package init(name: String, seed: [UInt8]) throws(ProofError) {
        guard NoteName.isValid(name) else {
            throw ProofError(.malformed, "the name of a key must not be empty or contain a space or a plus sign")
        }
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        } catch {
            throw ProofError(.malformed, "the seed of a signing key must have 32 bytes")
        }
        verifier = NoteVerifier(name: name, publicKey: [UInt8](key.publicKey.rawRepresentation))
    }

    /// Returns the signed note: the text, a blank line and the signature.
    package func note(_ text: String) throws(ProofError) -> String {
        let signature: Data
        do {
            signature = try key.signature(for: Array(text.utf8))
        } catch {
            throw ProofError(.badSignature, "the note could not be signed")
        }
        return "\(text)\n\(SignedNote.dash)\(verifier.name) "
            + "\(Base64.text(verifier.keyID.bigEndianBytes + signature))\n"
    }
}
