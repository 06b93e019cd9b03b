import EventLog
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Text format of proofs")
struct ProofTextTests {
    private static let inclusion = """
        c2sp.org/tlog-proof@v1
        extra vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
        index 4
        QnGia+DYqE8L1UyMMC58s6O10fpngKQLzOKHNHfatlg=
        sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8=
        037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=

        \(NoteTests.note)
        """
    private static let consistency = """
        healthjournal/consistency-proof@v1
        old 3 rra8/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc=
        ApjRIpBtz8EIkstTpzmS/FufST6kybrbJ7eRtBJ6f+c=
        B1Bqhf2d0vEg62lPhgEeW7RmLlxBWmKRcDPUqWJEh+c=
        +sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=
        g327FS6bB5AQcX6E6GXaTrwPoZioBtWdMb8VrM7yLQ4=

        \(NoteTests.note)
        """

    private let tree = MerkleProofTests.Tree(MerkleTests.classicLeaves)

    private func signed(_ size: Int) throws -> SignedCheckpoint {
        try SignedCheckpoint(
            Checkpoint(
                origin: Checkpoint.origin(of: NoteTests.journal),
                size: UInt64(size),
                root: NoteTests.root(size)
            ),
            signedBy: NoteTests.signer()
        )
    }

    private func keys() throws -> [NoteVerifier] { [try NoteVerifier(parsing: NoteTests.key)] }

    private func failure(_ body: () throws -> Void) -> ProofError? {
        do {
            try body()
            return nil
        } catch {
            return error as? ProofError
        }
    }

    @Test("An inclusion proof matches another implementation byte for byte and is read back unchanged")
    func goldenInclusion() throws {
        let proof = InclusionProof(
            index: 4,
            leaf: tree.leaves[4],
            path: try tree.inclusion(4, 7),
            checkpoint: try signed(7)
        )
        #expect(proof.text == ProofTextTests.inclusion)
        let read = try InclusionProof(parsing: Array(ProofTextTests.inclusion.utf8))
        #expect(read == proof)
        #expect(try read.check(tree.leaves[4], verifiedBy: keys()).checkpoint.size == 7)
        #expect(failure { _ = try read.check(tree.leaves[5], verifiedBy: keys()) }?.code == .mismatch)
    }

    @Test("A consistency proof matches another implementation byte for byte and is read back unchanged")
    func goldenConsistency() throws {
        let old = Checkpoint(origin: "whatever", size: 3, root: tree.roots[3])
        let proof = ConsistencyProof(from: old, path: try tree.consistency(3, 7), to: try signed(7))
        #expect(proof.text == ProofTextTests.consistency)
        let read = try ConsistencyProof(parsing: Array(ProofTextTests.consistency.utf8))
        #expect(read == proof)
        #expect(read.oldSize == 3 && read.oldRoot == tree.roots[3])
        #expect(try read.check(verifiedBy: keys()).checkpoint.size == 7)
    }

    @Test("A proof may omit the hash of its entry, but a proof with the hash of another entry is refused")
    func extra() throws {
        func proof(_ extra: String) throws -> (InclusionProof, String) {
            let text = ProofTextTests.inclusion.replacingOccurrences(
                of: "extra vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=\n",
                with: extra
            )
            return (try InclusionProof(parsing: Array(text.utf8)), text)
        }
        let (without, text) = try proof("")
        #expect(without.leaf == nil)
        #expect(without.text == text)
        _ = try without.check(tree.leaves[4], verifiedBy: keys())
        #expect(failure { _ = try without.check(tree.leaves[3], verifiedBy: keys()) }?.code == .mismatch)
        for extra in ["extra \n", "extra AAAA\n", "extra \(tree.leaves[3].base64)\n"] {
            let (proof, text) = try proof(extra)
            #expect(proof.text == text)
            #expect(failure { _ = try proof.check(tree.leaves[4], verifiedBy: keys()) }?.code == .mismatch)
        }
    }

    @Test(
        "A malformed proof is refused, and the error names the line",
        arguments: [
            (0, "c2sp.org/tlog-proof@v2", 1), (0, "c2sp.org/tlog-proof@v1 ", 1), (1, "extra vBoGQ7EuTS1", 2),
            (1, "extra", 2), (1, "Extra AAAA", 2), (2, "index 04", 3), (2, "index", 3), (2, "index ", 3),
            (2, "index -1", 3), (2, "index 18446744073709551616", 3), (2, "indexes 4", 3), (3, "AAAA", 4),
            (4, "sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl9=", 5),
            (4, "sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8= ", 5),
            (4, "\u{1B}[2J", 5), (7, "\u{1B}[2J", 8), (8, "x", 9), (9, "AAAA", 10), (10, "\u{2014} forged", 8),
            (11, "nobody", 12),
        ]
    )
    func malformed(index: Int, wrong: String, line: Int) throws {
        var lines = ProofTextTests.inclusion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[index] = wrong
        let error = failure {
            let proof = try InclusionProof(parsing: Array(lines.joined(separator: "\n").utf8))
            _ = try proof.check(tree.leaves[4], verifiedBy: keys())
        }
        #expect(error?.code == .malformed)
        #expect(error?.line == line, "\(error?.description ?? "taken")")
    }

    @Test("A malformed consistency proof is refused, and the error names the line")
    func malformedConsistency() throws {
        for wrong in [
            "old 3", "old 03 {root}", "old 3  {root}", "old 3 {root} ", "old 3 AAAA", "new 3 {root}", "", "old",
        ] {
            var lines = ProofTextTests.consistency.split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
            lines[1] = wrong.replacingOccurrences(of: "{root}", with: tree.roots[3].base64)
            let error = failure { _ = try ConsistencyProof(parsing: Array(lines.joined(separator: "\n").utf8)) }
            #expect(error?.code == .malformed, "\(wrong): \(error?.description ?? "taken")")
            #expect(error?.line == 2, "\(wrong): \(error?.description ?? "taken")")
        }
    }

    @Test("A proof with more hashes or bytes than any tree needs is refused")
    func limits() throws {
        let hash = MerkleHash.empty.base64 + "\n"
        for count in [MerkleProof.maximumHashes, MerkleProof.maximumHashes + 1] {
            let text =
                "c2sp.org/tlog-proof@v1\nindex 4\n" + String(repeating: hash, count: count) + "\n" + NoteTests.note
            let error = failure {
                _ = try InclusionProof(parsing: Array(text.utf8)).check(tree.leaves[4], verifiedBy: keys())
            }
            #expect(error?.code == (count > MerkleProof.maximumHashes ? .malformed : .mismatch))
        }
        let long = Array(repeating: UInt8(ascii: "a"), count: InclusionProof.maximumBytes + 1)
        #expect(failure { _ = try InclusionProof(parsing: long) }?.code == .malformed)
        #expect(failure { _ = try ConsistencyProof(parsing: long) }?.code == .malformed)
    }

    @Test("A change of any bit of a proof before its note is detected")
    func changedBits() throws {
        let keys = try keys()
        let (inclusion, consistency) = (Array(ProofTextTests.inclusion.utf8), Array(ProofTextTests.consistency.utf8))
        let note = NoteTests.note.utf8.count
        for bit in 0..<(8 * (inclusion.count - note)) {
            var bytes = inclusion
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: ProofError.self, "bit \(bit)") {
                try InclusionProof(parsing: bytes).check(tree.leaves[4], verifiedBy: keys)
            }
        }
        for bit in 0..<(8 * (consistency.count - note)) {
            var bytes = consistency
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: ProofError.self, "bit \(bit)") {
                try ConsistencyProof(parsing: bytes).check(verifiedBy: keys)
            }
        }
    }

    @Test("No input crashes the parsers: random bytes, and proofs that were cut, doubled or overwritten")
    func anyBytes() throws {
        var random = SeededGenerator()
        let (keys, whole, path) = try (keys(), signed(7), tree.inclusion(4, 7))
        let seeds = [ProofTextTests.inclusion, ProofTextTests.consistency, NoteTests.note, NoteTests.key]
            .map { Array($0.utf8) }
        for round in 0..<4_000 {
            var bytes =
                round % 8 == 0 ? random.bytes(Int.random(in: 0..<200, using: &random)) : seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = Int.random(in: start...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(start..<end)
                case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
                case 2: bytes[start] = [0x0A, 0x20, 0x2B, 0x00, 0xFF, 0x30][Int.random(in: 0..<6, using: &random)]
                default: bytes.insert(contentsOf: random.bytes(3), at: end)
                }
            }
            // A text that is still accepted proves the same as the original: it may lack a line without meaning or
            // repeat a signature.
            if let proof = try? InclusionProof(parsing: bytes),
                let signed = try? proof.check(tree.leaves[4], verifiedBy: keys)
            {
                #expect(proof.index == 4)
                #expect(proof.path == path)
                #expect(signed.checkpoint == whole.checkpoint)
            }
            if let proof = try? ConsistencyProof(parsing: bytes), let signed = try? proof.check(verifiedBy: keys) {
                #expect(proof.oldSize == 3 && proof.oldRoot == tree.roots[3] && signed.checkpoint == whole.checkpoint)
            }
            if let signed = try? SignedCheckpoint(parsing: bytes[...], verifiedBy: keys) {
                #expect(signed.checkpoint == whole.checkpoint)
            }
            if let key = try? NoteVerifier(parsing: bytes) { #expect(key.text == NoteTests.key) }
        }
    }
}
