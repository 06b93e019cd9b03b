import EventLog
import Foundation
import TestSupport
import Testing

@Suite("Signed notes and checkpoints")
struct NoteTests {
    /// Made by an independent program: the key of the seed 00 01 … 1f signs a tree of the first seven Certificate
    /// Transparency test leaves.
    static let key =
        "healthjournal/01020304-0506-4708-890a-0b0c0d0e0f10+04146ad0+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    static let note = """
        healthjournal/01020304-0506-4708-890a-0b0c0d0e0f10
        7
        3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=

        \u{2014} healthjournal/01020304-0506-4708-890a-0b0c0d0e0f10 \
        BBRq0LDbCQv6KWdK+N4quEep9JFxMtqAOudZe+F1Vn+UOrO1q12qKs81mvJaQq95bD0gc4n2R2bPucad2dc4XB/0bgA=

        """
    static let journal = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    static func signer(_ name: String = Checkpoint.origin(of: journal)) throws -> NoteSigner {
        try NoteSigner(name: name, seed: Array(0..<32))
    }

    static func root(_ size: Int) throws -> MerkleHash {
        try #require(MerkleHash(bytes(hexadecimal: MerkleTests.classicRoots[size])))
    }

    private func failure(_ body: () throws -> Void) -> ProofError? {
        do {
            try body()
            return nil
        } catch {
            return error as? ProofError
        }
    }

    private func parse(_ text: String) -> ProofError? {
        failure {
            _ = try SignedCheckpoint(parsing: text, verifiedBy: [NoteVerifier(parsing: NoteTests.key)])
        }
    }

    @Test("Key, text and signature match those of another implementation byte for byte")
    func golden() throws {
        let signer = try NoteTests.signer()
        #expect(signer.verifier.text == NoteTests.key)
        let checkpoint = Checkpoint(
            origin: Checkpoint.origin(of: NoteTests.journal),
            size: 7,
            root: try NoteTests.root(7)
        )
        let signed = try SignedCheckpoint(checkpoint, signedBy: signer)
        #expect(Array(signed.text.utf8) == Array(NoteTests.note.utf8))
        let verifier = try NoteVerifier(parsing: NoteTests.key + "\n")
        #expect(try SignedCheckpoint(parsing: NoteTests.note, verifiedBy: [verifier]) == signed)
    }

    /// The note and the key are the example of https://c2sp.org/signed-note.
    @Test("The example of the signed-note specification is accepted")
    func specification() throws {
        let text = """
            This is an example message.

            \u{2014} example.com/foo \
            Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=

            """
        let key = try NoteVerifier(parsing: "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
        let note = try SignedNote(parsing: Array(text.utf8)[...])
        #expect(try note.signers(among: [key]) == [key])
        #expect(note.text == Array("This is an example message.\n".utf8))
        #expect(failure { _ = try Checkpoint(parsing: note.text[...]) }?.code == .malformed)
    }

    @Test("Extension lines are signed and preserved, and a note that is no checkpoint may contain blank lines")
    func extensions() throws {
        let signer = try NoteTests.signer()
        let checkpoint = Checkpoint(
            origin: signer.verifier.name,
            size: 0,
            root: .empty,
            extensions: ["one more", "\u{2014} and another"]
        )
        let signed = try SignedCheckpoint(checkpoint, signedBy: signer)
        #expect(try SignedCheckpoint(parsing: signed.text, verifiedBy: [signer.verifier]) == signed)
        let changed = signed.text.replacingOccurrences(of: "one more", with: "one less")
        #expect(
            failure { _ = try SignedCheckpoint(parsing: changed, verifiedBy: [signer.verifier]) }?.code == .badSignature
        )
        let poem = try SignedNote(parsing: Array(signer.note("one\n\n\ntwo\n").utf8)[...])
        #expect(poem.text == Array("one\n\n\ntwo\n".utf8))
    }

    @Test("Signatures of unknown keys are ignored, and a signature that names a known key must be valid")
    func signatures() throws {
        let signer = try NoteTests.signer()
        let other = try NoteSigner(name: "witness.example", seed: Array(1..<33))
        let namesake = try NoteSigner(name: signer.verifier.name, seed: Array(2..<34))
        let text = "\(signer.verifier.name)\n7\n\(try NoteTests.root(7).base64)\n"
        func line(_ signer: NoteSigner, of text: String) throws -> String {
            String(try signer.note(text).split(separator: "\n").last ?? "") + "\n"
        }
        let (own, others, same) = try (line(signer, of: text), line(other, of: text), line(namesake, of: text))
        for lines in [own, own + others, others + own, same + own + others] {
            #expect(parse("\(text)\n\(lines)") == nil)
        }
        #expect(parse("\(text)\n\(others)\(same)")?.code == .unknownKey)
        let forged = try line(signer, of: "something else\n")
        #expect(parse("\(text)\n\(own)\(forged)")?.code == .badSignature)
        #expect(parse("\(text)\n\(forged)\(own)")?.code == .badSignature)
        #expect(parse("\(text)\n\(own)\(forged)")?.line == 6)
        // Signed by a known key that is not the key of the log.
        #expect(
            failure {
                _ = try SignedCheckpoint(parsing: "\(text)\n\(others)", verifiedBy: [signer.verifier, other.verifier])
            }?
            .code == .unknownKey
        )
        // A signature of another type than Ed25519 under the log's name has another key id.
        #expect(parse("\(text)\n\u{2014} \(signer.verifier.name) AAAAAAAA\n\(own)") == nil)
        let many = String(repeating: others, count: SignedNote.maximumSignatures - 1)
        #expect(parse("\(text)\n\(many)\(own)") == nil)
        #expect(parse("\(text)\n\(many)\(own)\(others)")?.code == .malformed)
    }

    @Test(
        "A malformed checkpoint is refused, and the error names the line",
        arguments: [
            ("", 1), ("\n", 1), ("a", 1), ("a\n", 1), ("\n\n", 2), ("{origin}\n7\n{root}\n", 1),
            ("{origin}\n7\n{root}\n\n", 4),
            ("{origin}\r\n7\n{root}\n\n{signature}\n", 1), ("{origin}\n7\t\n{root}\n\n{signature}\n", 2),
            ("{origin}\n07\n{root}\n\n{signature}\n", 2), ("{origin}\n+7\n{root}\n\n{signature}\n", 2),
            ("{origin}\n-7\n{root}\n\n{signature}\n", 2), ("{origin}\n7 \n{root}\n\n{signature}\n", 2),
            ("{origin}\n0x7\n{root}\n\n{signature}\n", 2), ("{origin}\n٧\n{root}\n\n{signature}\n", 2),
            ("{origin}\n18446744073709551616\n{root}\n\n{signature}\n", 2),
            ("{origin}\n99999999999999999999999\n{root}\n\n{signature}\n", 2),
            ("{origin}\n\n{root}\n\n{signature}\n", 2), ("\n{origin}\n7\n{root}\n\n{signature}\n", 1),
            ("{origin}\n7\n\n{signature}\n", 2), ("{origin}\n7\nAAAA\n\n{signature}\n", 3),
            ("{origin}\n7\n3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIx=\n\n{signature}\n", 3),
            ("{origin}\n7\n3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw\n\n{signature}\n", 3),
            ("{origin}\n7\n3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw= \n\n{signature}\n", 3),
            ("{origin}\n7\n{root}\n\n{signature}", 5), ("{origin}\n7\n{root}\n\n{signature} \n", 5),
            ("{origin}\n7\n{root}\n\n{signature}\nnot one\n", 6), ("{origin}\n7\n{root}\n\n\u{2014} \n", 5),
            ("{origin}\n7\n{root}\n\n\u{2014} a+b AAAAAAAA\n", 5), ("{origin}\n7\n{root}\n\n\u{2014}  AAAAAAAA\n", 5),
            ("{origin}\n7\n{root}\n\n\u{2014} a\u{00A0}b AAAAAAAA\n", 5),
            ("{origin}\n7\n{root}\n\n\u{2014} a AAAA\n", 5),
            ("{origin}\n7\n{root}\n\n- a AAAAAAAA\n", 5), ("{origin}\n7\n{root}\nmore\n\n\u{2014} a AAAAAAA\n", 6),
        ]
    )
    func malformed(text: String, line: Int) throws {
        let lines = NoteTests.note.split(separator: "\n")
        let text = text.replacingOccurrences(of: "{origin}", with: String(lines[0]))
            .replacingOccurrences(of: "{root}", with: String(lines[2]))
            .replacingOccurrences(of: "{signature}", with: String(lines[3]))
        let error = try #require(parse(text))
        #expect(error.code == .malformed, "\(error)")
        #expect(error.line == line, "\(error)")
    }

    @Test("Bytes that are not valid text, and notes that are too long, are refused")
    func bytesThatAreNoText() throws {
        let verifier = try NoteVerifier(parsing: NoteTests.key)
        for wrong in [0xFF, 0xC0, 0x00, 0x0D, 0x1B] as [UInt8] {
            var bytes = Array(NoteTests.note.utf8)
            bytes.insert(wrong, at: 60)
            let error = failure { _ = try SignedCheckpoint(parsing: bytes[...], verifiedBy: [verifier]) }
            #expect(error?.code == .malformed, "\(wrong): \(error?.description ?? "taken")")
            #expect(error?.line == 3, "\(wrong): \(error?.description ?? "taken")")
        }
        let long = Array(repeating: UInt8(ascii: "\n"), count: SignedNote.maximumBytes + 1)
        #expect(failure { _ = try SignedNote(parsing: long[...]) }?.code == .malformed)
        #expect(failure { _ = try SignedNote(parsing: long.dropLast()) }?.code == .malformed)
    }

    @Test(
        "A verifier key that was copied wrongly is refused",
        arguments: [
            "", "+", "++", "healthjournal", "{name}+04146ad0", "{name}+04146ad1+{key}", "{name}+04146AD0+{key}",
            "{name}+4146ad0+{key}", " {name}+04146ad0+{key}", "{name}x+04146ad0+{key}", "+04146ad0+{key}",
            "{name}+04146ad0+{key} ", "{name}+04146ad0+{key}\n\n",
            "{name}+04146ad0+AAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
            "{name}+04146ad0+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVQ==", "{name}+04146ad0+AQOh",
        ]
    )
    func wrongKeys(text: String) throws {
        let parts = NoteTests.key.split(separator: "+", maxSplits: 2).map(String.init)
        let text = text.replacingOccurrences(of: "{name}", with: parts[0])
            .replacingOccurrences(of: "{key}", with: parts[2])
        #expect(failure { _ = try NoteVerifier(parsing: text) }?.code == .malformed)
    }

    @Test("A signer needs a name without spaces, control characters and pluses, and a seed of 32 bytes")
    func signerNames() {
        for name in ["", "a b", "a+b", "a\u{2003}b", "a\nb", "a\u{1}"] {
            #expect(failure { _ = try NoteSigner(name: name, seed: Array(0..<32)) }?.code == .malformed)
        }
        #expect(failure { _ = try NoteSigner(name: "a", seed: Array(0..<31)) }?.code == .malformed)
    }

    @Test("A change of any bit of a signed checkpoint is detected")
    func changedBits() throws {
        let verifier = try NoteVerifier(parsing: NoteTests.key)
        let whole = Array(NoteTests.note.utf8)
        for bit in 0..<(8 * whole.count) {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: ProofError.self, "bit \(bit)") {
                try SignedCheckpoint(parsing: bytes[...], verifiedBy: [verifier])
            }
        }
    }
}
