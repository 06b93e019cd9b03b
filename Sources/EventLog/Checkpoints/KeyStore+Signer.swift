internal import Crypto
package import FoundationEssentials

extension KeyStore {
    /// The subject under which the seed of the key that signs checkpoints is kept: no stream and no event has this id.
    ///
    /// Among the data keys it is sealed, rotated and backed up as they are.
    package static let checkpointSigner = UUID(
        uuid: (0x63, 0x68, 0x65, 0x63, 0x6B, 0x70, 0x80, 0x69, 0x80, 0x6E, 0x74, 0x2D, 0x6B, 0x65, 0x79, 0x31)
    )

    /// The key that signs the checkpoints of a journal, if it was made.
    func signer(of journal: UUID) throws(EventLogError) -> NoteSigner {
        let seed = unsafe try key(for: KeyStore.checkpointSigner).withUnsafeBytes { unsafe [UInt8]($0) }
        do throws(ProofError) {
            return try NoteSigner(name: Checkpoint.origin(of: journal), seed: seed)
        } catch {
            throw EventLogError(.damaged, "the key that signs checkpoints is damaged: \(error)")
        }
    }
}
