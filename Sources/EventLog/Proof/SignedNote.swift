/// A text with its signatures (https://c2sp.org/signed-note).
package struct SignedNote: Hashable, Sendable {
    package static let maximumBytes = 1 << 20
    /// The maximum number of signatures: checkpoints may be cosigned, and a verifier must accept at least sixteen.
    package static let maximumSignatures = 64

    /// The signed text, including its last newline.
    package let text: [UInt8]
    package let signatures: [NoteSignature]
    /// The number of the note's first line, used in errors.
    let firstLine: Int

    static let dash = "\u{2014} "

    package init(parsing bytes: ArraySlice<UInt8>, firstLine: Int = 1) throws(ProofError) {
        let all = try ProofLines(bytes, atMost: SignedNote.maximumBytes, first: firstLine)
        // The text may contain blank lines: the last blank line separates it from the signatures.
        guard let blank = all.lines.lastIndex(where: \.isEmpty), blank > 0 else {
            throw ProofError(.malformed, "no blank line separates the text from its signatures", line: all.number(0))
        }
        let count = all.lines.count - blank - 1
        guard count > 0 else {
            throw ProofError(.malformed, "the note is not signed", line: all.number(blank))
        }
        guard count <= SignedNote.maximumSignatures else {
            throw ProofError(
                .malformed,
                "the note has more than \(SignedNote.maximumSignatures) signatures",
                line: all.number(blank + 1)
            )
        }
        var signatures: [NoteSignature] = []
        for index in (blank + 1)..<all.lines.count {
            signatures.append(try NoteSignature(parsing: all.lines[index], line: all.number(index)))
        }
        self.firstLine = firstLine
        self.signatures = signatures
        text = Array(bytes[..<all.lines[blank].startIndex])
    }

    /// Verifies each signature that names a known key, and returns the keys that have signed.
    ///
    /// Signatures of unknown keys are ignored. Throws if a signature is invalid, or if no known key has signed.
    package func signers(among known: [NoteVerifier]) throws(ProofError) -> [NoteVerifier] {
        var signers: [NoteVerifier] = []
        for signature in signatures {
            for verifier in known where verifier.isNamed(by: signature) {
                guard verifier.hasSigned(text, signature.bytes) else {
                    throw ProofError(
                        .badSignature,
                        "the signature is not from the key \(verifier.name): the signed text was changed or is forged",
                        line: signature.line
                    )
                }
                signers.append(verifier)
            }
        }
        guard !signers.isEmpty else {
            let names = known.map(\.name).joined(separator: ", ")
            throw ProofError(.unknownKey, "it is not signed by the key \(names)", line: signatures.first?.line)
        }
        return signers
    }
}

/// A signature line of a note: the name and id of the key, and the signature.
package struct NoteSignature: Hashable, Sendable {
    package let name: String
    package let keyID: UInt32
    package let bytes: [UInt8]
    let line: Int

    /// The line of the signature, with its newline.
    var text: String { "\(SignedNote.dash)\(name) \(Base64.text(keyID.bigEndianBytes + bytes))\n" }

    init(parsing text: ArraySlice<UInt8>, line: Int) throws(ProofError) {
        let dash = Array(SignedNote.dash.utf8)
        let rest = text.dropFirst(dash.count)
        guard text.starts(with: dash), let space = rest.firstIndex(of: UInt8(ascii: " ")) else {
            throw ProofError(.malformed, "a signature has the form: \(SignedNote.dash)NAME SIGNATURE", line: line)
        }
        let name = String(decoding: rest[..<space], as: UTF8.self)
        guard NoteName.isValid(name) else {
            throw ProofError(
                .malformed,
                "the name of a key must not be empty or contain a space or a plus sign",
                line: line
            )
        }
        guard let signature = Base64.bytes(rest[(space + 1)...]), signature.count > 4 else {
            throw ProofError(.malformed, "the signature is not base64 of a key id and a signature", line: line)
        }
        self.name = name
        keyID = signature.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        bytes = Array(signature.dropFirst(4))
        self.line = line
    }
}
