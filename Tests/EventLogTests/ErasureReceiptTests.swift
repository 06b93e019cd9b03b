import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasure receipts")
struct ErasureReceiptTests {
    private let journal = UUID()
    private let record = UUID()
    private let signer: NoteSigner

    init() throws {
        signer = try NoteSigner(name: Checkpoint.origin(of: journal), seed: [UInt8](repeating: 7, count: 32))
    }

    /// Returns the receipt of an erasure in a log of one event.
    private func receipt(_ backups: [ErasureReceipt.Backup] = [], position: UInt64 = 1) throws -> ErasureReceipt {
        let leaf = MerkleHash.leaf([1, 2, 3])
        let checkpoint = Checkpoint(origin: Checkpoint.origin(of: journal), size: 1, root: leaf)
        return ErasureReceipt(
            journal: journal,
            record: record,
            erasedAt: "2026-11-21T10:00:00.125Z",
            position: position,
            backups: backups,
            proof: InclusionProof(
                index: 0,
                leaf: leaf,
                path: [],
                checkpoint: try SignedCheckpoint(checkpoint, signedBy: signer)
            )
        )
    }

    @Test(
        "A receipt is read back as it was written",
        arguments: ["/mnt/a disk/backup", "a%20b", "line\nbreak\ttab", "Größe – %"]
    )
    func roundTrip(place: String) throws {
        let written = try receipt([.init(madeAt: "2026-01-01T00:00:00Z", head: 700, place: place)])
        let note = Array(try written.note(signedBy: signer).utf8)
        #expect(try ErasureReceipt(parsing: note) == written)
        #expect(try ErasureReceipt(parsing: note, verifiedBy: [signer.verifier]) == written)
    }

    @Test("A receipt contains a proof that can be checked on its own")
    func proof() throws {
        let note = try receipt().note(signedBy: signer)
        let start = try #require(note.range(of: InclusionProof.header)?.lowerBound)
        // As the receipt states, the proof ends with the first signature.
        let parts = note[start...].split(separator: "\n\n").prefix(3)
        let proof = try InclusionProof(parsing: Array((parts.joined(separator: "\n\n") + "\n").utf8))
        _ = try proof.check(MerkleHash.leaf([1, 2, 3]), verifiedBy: [signer.verifier])
    }

    @Test("A receipt that another key signed, or whose proof is of another event, is refused")
    func forged() throws {
        let other = try NoteSigner(name: Checkpoint.origin(of: journal), seed: [UInt8](repeating: 8, count: 32))
        let stranger = try NoteSigner(name: "stranger", seed: [UInt8](repeating: 7, count: 32))
        let forged = Array(try receipt().note(signedBy: other).utf8)
        #expect(throws: ProofError.self) { try ErasureReceipt(parsing: forged, verifiedBy: [signer.verifier]) }
        let strange = Array(try receipt().note(signedBy: stranger).utf8)
        #expect(throws: ProofError.self) {
            try ErasureReceipt(parsing: strange, verifiedBy: [signer.verifier, stranger.verifier])
        }
        let elsewhere = Array(try receipt(position: 2).note(signedBy: signer).utf8)
        #expect(try ErasureReceipt(parsing: elsewhere).position == 2)
        let error = #expect(throws: ProofError.self) {
            try ErasureReceipt(parsing: elsewhere, verifiedBy: [signer.verifier])
        }
        #expect(error?.code == .mismatch)
    }

    @Test("A change of any byte of a receipt is detected, and no change or truncation crashes the parser")
    func tampered() throws {
        let written = try receipt([.init(madeAt: "2026-01-01T00:00:00Z", head: 700, place: "/b")])
        let note = Array(try written.note(signedBy: signer).utf8)
        var random = SeededGenerator()
        for index in note.indices {
            var changed = note
            changed[index] = UInt8.random(in: 0...255, using: &random)
            guard changed[index] != note[index] else { continue }
            #expect(throws: ProofError.self, "byte \(index)") {
                try ErasureReceipt(parsing: changed, verifiedBy: [signer.verifier])
            }
            _ = try? ErasureReceipt(parsing: changed)
            _ = try? ErasureReceipt(parsing: Array(note.prefix(index)))
        }
    }

    @Test(
        "A malformed receipt is refused",
        arguments: [
            ("record ", "record  "), ("erased 2026", "erased 26"), ("erased 2026-11-21T", "erased 2026-11-21 "),
            (".125Z", ".Z"), (".125Z", "Z "), ("position 1", "position 01"), ("position 1", "position 0"),
            ("position 1", "position 99999999999999999999"), ("backup 2026-01-01T00:00:00Z 700 /b", "backup 700 /b"),
            ("700 /b", "700 "), ("700 /b", "700 %"), ("700 /b", "700 %zz"), ("700 /b", "700 %41"), ("700 /b", "-1 /b"),
            ("healthjournal-erasure-receipt/1", "healthjournal-erasure-receipt/2"), ("index 0", "index x"),
            ("c2sp.org/tlog-proof@v1\n", ""),
        ]
    )
    func malformed(part: String, instead: String) throws {
        let written = try receipt([.init(madeAt: "2026-01-01T00:00:00Z", head: 700, place: "/b")])
        let text = written.text.replacing(part, with: instead, maxReplacements: 1)
        #expect(text != written.text)
        let note = Array(try signer.note(text).utf8)
        #expect(throws: ProofError.self) { try ErasureReceipt(parsing: note) }
    }
}
