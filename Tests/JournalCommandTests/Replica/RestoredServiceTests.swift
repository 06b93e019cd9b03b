import Foundation
import Interchange
import TestSupport
import Testing

/// A service that was restored to an older copy, and a replica that has seen what it lost.
@Suite("Replicas of a restored service")
struct RestoredServiceTests {
    private let local: CommandLineTool
    private let token: String
    private let service: LiveService
    private let record: String
    private let weight: String

    init() throws {
        local = try CommandLineTool()
        token = try local.json("token", "issue", "owner", "--scope", "full").string("token")
        record = try local.person()
        weight = try local.json("weight", "log", record, "70kg").string("entry")
        service = try LiveService(local, token)
    }

    private var copy: String { local.folder.path + "/copy" }

    /// Copies the journal while no command works on it.
    private func backUp() throws { try local.run("backup", copy).succeeded() }

    /// Restores the copy, and starts the service on it.
    private func restored() throws -> LiveService {
        service.kill()
        try FileManager.default.removeItem(atPath: local.journal)
        try local.run("restore", copy).succeeded()
        return try LiveService(local, token)
    }

    private func comments(_ tool: CommandLineTool, _ arguments: [String] = []) throws -> [String] {
        let read = ["entry", "list", record, "weight", "--format", "json"] + arguments
        return try tool.run(read).succeeded().json.items.map { ($0["comment"].flatMap { JSONWriter.text($0) }) ?? "" }
    }

    @Test("What the service lost is sent again, once, and replaces nothing that was changed there since")
    func lost() throws {
        let phone = try PocketReplica(of: service, "phone")
        try backUp()
        try phone.run("weight", "log", record, "71kg", "--comment", "taken, then lost").succeeded()
        try service.local.run("entry", "correct", weight, "comment=lost with the service").succeeded()
        try phone.sync()
        try phone.sync()
        try phone.run("entry", "correct", weight, "comment=made on the phone").succeeded()
        let restored = try restored()
        // Other events are now at the positions that the phone has seen, among them a change of the same entry.
        try local.run("entry", "correct", weight, "comment=made after the restoring").succeeded()
        for _ in 0..<8 { try local.run("weight", "log", record, "75kg", "--date", "2026-01-02").succeeded() }
        let refused = try phone.tool.run(phone.syncing(at: restored.url))
        #expect(refused.status == 4, "\(refused.message)")
        #expect(refused.message.contains("--from-start"), "\(refused.message)")
        #expect(try phone.json("replica", "status").integer("waiting") == 1)
        try phone.tool.run(phone.syncing(at: restored.url, "--from-start")).succeeded()
        let status = try phone.json("replica", "status")
        #expect(try status.integer("waiting") == 0 && status["refused"]?.items.isEmpty == true)
        let kept = try #require(try local.json("divergences").items.first)
        let text = JSONWriter.text(kept)
        #expect(text.contains("made on the phone"), "\(text)")
        #expect(text.contains("made after the restoring"), "\(text)")
        #expect(try comments(local).count { $0.contains("taken, then lost") } == 1)
        try phone.tool.run(phone.syncing(at: restored.url)).succeeded()
        try restored.expectSame([phone], record: record)
    }

    @Test("A sync from the start that is interrupted anywhere is completed by an ordinary sync")
    func interrupted() throws {
        var random = SeededGenerator()
        let phone = try PocketReplica(of: service, "phone")
        try phone.run("weight", "log", record, "71kg", "--comment", "before the copy").succeeded()
        try phone.run("entry", "correct", weight, "comment=on the phone").succeeded()
        try phone.sync()
        try backUp()
        try phone.run("weight", "log", record, "72kg", "--comment", "after the copy").succeeded()
        try phone.sync()
        let restored = try restored()
        try local.run("entry", "correct", weight, "comment=after the restoring").succeeded()
        try phone.run("weight", "log", record, "73kg", "--comment", "waits").succeeded()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "cut.py").path
        let port = try #require(restored.url.split(separator: ":").last)
        for _ in 0..<FaultScale.count(4, long: 40) {
            let (direction, bytes) = (["up", "down"][random.below(2)], 1 + random.below(9_000))
            let cut = try phone.tool.background(
                "/usr/bin/env",
                ["python3", script, String(port), direction, String(bytes)]
            )
            let url = String(try #require(cut.firstLine.split(separator: " ").last))
            let outcome = try phone.tool.run(phone.syncing(at: url, "--from-start"))
            #expect([0, 1].contains(outcome.status), "seed \(random.seed), \(direction) \(bytes): \(outcome.message)")
        }
        try phone.tool.run(phone.syncing(at: restored.url, "--from-start")).succeeded()
        let status = try phone.json("replica", "status")
        #expect(try status.integer("waiting") == 0 && status["refused"]?.items.isEmpty == true, "seed \(random.seed)")
        let found = try comments(local)
        for text in ["before the copy", "after the copy", "waits", "after the restoring"] {
            #expect(found.count { $0.contains(text) } == 1, "seed \(random.seed): \(text)")
        }
        try phone.tool.run(phone.syncing(at: restored.url)).succeeded()
        try restored.expectSame([phone], record: record)
    }

    @Test("A service that lost the device itself takes its changes as those of a new device")
    func unknownDevice() throws {
        try backUp()
        let phone = try PocketReplica(of: service, "phone")
        try phone.run("weight", "log", record, "71kg", "--comment", "on the phone").succeeded()
        let restored = try restored()
        try phone.tool.run(phone.syncing(at: restored.url, "--from-start")).succeeded()
        let status = try phone.json("replica", "status")
        #expect(try status.integer("waiting") == 0 && status["refused"]?.items.isEmpty == true)
        #expect(try comments(local).count { $0.contains("on the phone") } == 1)
        try phone.run("weight", "log", record, "72kg", "--comment", "later").succeeded()
        try phone.tool.run(phone.syncing(at: restored.url)).succeeded()
        #expect(try comments(local).count { $0.contains("later") } == 1)
    }

    @Test("A replica does not become that of another journal, even from the start")
    func otherJournal() throws {
        let phone = try PocketReplica(of: service, "phone")
        try phone.run("weight", "log", record, "71kg").succeeded()
        let other = try LiveService()
        let account = try phone.json("replica", "status").string("account")
        let token = try phone.tool.write(other.token + "\n", to: "other-token")
        let arguments = ["sync", "--journal", phone.path, "--url", other.url, "--token-file", token, "--from-start"]
        let refused = try phone.tool.run(arguments)
        #expect(refused.status == 4, "\(account): \(refused.message)")
        #expect(try phone.json("replica", "status").integer("waiting") == 1)
        #expect(try phone.json("entry", "list", record, "weight").items.count == 2)
    }
}
