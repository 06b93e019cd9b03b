/// A self-contained text that proves that an event is in the log (https://c2sp.org/tlog-proof).
package struct InclusionProof: Hashable, Sendable {
    package static let header = "c2sp.org/tlog-proof@v1"
    /// The maximum length of the whole text in bytes.
    package static let maximumBytes = 2 << 20

    /// The event's index, from 0: its position less 1.
    package let index: UInt64
    /// The content of the line `extra`; in a journal's proof, the hash of the event's frame.
    ///
    /// The line is not signed and need not be trusted, because the proof is valid for no other hash.
    package let extra: [UInt8]?
    package let path: [MerkleHash]
    /// The signed note at the end, which is not verified yet.
    private let note: [UInt8]

    package init(index: UInt64, leaf: MerkleHash, path: [MerkleHash], checkpoint: SignedCheckpoint) {
        self.index = index
        self.extra = leaf.bytes
        self.path = path
        note = Array(checkpoint.text.utf8)
    }

    /// The content of the line `extra` as a hash, if it is one.
    package var leaf: MerkleHash? { extra.flatMap { MerkleHash($0) } }

    /// The line at which the note begins, after the header, `extra`, the index, the hashes and a blank line.
    private var noteLine: Int { 4 + (extra == nil ? 0 : 1) + path.count }

    package var text: String {
        var lines = [InclusionProof.header]
        if let extra { lines.append("extra \(Base64.text(extra))") }
        lines.append("index \(index)")
        lines += path.map(\.base64)
        return lines.joined(separator: "\n") + "\n\n" + String(decoding: note, as: UTF8.self)
    }

    package init(parsing bytes: [UInt8]) throws(ProofError) {
        var parts = try ProofParts(bytes, atMost: InclusionProof.maximumBytes, header: InclusionProof.header)
        if let text = parts.peek?.after("extra") {
            guard let extra = Base64.bytes(text) else {
                throw ProofError(.malformed, "what follows `extra` is not base64", line: parts.number)
            }
            self.extra = extra
            parts.skip()
        } else {
            extra = nil
        }
        guard let digits = parts.peek?.after("index"), let index = UInt64(canonical: digits) else {
            throw ProofError(.malformed, "expected `index` and a decimal number", line: parts.number)
        }
        self.index = index
        parts.skip()
        path = try parts.hashes()
        note = Array(parts.note)
    }

    /// Returns the checkpoint, or throws if no known key has signed it; nothing else is checked.
    package func checkpoint(verifiedBy known: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        try SignedCheckpoint(parsing: note[...], verifiedBy: known, firstLine: noteLine)
    }

    /// Verifies that a known key has signed the checkpoint and that its tree has this leaf at the proof's index, or
    /// throws.
    package func check(_ leaf: MerkleHash, verifiedBy known: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        let signed = try checkpoint(verifiedBy: known)
        if let extra, extra != leaf.bytes {
            throw ProofError(.mismatch, "the entry is not the one that the proof names")
        }
        try MerkleProof.checkInclusion(
            of: leaf,
            at: index,
            in: signed.checkpoint.size,
            root: signed.checkpoint.root,
            path: path
        )
        return signed
    }
}
