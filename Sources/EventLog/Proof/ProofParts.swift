/// The parts of a proof's text: a header, lines specific to the kind of proof, a blank line and a signed note.
struct ProofParts {
    private let all: ProofLines
    private let blank: Int
    private var next = 1
    /// The signed note, byte for byte.
    let note: ArraySlice<UInt8>

    init(_ bytes: [UInt8], atMost limit: Int, header: String) throws(ProofError) {
        all = try ProofLines(bytes[...], atMost: limit)
        guard all.lines[0].elementsEqual(header.utf8) else {
            throw ProofError(.malformed, "a proof of this kind begins with \(header)", line: 1)
        }
        guard let blank = all.lines.firstIndex(where: \.isEmpty), blank + 1 < all.lines.count else {
            throw ProofError(
                .malformed,
                "the proof is not followed by a blank line and a checkpoint",
                line: all.lines.count
            )
        }
        self.blank = blank
        note = bytes[all.lines[blank + 1].startIndex...]
    }

    /// The next line before the blank line, or nil if there is none.
    var peek: ArraySlice<UInt8>? { next < blank ? all.lines[next] : nil }

    /// The number of the next line.
    var number: Int { all.number(next) }

    mutating func skip() { next += 1 }

    /// Parses the remaining lines before the blank line, with one hash per line.
    mutating func hashes() throws(ProofError) -> [MerkleHash] {
        guard blank - next <= MerkleProof.maximumHashes else {
            throw ProofError(.malformed, "a proof has at most \(MerkleProof.maximumHashes) hashes", line: number)
        }
        var hashes: [MerkleHash] = []
        while let line = peek {
            guard let hash = MerkleHash(base64: line) else {
                throw ProofError(.malformed, "this is not a hash of 32 bytes in base64", line: number)
            }
            hashes.append(hash)
            skip()
        }
        return hashes
    }
}
