import EventLog
import Foundation
import TestSupport
import Testing

extension FaultSuite {
    @Suite("Processes killed with SIGKILL")
    struct KillTests {}
}

extension FaultSuite.KillTests {
    @Test("Nothing acknowledged is lost when one writer is killed at random instants")
    func oneWriter() async throws {
        var random = SeededGenerator()
        let kills = FaultScale.count(12, long: 450)
        var tally = Tally("kill -9 at a random instant, one writer", atLeast: kills)
        var history = try History()
        while tally.row.tried < kills {
            if history.isLong { history = try History() }
            let width = [1, 1, 6, 20].randomElement(using: &random) ?? 1
            let words = Bool.random(using: &random) ? ["views"] : []
            let child = try history.start(1, width: width, words)
            try history.kill([child], after: Int.random(in: 0..<40, using: &random), &random)
            await history.examine(&tally.row, "one writer, width \(width)")
        }
        tally.finish()
    }

    @Test("Nothing acknowledged is lost when two writers are killed one after the other at random instants")
    func twoWriters() async throws {
        var random = SeededGenerator()
        let kills = FaultScale.count(6, long: 250)
        var tally = Tally("kill -9 at a random instant, two writers", atLeast: kills)
        var history = try History()
        while tally.row.tried < kills {
            if history.isLong { history = try History() }
            let children = try [1, 2].map { try history.start($0, width: 3, []) }
            try history.kill(children.shuffled(using: &random), after: Int.random(in: 0..<40, using: &random), &random)
            await history.examine(&tally.row, "two writers")
        }
        tally.finish()
    }

    @Test("Nothing acknowledged is lost by a kill before, in or after any write, sync, resize or change of a name")
    func eachStep() async throws {
        guard FaultSuite.canPreload else { return }
        var random = SeededGenerator()
        var tally = Tally(
            "kill -9 at each step of creation, appends and commits",
            atLeast: FaultScale.count(8, long: 400)
        )
        // A short run tries only every 60th step.
        let stride = FaultScale.isLong ? 1 : 60
        let base = try FaultJournal.created()
        for scenario in Scenario.allCases {
            let start =
                try scenario == .lateAppends ? lateJournal(base) : (scenario == .creation ? FaultJournal() : base)
            for action in ["kill-before", "kill-within", "kill-after"] {
                var step = Int.random(in: 1...stride, using: &random)
                while try await kill(start, scenario, "\(action) any \(step) 1 0", &tally.row) { step += stride }
            }
        }
        tally.finish()
    }

    private enum Scenario: CaseIterable {
        case creation, firstAppends, lateAppends, appendsTogether
    }

    /// Returns a copy of a journal after a writer with views has ended in order.
    private func lateJournal(_ base: FaultJournal) throws -> FaultJournal {
        let journal = try base.copy()
        #expect(try journal.work(1, from: 0, count: 20, ["views"]).readLines().last == "done")
        return journal
    }

    /// Runs a child with a plan to kill it, and reports whether it was killed.
    private func kill(
        _ start: FaultJournal,
        _ scenario: Scenario,
        _ plan: String,
        _ row: inout FaultRow
    ) async throws -> Bool {
        let journal = try start.copy()
        let shim = FaultJournal.Shim(plan: plan)
        let child =
            switch scenario {
            case .creation: try journal.create(shim)
            case .firstAppends: try journal.work(2, from: 0, count: 6, shim: shim)
            case .lateAppends: try journal.work(2, from: 0, count: 6, ["views"], shim: shim)
            case .appendsTogether: try journal.work(2, from: 0, count: 24, width: 6, shim: shim)
            }
        let lines = child.readLines()
        _ = child.wait()
        guard child.wasKilled else {
            #expect(lines.last == (scenario == .creation ? "created" : "done"), "\(lines)")
            return false
        }
        let what = "\(scenario), \(plan)"
        if scenario == .creation {
            try await examineCreation(journal, wasCreated: lines.contains("created"), what, &row)
        } else {
            let answers = lines.compactMap { Acknowledgement($0, tag: 2) }
            let views = scenario == .lateAppends
            await Aftermath(journal: journal, acknowledged: answers, hasViews: views, what: what).examine(&row)
        }
        return true
    }
}

/// A journal whose writers are killed again and again, and the appends that they acknowledged.
private struct History {
    let journal: FaultJournal
    private var acknowledged: [Acknowledgement] = []
    private var seen: [ObjectIdentifier: UInt8] = [:]

    init() throws {
        journal = try FaultJournal.created()
    }

    /// Whether the journal is so long that further checks would only become slower.
    var isLong: Bool { acknowledged.count > 400 }

    mutating func start(_ tag: UInt8, width: Int, _ words: [String]) throws -> ChildProcess {
        // Starts slightly before the last acknowledged append, so that some ids are repeated.
        let last = acknowledged.filter { $0.tag == tag }.map(\.number).max() ?? -1
        let child = try journal.work(tag, from: max(0, last - 3), count: 100_000, width: width, words)
        seen[ObjectIdentifier(child)] = tag
        return child
    }

    /// Kills the children one after the other, each after it has printed `lines` lines.
    ///
    /// If `lines` is 0, a child is killed after a random time.
    mutating func kill(_ children: [ChildProcess], after lines: Int, _ random: inout SeededGenerator) throws {
        for child in children {
            let tag = seen[ObjectIdentifier(child)] ?? 0
            var said: [String] = []
            // Without a line to wait for, the child is killed somewhere during its start.
            if lines == 0 { usleep(UInt32.random(in: 0..<60_000, using: &random)) }
            for _ in 0..<lines { child.readLine().map { said.append($0) } }
            usleep(UInt32.random(in: 0..<3_000, using: &random))
            child.kill9()
            said += child.readLines()
            for line in said {
                #expect(line.hasPrefix("ack ") || line.hasPrefix("view "), "\(line)")
                if let answer = Acknowledgement(line, tag: tag) { take(answer) }
            }
        }
    }

    private mutating func take(_ answer: Acknowledgement) {
        if let known = acknowledged.first(where: { $0.tag == answer.tag && $0.number == answer.number }) {
            #expect(known == answer, "a second answer for the same append")
        } else {
            acknowledged.append(answer)
        }
    }

    func examine(_ row: inout FaultRow, _ what: String) async {
        await Aftermath(journal: journal, acknowledged: acknowledged, hasViews: true, what: what).examine(&row)
    }
}

/// Checks a journal whose creation was interrupted.
///
/// It must exist if its creation was acknowledged. Otherwise it must be possible to create it again.
func examineCreation(
    _ journal: FaultJournal,
    wasCreated: Bool,
    _ what: String,
    _ row: inout FaultRow
) async throws {
    if !wasCreated {
        // A part of the master key file may exist; it is never overwritten, so its owner has to remove it.
        if (try? MasterKey(file: journal.keyFile)) == nil {
            try? FileManager.default.removeItem(atPath: journal.keyFile)
        }
        let lines = try journal.create().readLines()
        guard lines == ["created"] || lines.first?.hasPrefix("refused journalExists|") == true else {
            row.tried += 1
            row.lies += 1
            row.complaints.append("\(what): cannot be made again: \(lines)")
            return
        }
    }
    await Aftermath(journal: journal, acknowledged: [], what: what).examine(&row)
}
