/// A checkpoint whose signature this process made or verified.
package struct SignedCheckpoint: Hashable, Sendable {
    package let checkpoint: Checkpoint
    /// The whole signed note, including any other signatures it contains.
    package let text: String

    package init(_ checkpoint: Checkpoint, signedBy signer: NoteSigner) throws(ProofError) {
        self.checkpoint = checkpoint
        text = try signer.note(checkpoint.text)
    }

    /// A checkpoint whose signatures were verified.
    init(_ checkpoint: Checkpoint, _ signatures: [NoteSignature]) {
        self.checkpoint = checkpoint
        text = "\(checkpoint.text)\n" + signatures.map(\.text).joined()
    }

    /// Parses a signed note, and throws unless a known key whose name is the checkpoint's origin has signed it.
    package init(
        parsing bytes: ArraySlice<UInt8>,
        verifiedBy known: [NoteVerifier],
        firstLine: Int = 1
    ) throws(ProofError) {
        let note = try SignedNote(parsing: bytes, firstLine: firstLine)
        let checkpoint = try Checkpoint(parsing: note.text[...], firstLine: firstLine)
        let signers = try note.signers(among: known)
        guard signers.contains(where: { $0.name.utf8.elementsEqual(checkpoint.origin.utf8) }) else {
            throw ProofError(
                .unknownKey,
                "the checkpoint is of the log \(checkpoint.origin), but that log has not signed it",
                line: firstLine
            )
        }
        self.checkpoint = checkpoint
        text = String(decoding: bytes, as: UTF8.self)
    }

    package init(parsing text: String, verifiedBy known: [NoteVerifier]) throws(ProofError) {
        try self.init(parsing: Array(text.utf8)[...], verifiedBy: known)
    }
}
