import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Witnesses of the log")
struct WitnessTests {
    private let now: UInt64 = 1_790_000_000

    private func log(_ count: Int) async throws -> TestJournal {
        let journal = try TestJournal()
        try await journal.log.append((0..<count).map { _ in TestJournal.event() })
        return journal
    }

    private func request(_ journal: TestJournal, since size: UInt64) throws -> [UInt8] {
        try journal.log.witnessRequest(journal.log.publish(), since: size).body
    }

    @Test("A witness cosigns a log as long as it only grows, and remembers what it saw after a restart")
    func growing() async throws {
        let folder = try TemporaryFolder()
        let journal = try await log(5)
        let witness = try LogWitness.create(folder.path + "/w", name: "example.com/w")
        #expect(throws: EventLogError.self) { try LogWitness.create(folder.path + "/w", name: "example.com/w") }
        #expect(try witness.answer(request(journal, since: 0), now: now) == .refused(404, "the log is not known here"))
        try witness.add(#require(journal.log.verifier))
        guard case .cosigned(let line) = try witness.answer(request(journal, since: 0), now: now) else {
            Issue.record("the first checkpoint is not cosigned")
            return
        }
        let signed = try journal.log.publish().adding(Array(line.utf8), of: [witness.verifier])
        #expect(signed.text.hasSuffix(line))
        #expect(signed.text.split(separator: "\n").count == 5)
        // The same again, and at a later time, replaces the cosignature.
        guard case .cosigned(let later) = try witness.answer(request(journal, since: 5), now: now + 60) else {
            Issue.record("the same checkpoint is not cosigned again")
            return
        }
        #expect(try signed.adding(Array(later.utf8), of: [witness.verifier]).text.split(separator: "\n").count == 5)
        try await journal.log.append((0..<300).map { _ in TestJournal.event() })
        let reopened = try LogWitness(opening: folder.path + "/w")
        #expect(reopened.verifier == witness.verifier)
        #expect(try reopened.answer(request(journal, since: 0), now: now) == .conflict(size: 5))
        guard case .cosigned = try reopened.answer(request(journal, since: 5), now: now) else {
            Issue.record("a log that grew is not cosigned")
            return
        }
        #expect(try reopened.answer(request(journal, since: 5), now: now) == .conflict(size: 305))
    }

    @Test("A witness refuses a fork of a log, a proof that is wrong, and a signature that is not the log's")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let journal = try await log(5)
        journal.close()
        let fork = folder.path + "/fork"
        try FileManager.default.copyItem(atPath: journal.path, toPath: fork)
        try journal.open()
        let other = try EventLog(folder: JournalFolder(fork), masterKey: journal.master, options: journal.options)
        defer { other.close() }
        try await journal.log.append([TestJournal.event()])
        for _ in 0..<4 { try await other.append([TestJournal.event()]) }
        let witness = try LogWitness.create(folder.path + "/w", name: "example.com/w")
        try witness.add(#require(journal.log.verifier))
        guard case .cosigned = try witness.answer(request(journal, since: 0), now: now) else {
            Issue.record("the log is not cosigned")
            return
        }
        func status(_ body: [UInt8]) throws -> Int? {
            if case .refused(let status, _) = try witness.answer(body, now: now) { status } else { nil }
        }
        // Of the fork, which has 9 events, the first 6 are others than those that the witness saw.
        #expect(try status(other.witnessRequest(other.publish(), since: 6).body) == 422)
        let good = String(decoding: try request(journal, since: 6), as: UTF8.self)
        #expect(try status(Array(good.replacing("old 6", with: "old 7").utf8)) == 400)
        #expect(try status(Array("old x\n\n".utf8)) == 400 && status([]) == 400 && status(Array("old 6".utf8)) == 400)
        let forged = good.replacing("\n6\n", with: "\n7\n")
        #expect(try status(Array(forged.utf8)) == 403)
        #expect(try witness.answer(Array(good.utf8), now: now) != .conflict(size: 6), "the witness still knows 6")
    }

    @Test("Each bit of a cosigned checkpoint counts")
    func bits() async throws {
        let folder = try TemporaryFolder()
        let journal = try await log(3)
        let witness = try LogWitness.create(folder.path + "/w", name: "w")
        try witness.add(#require(journal.log.verifier))
        guard case .cosigned(let line) = try witness.answer(request(journal, since: 0), now: now) else { return }
        let signed = try journal.log.publish().adding(Array(line.utf8), of: [witness.verifier])
        let text = "witness W \(witness.verifier.text)\nquorum W\n"
        let policy = try WitnessPolicy(parsing: Array(text.utf8))
        #expect(try policy.isMet(by: policy.cosigners(of: signed, now: now)))
        let key = try #require(journal.log.verifier)
        let bytes = Array(signed.text.utf8)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let found = try? policy.cosigners(of: SignedCheckpoint(parsing: changed[...], verifiedBy: [key]), now: now)
            #expect(!(found.map(policy.isMet) ?? false), "byte \(index)")
        }
    }

    @Test("A cosignature must be recent enough, and not of the future")
    func times() async throws {
        let folder = try TemporaryFolder()
        let journal = try await log(3)
        let witness = try LogWitness.create(folder.path + "/w", name: "w")
        try witness.add(#require(journal.log.verifier))
        guard case .cosigned(let line) = try witness.answer(request(journal, since: 0), now: now) else { return }
        let signed = try journal.log.publish().adding(Array(line.utf8), of: [witness.verifier])
        let policy = try WitnessPolicy(parsing: Array("witness W \(witness.verifier.text)\nquorum W\n".utf8))
        #expect(try policy.cosigners(of: signed, now: now + 3_600, within: 3_600) == ["W"])
        #expect(try policy.cosigners(of: signed, now: now + 3_601, within: 3_600).isEmpty)
        #expect(try policy.cosigners(of: signed, now: now - 300) == ["W"])
        #expect(try policy.cosigners(of: signed, now: now - 301).isEmpty)
    }

    @Test("A quorum counts the members of groups, which may contain groups")
    func quorums() throws {
        let folder = try TemporaryFolder()
        let keys = try (0..<5).map { try LogWitness.create(folder.path + "/\($0)", name: "w\($0)").verifier.text }
        let witnesses = keys.enumerated().map { "witness w\($0) \($1)" }.joined(separator: "\n")
        func policy(_ rest: String) throws -> WitnessPolicy {
            try WitnessPolicy(parsing: Array("# a comment\n\(witnesses)\n\n\t\(rest)\n".utf8))
        }
        let two = try policy("group a 2 w0 w1 w2\nquorum a")
        #expect(!two.isMet(by: ["w0"]))
        #expect(two.isMet(by: ["w0", "w2"]))
        #expect(!two.isMet(by: ["w3", "w4"]))
        #expect(two.missing(["w0", "w2"]) == ["w1", "w3", "w4"])
        let nested = try policy("group a 2 w0 w1 w2\ngroup b any w3 w4\ngroup c all a b\nquorum c")
        #expect(!nested.isMet(by: ["w0", "w1"]))
        #expect(nested.isMet(by: ["w0", "w1", "w4"]))
        #expect(try policy("quorum none").isMet(by: []))
        #expect(try policy("quorum w3").isMet(by: ["w3"]))
        for wrong in [
            "", "quorum w9", "quorum w0\nquorum w1", "group a 4 w0 w1 w2\nquorum a", "group a 0 w0\nquorum a",
            "group a 18446744073709551615 w0\nquorum a",
            "group a any w9\nquorum a", "group w0 any w1\nquorum w0", "group none any w1\nquorum none",
            "group a any w0\ngroup b any w0\nquorum b", "group a any\nquorum a", "witness x \(keys[0])\nquorum x",
            "witness x notakey\nquorum none", "quorum a\ngroup a any w0", "logs x\nquorum none", "quorum none extra",
        ] {
            #expect(throws: ProofError.self, "\(wrong)") { try policy(wrong) }
        }
    }
}

@Suite("A monitor in Go")
struct MonitorTests {
    @Test(
        "It verifies the published log at each size, from one size to the next, and after an erasure",
        .enabled(if: GoMonitor.isBuilt)
    )
    func sizes() async throws {
        let journal = try TestJournal()
        let folder = try TemporaryFolder()
        let (site, state) = (folder.path + "/site", folder.path + "/state")
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: false)
        let server = try ChildProcess(
            program: "/usr/bin/python3",
            ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", site, "0"],
            messages: .discarded
        )
        defer { server.kill9() }
        // Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ...
        let words = try #require(server.readLine()).split(separator: " ")
        let url = "http://127.0.0.1:\(try #require(words.firstIndex(of: "port").map { words[$0 + 1] }))"
        let key = try #require(journal.log.verifier?.text)
        func monitor() throws -> Outcome { try GoMonitor.run("-key", key, "-state", state, url) }

        let subject = UUID()
        var size = 0
        for target in [1, 255, 256, 257, 65_536, 70_000] {
            while size < target {
                let count = min(2_000, target - size)
                try await journal.log.append((0..<count).map { _ in TestJournal.event(UUID(), subject: subject) })
                size += count
            }
            _ = try journal.log.write(journal.log.publish(), to: site)
            let seen = try monitor()
            #expect(seen.status == 0, "\(seen.message)")
            #expect(seen.text.contains(" \(target) events, 5 leaves checked"), "\(seen.message)")
        }
        let full = try FileBytes.read(site + "/tile/0/000")
        var erasure = TestJournal.event(subject, subject: journal.log.description.id)
        erasure.header.type = EventLog.erasedType
        erasure.header.entry = subject
        _ = try await journal.log.erase(subject, events: [erasure])
        _ = try journal.log.write(journal.log.publish(), to: site)
        let after = try monitor()
        #expect(after.status == 0, "\(after.message)")
        #expect(after.text.contains("extends 70000"), "\(after.message)")
        #expect(try FileBytes.read(site + "/tile/0/000") == full)

        // One bit of a tile at the right edge, of the checkpoint, or another log.
        let edge = site + "/tile/2/000.p/1"
        let hashes = try FileBytes.read(edge)
        var turned = hashes
        turned[5] ^= 1
        try FileBytes.write(turned, to: edge)
        #expect(try monitor().status == 1)
        try FileBytes.write(hashes, to: edge)
        #expect(try monitor().status == 0)
        let checkpoint = try FileBytes.read(site + "/checkpoint")
        let root = try #require(checkpoint.firstIndex(of: 0x0A)) + 10
        var forged = checkpoint
        forged[root] ^= 1
        try FileBytes.write(forged, to: site + "/checkpoint")
        #expect(try monitor().status == 1)
        let other = try TestJournal()
        try await other.log.append([TestJournal.event()])
        try FileBytes.write(checkpoint, to: site + "/checkpoint")
        let stranger = try #require(other.log.verifier?.text)
        #expect(try GoMonitor.run("-key", stranger, url).status == 1)
    }
}
