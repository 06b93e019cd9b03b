internal import Crypto
package import FoundationEssentials

extension KeyStore {
    /// The subject under which the seed of the checkpoint signing key is stored; no stream and no event has this id.
    ///
    /// As one of the data keys, the seed is sealed, rotated and backed up with them.
    package static let checkpointSigner = UUID(
        uuid: (0x63, 0x68, 0x65, 0x63, 0x6B, 0x70, 0x80, 0x69, 0x80, 0x6E, 0x74, 0x2D, 0x6B, 0x65, 0x79, 0x31)
    )

    /// Returns the key that signs the checkpoints of a journal; throws if it was not created yet.
    func signer(of journal: UUID) throws(EventLogError) -> NoteSigner {
        let seed = unsafe try key(for: KeyStore.checkpointSigner).withUnsafeBytes { unsafe [UInt8]($0) }
        do throws(ProofError) {
            return try NoteSigner(name: Checkpoint.origin(of: journal), seed: seed)
        } catch {
            throw EventLogError(.damaged, "the key that signs checkpoints is damaged: \(error)")
        }
    }
}
