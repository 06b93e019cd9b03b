/// A proof that the log has only grown since an earlier checkpoint.
///
/// C2SP defines no format for this, so the format follows tlog-proof:
///
///     healthjournal/consistency-proof@v1
///     old <size> <root, base64>
///     <hash, base64>            (as many lines as the proof has hashes, as RFC 6962, section 2.1.2, orders them)
///
///     <the later checkpoint, a signed note>
///
/// The earlier size and root need no signature here: the hashes lead from them to the signed root, and to no other.
/// A client that has an earlier checkpoint compares its size and root with them.
package struct ConsistencyProof: Hashable, Sendable {
    package static let header = "healthjournal/consistency-proof@v1"
    package static let maximumBytes = InclusionProof.maximumBytes

    package let oldSize: UInt64
    package let oldRoot: MerkleHash
    package let path: [MerkleHash]
    /// The signed note at the end, which is not verified yet.
    private let note: [UInt8]

    package init(from old: Checkpoint, path: [MerkleHash], to checkpoint: SignedCheckpoint) {
        oldSize = old.size
        oldRoot = old.root
        self.path = path
        note = Array(checkpoint.text.utf8)
    }

    /// The line at which the note begins, after the header, the earlier tree, the hashes and a blank line.
    private var noteLine: Int { 4 + path.count }

    package var text: String {
        let lines = [ConsistencyProof.header, "old \(oldSize) \(oldRoot.base64)"] + path.map(\.base64)
        return lines.joined(separator: "\n") + "\n\n" + String(decoding: note, as: UTF8.self)
    }

    package init(parsing bytes: [UInt8]) throws(ProofError) {
        var parts = try ProofParts(bytes, atMost: ConsistencyProof.maximumBytes, header: ConsistencyProof.header)
        let words =
            parts.peek?.after("old")?.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) ?? []
        guard words.count == 2, let size = UInt64(canonical: words[0]), let root = MerkleHash(base64: words[1]) else {
            throw ProofError(.malformed, "expected `old`, the earlier size and the earlier root", line: parts.number)
        }
        (oldSize, oldRoot) = (size, root)
        parts.skip()
        path = try parts.hashes()
        note = Array(parts.note)
    }

    /// Returns the later checkpoint, or throws if no known key has signed it; nothing else is checked.
    package func checkpoint(verifiedBy known: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        try SignedCheckpoint(parsing: note[...], verifiedBy: known, firstLine: noteLine)
    }

    /// Verifies that the log of the later checkpoint begins with that of an earlier one, which the caller kept, or throws.
    ///
    /// The signature is not checked: the caller trusts the connection over which it got both.
    package func check(extends old: Checkpoint) throws(ProofError) -> Checkpoint {
        let note = try SignedNote(parsing: note[...], firstLine: noteLine)
        let new = try Checkpoint(parsing: note.text[...], firstLine: noteLine)
        guard new.origin == old.origin, oldSize == old.size, oldRoot == old.root else {
            throw ProofError(.mismatch, "the proof is not of the log that was seen earlier")
        }
        try MerkleProof.checkConsistency(from: oldSize, root: oldRoot, to: new.size, newRoot: new.root, path: path)
        return new
    }

    /// Verifies that a known key has signed the later checkpoint and that its log begins with the earlier tree, or
    /// throws.
    package func check(verifiedBy known: [NoteVerifier]) throws(ProofError) -> SignedCheckpoint {
        let signed = try checkpoint(verifiedBy: known)
        try MerkleProof.checkConsistency(
            from: oldSize,
            root: oldRoot,
            to: signed.checkpoint.size,
            newRoot: signed.checkpoint.root,
            path: path
        )
        return signed
    }
}
