import Foundation
import Glibc
import Interchange
import TestSupport
import Testing

/// Syncs that are interrupted: `tools/sync-faults` runs many, and the other tests some.
@Suite("Interrupted syncs", .serialized)
struct SyncFaultTests {
    @Test("Wherever the connection is cut, each change is in the log once, and nothing is lost")
    func cuts() throws {
        var random = SeededGenerator()
        let service = try LiveService()
        let scene = try Scene(service)
        let tries = FaultScale.count(12, long: 400)
        for number in 0..<tries {
            let count = 1 + random.below(4)
            try scene.change(scene.phone, count)
            if random.below(3) == 0 { try scene.change(scene.tablet, 1) }
            // From the first request to beyond the end of the last answer.
            let (direction, bytes) = (["up", "down"][random.below(2)], 1 + random.below(6_000))
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "cut.py").path
            let port = try #require(service.url.split(separator: ":").last)
            let cut = try scene.phone.tool.background(
                "/usr/bin/env",
                ["python3", script, String(port), direction, String(bytes)]
            )
            let url = try #require(cut.firstLine.split(separator: " ").last)
            let outcome = try scene.phone.tool.run(scene.phone.syncing(at: String(url)))
            #expect([0, 1].contains(outcome.status), "\(direction) \(bytes): \(outcome.message)")
            if outcome.status == 1 {
                let isClear = outcome.message.contains("broke") && !outcome.message.contains("is not known")
                #expect(isClear, "\(direction) \(bytes): \(outcome.message)")
            }
            // Everything is shown here, whatever became of the sync.
            if number % 4 == 0 {
                #expect(try scene.shown(by: scene.phone).isSuperset(of: scene.made(on: scene.phone)), "\(bytes)")
            }
            if random.below(2) == 0 { try scene.phone.sync() }
        }
        try scene.finish("seed \(random.seed)")
    }

    @Test("A sync, a command or the service that is killed at any moment loses no change and repeats none")
    func kills() throws {
        var random = SeededGenerator()
        let service = try LiveService()
        let scene = try Scene(service)
        for number in 0..<FaultScale.count(8, long: 150) {
            try scene.change(scene.phone, 1 + random.below(3))
            let victim: ChildProcess
            if number % 2 == 0 {
                victim = try scene.phone.tool.start(program: CommandLineTool.executable, scene.phone.syncing())
            } else {
                victim = try scene.starting(scene.phone)
            }
            usleep(UInt32(random.below(FaultScale.isLong ? 400_000 : 600_000)))
            victim.signal(SIGKILL)
            victim.wait()
            if number % 2 == 1 { try scene.noteInterrupted(scene.phone) }
        }
        try scene.finish("seed \(random.seed)")
    }

    @Test("A service that is killed while it answers has each change once when it runs again")
    func serviceKills() throws {
        var random = SeededGenerator()
        let local = try CommandLineTool()
        let token = try local.json("token", "issue", "owner", "--scope", "full").string("token")
        var service = try LiveService(local, token)
        let scene = try Scene(service)
        for line in 0..<FaultScale.count(4, long: 60) {
            try scene.change(scene.phone, 6)
            let sync = try scene.phone.tool.start(
                program: CommandLineTool.executable,
                scene.phone.syncing(at: service.url)
            )
            // The moments are spread over the lines of the answer.
            usleep(UInt32(150_000 + line * 7_000 % 120_000 + random.below(20_000)))
            service.kill()
            sync.wait()
            service = try LiveService(local, token)
            if random.below(2) == 0 {
                try scene.phone.tool.run(scene.phone.syncing(at: service.url)).succeeded()
            }
        }
        try scene.finish("seed \(random.seed)", at: service)
    }
}

/// Two replicas of one record, and the changes that were acknowledged on them.
private final class Scene {
    let phone: PocketReplica
    let tablet: PocketReplica
    private let service: LiveService
    private let record: String
    private var number = 0
    private var made: [String: Set<String>] = [:]

    init(_ service: LiveService) throws {
        self.service = service
        record = try service.local.person()
        phone = try PocketReplica(of: service, "phone")
        tablet = try PocketReplica(of: service, "tablet")
    }

    private func next() -> String {
        number += 1
        return "\(50 + number / 1_000).\(1_000 + number % 1_000)"
    }

    /// Logs weights, each with a value of its own.
    func change(_ replica: PocketReplica, _ count: Int) throws {
        for _ in 0..<count {
            let value = next()
            try replica.run("weight", "log", record, value + "kg").succeeded()
            made[replica.path, default: []].insert(value)
        }
    }

    /// Starts a change that the caller will kill.
    func starting(_ replica: PocketReplica) throws -> ChildProcess {
        try replica.tool.start("weight", "log", record, next() + "kg", "--journal", replica.path)
    }

    /// Notes the change that was killed, if it was made.
    func noteInterrupted(_ replica: PocketReplica) throws {
        let value = "\(50 + number / 1_000).\(1_000 + number % 1_000)"
        if try shown(by: replica).contains(value) { made[replica.path, default: []].insert(value) }
    }

    func made(on replica: PocketReplica) -> Set<String> { made[replica.path] ?? [] }

    func shown(by replica: PocketReplica) throws -> Set<String> {
        Set(try replica.json("entry", "list", record, "weight").items.map { try $0.string("value") })
    }

    /// Syncs both, and compares the log with what was acknowledged.
    func finish(_ comment: Comment, at other: LiveService? = nil) throws {
        let service = other ?? service
        for replica in [phone, tablet, phone, tablet] {
            try replica.tool.run(replica.syncing(at: service.url)).succeeded()
        }
        let values = try service.local.json("entry", "list", record, "weight").items.map { try $0.string("value") }
        let acknowledged = made.values.reduce(into: Set()) { $0.formUnion($1) }
        #expect(values.count == Set(values).count, comment)
        let lost = acknowledged.subtracting(values)
        #expect(lost.isEmpty, comment)
        #expect(try phone.json("replica", "status").integer("waiting") == 0)
        try service.expectSame([phone, tablet], ["entry", "list", record, "weight"])
        let verified = try service.local.run(
            ChildProcess.shipped("healthjournal-replay"),
            [
                "verify", "--views", "--journal", service.local.journal,
            ]
        )
        #expect(verified.status == 0, "\(verified.text)\(verified.message)")
        print("acknowledged \(acknowledged.count), in the log \(values.count), lost \(lost.count)")
    }
}
