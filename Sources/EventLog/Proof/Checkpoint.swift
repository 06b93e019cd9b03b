package import FoundationEssentials

/// A statement of a log's size and root hash (https://c2sp.org/tlog-checkpoint).
package struct Checkpoint: Hashable, Sendable {
    /// The name of the log; for a journal, `healthjournal/<journal id>`.
    package let origin: String
    /// The number of events.
    package let size: UInt64
    package let root: MerkleHash
    /// Further lines, which are signed with the rest and not interpreted.
    package let extensions: [String]

    package init(origin: String, size: UInt64, root: MerkleHash, extensions: [String] = []) {
        self.origin = origin
        self.size = size
        self.root = root
        self.extensions = extensions
    }

    /// Returns the name of a journal's log, which is also the name of the key that signs its checkpoints.
    package static func origin(of journal: UUID) -> String {
        "healthjournal/\(journal.uuidString.lowercased())"
    }

    /// The text to be signed.
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
            throw ProofError(.malformed, "the size is not a decimal number in canonical form", line: all.number(1))
        }
        guard let root = MerkleHash(base64: all.lines[2]) else {
            throw ProofError(.malformed, "the root is not a hash of 32 bytes in base64", line: all.number(2))
        }
        self.init(origin: all.text(0), size: size, root: root, extensions: (3..<all.lines.count).map { all.text($0) })
    }
}
