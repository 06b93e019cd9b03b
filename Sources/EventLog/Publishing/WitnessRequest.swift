/// A checkpoint for a witness, with the proof that it extends the one that the witness saw last
/// (https://c2sp.org/tlog-witness, `add-checkpoint`).
package struct WitnessRequest: Sendable {
    package static let maximumBytes = 64 << 10
    static let maximumHashes = 63

    package let oldSize: UInt64
    package let path: [MerkleHash]
    /// A signed note, which is not verified yet.
    package let note: [UInt8]

    package init(oldSize: UInt64, path: [MerkleHash], _ signed: SignedCheckpoint) {
        (self.oldSize, self.path, note) = (oldSize, path, Array(signed.text.utf8))
    }

    package var body: [UInt8] {
        let lines = ["old \(oldSize)"] + path.map(\.base64)
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + note
    }

    package init(parsing bytes: [UInt8]) throws(ProofError) {
        let lines = try ProofLines(bytes[...], atMost: Self.maximumBytes)
        guard let first = lines.lines.first?.after("old"), let size = UInt64(canonical: first) else {
            throw ProofError(.malformed, "expected `old` and a decimal number", line: 1)
        }
        oldSize = size
        guard let blank = lines.lines.firstIndex(where: \.isEmpty) else {
            throw ProofError(.malformed, "no blank line separates the proof from the checkpoint", line: 1)
        }
        guard blank - 1 <= Self.maximumHashes else {
            throw ProofError(.malformed, "the proof has more than \(Self.maximumHashes) hashes", line: 2)
        }
        var path: [MerkleHash] = []
        for (index, line) in lines.lines[1..<blank].enumerated() {
            guard let hash = MerkleHash(base64: line) else {
                throw ProofError(.malformed, "expected a hash of 32 bytes in base64", line: index + 2)
            }
            path.append(hash)
        }
        self.path = path
        note = Array(bytes[(lines.lines[blank].endIndex + 1)...])
    }
}

extension SignedCheckpoint {
    /// Returns the checkpoint with the cosignatures of known witnesses that an answer to a ``WitnessRequest`` contains.
    ///
    /// An earlier cosignature of the same witness is replaced, and those of unknown keys are ignored. Throws if there is none
    /// of a known key, or one that is invalid.
    package func adding(_ answer: [UInt8], of witnesses: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        let note = try SignedNote(parsing: Array(text.utf8)[...])
        let added = try SignedNote(parsing: (note.text + [ProofLines.newline] + answer)[...])
        _ = try added.signers(among: witnesses)
        var signatures = note.signatures
        for signature in added.signatures {
            guard let witness = witnesses.first(where: { $0.isNamed(by: signature) }) else { continue }
            signatures.removeAll { witness.isNamed(by: $0) }
            signatures.append(signature)
        }
        return SignedCheckpoint(checkpoint, signatures)
    }
}
