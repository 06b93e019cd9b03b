import EventLog
import Foundation
import TestSupport
import Testing
import Workload

extension FaultSuite {
    @Suite("Disk faults")
    struct DiskFaultTests {}
}

extension FaultSuite.DiskFaultTests {
    /// A way in which a call may fail, and the calls at which it is tried.
    struct Fault: CustomTestStringConvertible {
        let name: String
        let plan: String
        let error: Int32

        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "no space at a write", plan: "fail write", error: ENOSPC),
        Fault(name: "an I/O error at a write", plan: "fail write", error: EIO),
        Fault(name: "an I/O error told of a write that was done", plan: "fail-after write", error: EIO),
        Fault(name: "a write that is short", plan: "short write", error: ENOSPC),
        Fault(name: "an I/O error at a sync", plan: "fail sync", error: EIO),
        Fault(name: "no space at a sync", plan: "fail sync", error: ENOSPC),
        Fault(name: "an I/O error told of a sync that was done", plan: "fail-after sync", error: EIO),
        Fault(name: "no space for a file to grow", plan: "fail size", error: ENOSPC),
        Fault(name: "no space for a name", plan: "fail name", error: ENOSPC),
        Fault(name: "no file descriptor left", plan: "fail open", error: EMFILE),
    ]

    @Test("A disk fault at any call fails only the affected appends", arguments: faults)
    func eachCall(_ fault: Fault) async throws {
        guard FaultSuite.canPreload else { return }
        var random = SeededGenerator()
        var tally = Tally(fault.name)
        let new = try FaultJournal.created()
        let old = try new.copy()
        #expect(try old.work(1, from: 0, count: 12, ["views"]).readLines().last == "done")
        let stride = FaultScale.isLong ? 1 : 5
        // Index and views are created in `new` and exist in `old`; one call fails, or all from then on.
        for base in [new, old] {
            for count in [1, 0] {
                // A fault that lasts starts at the first call: some calls occur fewer times than a stride.
                var step = count == 0 ? 1 : Int.random(in: 1...stride, using: &random)
                while try await strike(base, "\(fault.plan) \(step) \(count) \(fault.error)", fault.name, &tally.row) {
                    step += stride
                }
            }
        }
        tally.finish()
    }

    /// Runs a writer with a fault plan and reports whether the fault occurred.
    private func strike(_ base: FaultJournal, _ plan: String, _ name: String, _ row: inout FaultRow) async throws
        -> Bool
    {
        let journal = try base.copy()
        let what = "\(name): \(plan)"
        let reader = try Reader(journal)
        let child = try journal.work(2, from: 0, count: 5, ["views"], shim: .init(plan: plan))
        var answers: [Acknowledgement] = []
        var errors: [String] = []
        var lines: [String] = []
        while let line = child.readLine() {
            lines.append(line)
            if let answer = Acknowledgement(line, tag: 2) { answers.append(answer) }
            if line.hasPrefix("err ") || line.hasPrefix("refused ") { errors.append(line) }
            // A reader is not blocked and sees what was acknowledged.
            reader.look(through: answers.last?.last ?? 0, what, &row)
        }
        let status = child.wait()
        guard journal.hasStruck else {
            #expect(errors == [], "\(what): \(lines)")
            #expect(answers.count == 5, "\(what): \(lines)")
            return false
        }
        if status != 0 || child.wasKilled || lines.last.map({ $0 != "done" && !$0.hasPrefix("refused ") }) ?? true {
            row.lies += 1
            Issue.record("\(what): the writer broke down, status \(status): \(lines)")
        }
        for error in errors where !FaultSuite.isClear(error) {
            row.lies += 1
            Issue.record("\(what): \(error)")
        }
        if plan.split(separator: " ")[3] == "1" {
            // After a single fault the same process continues.
            let failed = lines.filter { $0.hasPrefix("err ") && !$0.hasPrefix("err view") }
            if failed.count > 1 {
                row.lies += 1
                Issue.record("\(what): one fault, and \(failed.count) appends failed: \(failed)")
            }
        }
        let before = row
        reader.close()
        await Aftermath(journal: journal, acknowledged: answers, hasViews: true, what: what).examine(&row)
        if !errors.isEmpty, row.survived > before.survived {
            row.survived -= 1
            row.refused += 1
        }
        return true
    }
}

extension FaultSuite {
    /// Reports whether an error describes the fault and not a damaged journal, and has an informative message.
    static func isClear(_ error: String) -> Bool {
        let codes = [" diskFull|", " storage|", " readOnly|", " masterKeyMissing|", " busy|"]
        return error.hasPrefix("err view")
            || codes.contains(where: error.contains) && error.count > 40
                && !error.contains("damaged")
    }
}

/// Reads a journal while its writer runs.
private final class Reader {
    private var log: EventLog?

    init(_ journal: FaultJournal) throws {
        var options = journal.options()
        options.isReadOnly = true
        log = try journal.open(options)
    }

    func look(through position: UInt64, _ what: String, _ row: inout FaultRow) {
        guard let log else { return }
        do {
            let head = try log.head()
            if head < position { throw EventLogError(.damaged, "the head is \(head), not \(position)") }
            for event in try log.events(after: head / 2) { _ = try log.open(event) }
        } catch {
            row.lies += 1
            Issue.record("\(what): a reader beside it: \(error)")
        }
    }

    func close() {
        log?.close()
        log = nil
    }
}
