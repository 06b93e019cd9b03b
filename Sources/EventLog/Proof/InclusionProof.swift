/// That an event is in the log, as a text that stands by itself (https://c2sp.org/tlog-proof).
package struct InclusionProof: Hashable, Sendable {
    package static let header = "c2sp.org/tlog-proof@v1"
    /// Bytes of the whole text.
    package static let maximumBytes = 2 << 20

    /// The event's index, from 0: its position less 1.
    package let index: UInt64
    /// The hash of the event's frame, which a journal's proof tells in the line `extra`.
    ///
    /// Nobody has signed that line; the proof holds for no other hash, so that it need not be trusted.
    package let extra: [UInt8]?
    package let path: [MerkleHash]
    /// The signed note at the end, not checked yet.
    private let note: [UInt8]

    package init(index: UInt64, leaf: MerkleHash, path: [MerkleHash], checkpoint: SignedCheckpoint) {
        self.index = index
        self.extra = leaf.bytes
        self.path = path
        note = Array(checkpoint.text.utf8)
    }

    /// The hash that the proof tells, if it is one.
    package var leaf: MerkleHash? { extra.flatMap { MerkleHash($0) } }

    /// Header, extra, index, hashes and a blank line stand before it.
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
            throw ProofError(.malformed, "here stands `index` and a decimal number", line: parts.number)
        }
        self.index = index
        parts.skip()
        path = try parts.hashes()
        note = Array(parts.note)
    }

    /// The checkpoint, if it is signed by a known key; nothing else is checked.
    package func checkpoint(verifiedBy known: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        try SignedCheckpoint(parsing: note[...], verifiedBy: known, firstLine: noteLine)
    }

    /// Throws unless the checkpoint is signed by a known key, and proves that this leaf stands where the proof says.
    package func check(_ leaf: MerkleHash, verifiedBy known: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        let signed = try checkpoint(verifiedBy: known)
        if let extra, extra != leaf.bytes {
            throw ProofError(.mismatch, "the entry is another than that which the proof names")
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
