import EventLog
import Foundation
import TestSupport
import Testing

extension FaultSuite {
    @Suite("Many concurrent processes")
    struct CrowdTests {}
}

extension FaultSuite.CrowdTests {
    /// The largest allowed ratio of the file's size with readers to its size without.
    private static let growth = 1.5

    @Test("Two writers, eight readers and an auditor run concurrently without faults, and the file stays small")
    func crowd() async throws {
        var tally = Tally("two writers, eight readers and an auditor (growth ≤ 1.5)")
        let journal = try FaultJournal.created()
        let seconds = FaultScale.count(3, long: 60)
        let lookers = try (0..<9)
            .map { number in
                try journal.child([
                    number == 0 ? "audit" : "read", journal.folder.path, journal.keyFile, "\(seconds)",
                ])
            }
        for looker in lookers { #expect(looker.readLine() == "ready") }
        let acknowledged = try await write(to: journal, [1, 2].map { ($0, 10_000_000, ["seconds=\(seconds)"]) })
        for looker in lookers {
            let said = looker.readLines()
            #expect(looker.wait() == 0)
            guard let last = said.last, last.hasSuffix(" faults 0"), !last.contains(" 0 faults") else {
                tally.row.lies += 1
                Issue.record("beside the writers: \(said.prefix(3)), \(said.last ?? "nothing")")
                continue
            }
        }
        await Aftermath(journal: journal, acknowledged: acknowledged, what: "a crowd").examine(&tally.row)

        // The same appends without other processes.
        let alone = try FaultJournal.created()
        let counts = [1, 2].map { tag in (UInt8(tag), acknowledged.count { $0.tag == tag }, [String]()) }
        let again = try await write(to: alone, counts)
        #expect(again.count == acknowledged.count)
        let ratio = Double(try size(of: journal)) / Double(try size(of: alone))
        print("\(acknowledged.count) appends in \(seconds) s; file beside readers and without: \(ratio)")
        #expect(ratio <= FaultSuite.CrowdTests.growth)
        tally.row.tried = lookers.count + 2
        tally.finish()
    }

    /// Runs one writer process per element of `work`, and returns the appends that they acknowledged.
    private func write(to journal: FaultJournal, _ work: [(tag: UInt8, count: Int, words: [String])]) async throws
        -> [Acknowledgement]
    {
        let children = try work.map { tag, count, words in
            (tag: tag, child: try journal.work(tag, from: 0, count: count, width: 4, words))
        }
        // A child blocks when its pipe is full, so that all children must be read concurrently.
        return try await withThrowingTaskGroup(of: [Acknowledgement].self) { group in
            for writer in children {
                group.addTask {
                    let lines = writer.child.readLines()
                    #expect(lines.last == "done")
                    #expect(!lines.contains { $0.hasPrefix("err") })
                    return lines.compactMap { Acknowledgement($0, tag: writer.tag) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func size(of journal: FaultJournal) throws -> Int {
        try FileBytes.read(journal.folder.log + "/data.mdb").count
    }
}
