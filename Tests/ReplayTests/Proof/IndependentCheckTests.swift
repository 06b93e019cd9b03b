import EventLog
import Foundation
import HealthModel
import TestSupport
import Testing

/// Compares the project's proof checker with one written in another language from the specifications alone.
@Suite("Proofs checked by an independent program")
struct IndependentCheckTests {
    /// A running check_proof.py, which checks one proof per line.
    private final class Checker {
        private let python: ChildProcess

        init(key: String) throws {
            let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "check_proof.py").path
            python = try ChildProcess(program: "/usr/bin/env", ["python3", "-B", program, key, "--batch"])
        }

        func ask(_ arguments: String...) throws -> String {
            try python.say(arguments.joined(separator: "\t"))
            return try #require(python.readLine(), "python3 ended; install it with tools/install-needs python3")
        }
    }

    private func isTaken(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            return false
        }
    }

    @Test("Both checkers accept valid proofs and refuse tampered ones")
    func validAndTamperedProofs() async throws {
        var random = SeededGenerator()
        let house = try await Household.withHistory()
        let folder = try TemporaryFolder()
        let (file, frame, old) = (folder.path + "/proof", folder.path + "/frame", folder.path + "/old")
        let verifier = try #require(house.log.verifier)
        let checker = try Checker(key: verifier.text)
        var checkpoints: [SignedCheckpoint] = []
        var counts = (good: 0, tampered: 0)
        for round in 0..<12 {
            let signed = try house.log.checkpoint()
            checkpoints.append(signed)
            let size = signed.checkpoint.size
            let position = UInt64.random(in: 1...size, using: &random)
            let event = try house.log.event(at: position)
            let inclusion = InclusionProof(
                index: position - 1,
                leaf: .leaf(event.bytes),
                path: try house.log.inclusionProof(of: position, in: size),
                checkpoint: signed
            )
            let earlier = checkpoints[Int.random(in: 0..<checkpoints.count, using: &random)]
            let consistency = ConsistencyProof(
                from: earlier.checkpoint,
                path: try house.log.consistencyProof(from: earlier.checkpoint.size, to: size),
                to: signed
            )
            try FileBytes.write(event.bytes, to: frame)
            try FileBytes.write(Array(earlier.text.utf8), to: old)
            for (text, option, value) in [
                (inclusion.text, "--frame", frame), (consistency.text, "--old-checkpoint", old),
            ] {
                let isInclusion = option == "--frame"
                func ours(_ bytes: [UInt8]) -> Bool {
                    isTaken {
                        if isInclusion {
                            _ = try InclusionProof(parsing: bytes).check(.leaf(event.bytes), verifiedBy: [verifier])
                        } else {
                            let proof = try ConsistencyProof(parsing: bytes)
                            _ = try proof.check(verifiedBy: [verifier])
                            let (size, root) = (earlier.checkpoint.size, earlier.checkpoint.root)
                            guard proof.oldSize == size, proof.oldRoot == root else {
                                throw ProofError(.mismatch, "another earlier checkpoint")
                            }
                        }
                    }
                }
                let whole = Array(text.utf8)
                try FileBytes.write(whole, to: file)
                #expect(try checker.ask(file, option, value).hasPrefix("ok"), "round \(round): \(text)")
                #expect(ours(whole))
                counts.good += 1
                for _ in 0..<25 {
                    let bytes = tampered(whole, &random)
                    try FileBytes.write(bytes, to: file)
                    let said = try checker.ask(file, option, value)
                    let shown = String(decoding: bytes, as: UTF8.self)
                    #expect(said.hasPrefix("bad"), "round \(round): \(shown)")
                    #expect(!ours(bytes), "round \(round): \(shown)")
                    counts.tampered += 1
                }
            }
            for _ in 0..<Int.random(in: 1...9, using: &random) {
                try await house.append(.recordClosed, about: Household.id(UInt8(60 + round)))
            }
        }
        #expect(counts == (24, 600))
    }

    /// Returns a copy with a bit flipped, two lines swapped, or a line removed or replaced by another.
    private func tampered(_ whole: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        while true {
            var bytes = whole
            var lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let (one, other) = (
                Int.random(in: 0..<lines.count, using: &random), Int.random(in: 0..<lines.count, using: &random)
            )
            switch Int.random(in: 0..<6, using: &random) {
            case 0: lines.swapAt(one, other)
            case 1: lines[one] = lines[other]
            case 2 where !lines[one].starts(with: "extra".utf8): lines.remove(at: one)
            default:
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            if bytes == whole { bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")])) }
            if bytes != whole { return bytes }
        }
    }

    /// Runs the command and the independent program on the same files: results and exit statuses must be as documented.
    @Test("Both checkers accept a proof with its frame and refuse it with a changed frame")
    func sameResults() async throws {
        let house = try await Household.withHistory()
        let folder = try TemporaryFolder()
        let (file, frame, key) = (folder.path + "/proof", folder.path + "/frame", folder.path + "/key")
        #expect(try Tool(house).run("prove", "17", "-o", file, "--frame", frame).status == 0)
        try FileBytes.write(Array(Tool(house).run("checkpoint", "--key").text.utf8), to: key)
        var tool = Tool(house)
        tool.namesJournal = false
        let checker = try Checker(key: key)
        #expect(try tool.run("check-proof", file, "--key", key, "--frame", frame).status == 0)
        #expect(try checker.ask(file, "--frame", frame) == "ok position 17 of 21")
        try FileBytes.edit(frame) { $0[100] ^= 1 }
        #expect(try tool.run("check-proof", file, "--key", key, "--frame", frame).status == 3)
        #expect(try checker.ask(file, "--frame", frame).hasPrefix("bad"))
    }
}
