import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalReplication

extension FaultSuite {
    @Suite("Power cuts of a replica")
    struct OutboxTests {}
}

extension FaultSuite.OutboxTests {
    private static let next: UInt64 = 1_000

    private struct Lost: Error {}

    /// What the processes have said of the outbox.
    private struct Said {
        var isCreated = false
        var kept: Set<UInt64> = []
        var answered: Set<UInt64> = []

        mutating func take(_ line: String) {
            let words = line.split(separator: " ")
            switch (words.first, words.last.flatMap { UInt64($0) }) {
            case ("created", _): isCreated = true
            case ("kept", let number?): kept.insert(number)
            case ("answered", let number?): answered.insert(number)
            default: break
            }
        }
    }

    @Test("No change that a replica has kept is lost in a power cut, also while its outbox is written anew")
    func cuts() async throws {
        guard FaultSuite.canPreload else { return }
        var random = SeededGenerator()
        let cuts = FaultScale.count(24, long: 400)
        var tally = Tally("power cut: a replica's outbox", atLeast: cuts)
        let journal = try FaultJournal()
        let master = MasterKey()
        let key = journal.beside("replica.key")
        try master.write(to: key)
        let traces = try [["create"], ["work", "0", "16"], ["work", "16", "9"]].enumerated()
            .map { number, words in
                let path = journal.beside("trace-\(number)")
                let child = try journal.child(
                    ["replica", words[0], journal.root + "/replica", key] + words.dropFirst(),
                    FaultJournal.Shim(trace: path, isOtherBoot: true),
                    tool: "JournalReader"
                )
                #expect(["created", "done"].contains(child.readLines().last), "\(words)")
                return try Trace(path: path)
            }
        let length = traces.reduce(0) { $0 + $1.steps.count }
        var instants = (0..<cuts).map { _ in Int.random(in: 0...length, using: &random) }.sorted()[...]
        let disk = Disk()
        var (said, done) = (Said(), 0)
        for trace in traces {
            disk.beginProcess()
            for step in trace.steps + (done + trace.steps.count == length ? [.said("end")] : []) {
                while instants.first == done {
                    instants.removeFirst()
                    let cut = Disk.Cut.allCases.randomElement(using: &random) ?? .nothing
                    let what = "cut after step \(done) of \(length), left: \(cut)"
                    let left = try FaultJournal()
                    try disk.write(after: cut, to: left.root, &random)
                    await examine(ReplicaFolder(left.root + "/replica"), master, said, what, &tally.row)
                }
                disk.take(step)
                if case .said(let line) = step { said.take(line) }
                done += 1
            }
        }
        tally.finish()
    }

    private func examine(
        _ folder: ReplicaFolder,
        _ master: MasterKey,
        _ said: Said,
        _ what: String,
        _ row: inout FaultRow
    ) async {
        row.tried += 1
        row.acknowledged += said.kept.count
        guard said.isCreated || ReplicaFolder.isReplica(folder.path) else {
            row.refused += 1
            return
        }
        do {
            // Twice, because the first opening completes or undoes what was interrupted.
            for round in 1...2 {
                let replica = try await Replica(folder, masterKey: master)
                defer { replica.close() }
                let items = try replica.outbox.items()
                let found = Set(items.map(\.change.seq))
                let lost = said.kept.subtracting(said.answered).subtracting(found)
                row.lost += lost.count
                if !lost.isEmpty { Issue.record("\(what): changes \(lost.sorted()) are lost") }
                for item in items where item.change.seq != Self.next {
                    let number = item.change.seq
                    let isNew = !said.kept.contains(number) && number > (said.kept.max() ?? 0) + 1
                    if item.change.id != "change-\(number)" || isNew || item.isWaiting && said.answered.contains(number)
                    {
                        row.lies += 1
                        Issue.record("\(what): change \(number) is not what was kept and answered")
                    }
                }
                // The replica goes on: what is kept next is there after it was opened again.
                if round == 2, !items.isEmpty, !found.contains(Self.next) { throw Lost() }
                if var change = items.last?.change, round == 1 {
                    (change.seq, change.id) = (Self.next, "change-\(Self.next)")
                    try await replica.outbox.keep([change])
                }
            }
            row.survived += 1
        } catch {
            row.lost += said.kept.count
            Issue.record("\(what): \(error)")
        }
    }
}
