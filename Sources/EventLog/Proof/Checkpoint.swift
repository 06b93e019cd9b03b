package import FoundationEssentials

/// What a log claims to be: so many leaves, with this root (https://c2sp.org/tlog-checkpoint).
package struct Checkpoint: Hashable, Sendable {
    /// Which log; a journal's is `healthjournal/<journal id>`.
    package let origin: String
    /// How many events it had.
    package let size: UInt64
    package let root: MerkleHash
    /// Further lines, which mean nothing here and are signed with the rest.
    package let extensions: [String]

    package init(origin: String, size: UInt64, root: MerkleHash, extensions: [String] = []) {
        self.origin = origin
        self.size = size
        self.root = root
        self.extensions = extensions
    }

    /// The name of a journal's log, and of the key that signs its checkpoints.
    package static func origin(of journal: UUID) -> String {
        "healthjournal/\(journal.uuidString.lowercased())"
    }

    /// The text that is signed.
    package var text: String {
        ([origin, String(size), root.base64] + extensions).joined(separator: "\n") + "\n"
    }

    package init(parsing bytes: ArraySlice<UInt8>, firstLine: Int = 1) throws(ProofError) {
        let all = try ProofLines(bytes, atMost: SignedNote.maximumBytes, first: firstLine)
        guard all.lines.count >= 3 else {
            throw ProofError(
                .malformed,
                "a checkpoint has an origin, a size and a root hash, each on a line",
                line: all.number(all.lines.count - 1)
            )
        }
        if let empty = all.lines.firstIndex(where: \.isEmpty) {
            throw ProofError(.malformed, "a line of a checkpoint is empty", line: all.number(empty))
        }
        guard let size = UInt64(canonical: all.lines[1]) else {
            throw ProofError(.malformed, "the size is not a decimal number as it must be written", line: all.number(1))
        }
        guard let root = MerkleHash(base64: all.lines[2]) else {
            throw ProofError(.malformed, "the root is not a hash of 32 bytes in base64", line: all.number(2))
        }
        self.init(
            origin: all.text(0),
            size: size,
            root: root,
            extensions: (3..<all.lines.count).map { all.text($0) }
        )
    }
}
