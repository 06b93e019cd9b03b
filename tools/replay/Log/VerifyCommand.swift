import ArgumentParser
import EventLog
import HealthModel
import Interchange

struct VerifyCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check everything that the log claims; exit with 3 if anything is not as it was written.",
        discussion: """
            Checks positions, streams, recorded times, every hash of the tree and every seal. With --views, also holds \
            the views against a fresh fold of the log.

            Example:
              healthjournal-replay verify --views
            """
    )

    @OptionGroup var journal: JournalOptions

    @Flag(help: "Hold the views against a fresh fold of the log, at many positions.")
    var views = false

    @Option(help: "How it is shown.")
    var format: ListFormat = .table

    func perform(_ output: Output) async throws {
        let journal = try journal.open()
        let verification = try verify(journal)
        var report: ViewReport?
        // Views of a log that is not what was written prove nothing.
        if views, verification.isSound, journal.keyProblem == nil { report = try ViewCheck(journal).run() }
        switch format {
        case .table: try output.table(VerifyCommand.table(verification, report))
        case .json: try output.json(VerifyCommand.json(verification, report))
        }
        try output.flush()
        journal.sayWhatIsSealed("no seal was opened: headers, links, times and hashes were checked, payloads were not")
        guard verification.isSound else {
            let places = verification.faults.map { "position \($0.position): \($0.what)" }
            let more = verification.faultCount - places.count
            throw Failure(
                .mismatch,
                "the log is not what was written. " + places.joined(separator: "; ")
                    + (more > 0 ? "; and \(more) more" : "")
            )
        }
        if views, report == nil { throw Failure(.failed, "the views can be checked only with the master key") }
        if let report, !report.isSound {
            throw Failure(
                .mismatch,
                "the views differ from the log in \(report.mismatchCount) places; run: healthjournal views rebuild"
            )
        }
    }

    /// A page that cannot be read at all is a mismatch as much as one that reads otherwise.
    private func verify(_ journal: OpenJournal) throws -> Verification {
        let progress = Progress("verifying")
        var verification: Verification
        do {
            verification = try journal.log.verify { done, all in progress.report(done, of: all) }
        } catch {
            guard error.code == .damaged else { throw error }
            throw Failure(.mismatch, "the log is not what was written: \(error.message)")
        }
        checkDescription(journal.log, &verification)
        return verification
    }

    /// Holds what the log says of itself, which no hash covers, against the event that began it.
    private func checkDescription(_ log: EventLog, _ verification: inout Verification) {
        // An event that is not there has been reported.
        guard let first = try? log.event(at: 1), first.header.type == EventType.journalCreated.rawValue else { return }
        if first.header.stream != log.description.id {
            verification.report("it began another journal than the log says it is", at: 1)
        }
        if log.description.createdAt > first.recordedAt {
            verification.report("it was recorded before the log says it was made", at: 1)
        }
        if case .read(let recorded) = log.content(of: first), case .journalCreated(_, let zone) = recorded.event,
            zone != log.description.zone
        {
            verification.report("it names another time zone than the log, so that dates would end elsewhere", at: 1)
        }
    }

    private static func table(_ verification: Verification, _ report: ViewReport?) -> TextTable {
        var table = TextTable([.init("CHECK"), .init("RESULT")])
        table.add(["events", String(verification.head)])
        table.add(["root hash", verification.root.hexadecimal])
        table.add(["seals opened", String(verification.sealsOpened)])
        table.add(["seals of erased subjects", String(verification.sealsErased)])
        table.add(["seals unread", String(verification.sealsUnread)])
        table.add(["log", verification.isSound ? "as it was written" : "\(verification.faultCount) faults"])
        for fault in verification.faults { table.add(["position \(fault.position)", fault.what]) }
        if let report {
            table.add([
                "views",
                "\(report.positions) positions, \(report.records) records, \(report.entries) entries, "
                    + "\(report.grants) grants, \(report.totals) cost totals compared",
            ])
            table.add(["views against the log", report.isSound ? "agree" : "\(report.mismatchCount) mismatches"])
            for mismatch in report.mismatches { table.add(["position \(mismatch.position)", mismatch.what]) }
        }
        return table
    }

    private static func json(_ verification: Verification, _ report: ViewReport?) -> JSONValue {
        .members(
            ("events", .integer(verification.head)),
            ("root", .string(verification.root.hexadecimal)),
            (
                "seals",
                .members(
                    ("opened", .integer(verification.sealsOpened)),
                    ("erased", .integer(verification.sealsErased)),
                    ("unread", .integer(verification.sealsUnread))
                )
            ),
            ("isSound", .bool(verification.isSound && report?.isSound != false)),
            ("faultCount", .integer(verification.faultCount)),
            ("faults", .array(verification.faults.map { fault(fault: $0.position, $0.what) })),
            ("views", report.map(json))
        )
    }

    private static func json(_ report: ViewReport) -> JSONValue {
        .members(
            ("isSound", .bool(report.isSound)),
            ("positions", .integer(report.positions)),
            ("records", .integer(report.records)),
            ("entries", .integer(report.entries)),
            ("grants", .integer(report.grants)),
            ("totals", .integer(report.totals)),
            ("mismatchCount", .integer(report.mismatchCount)),
            ("mismatches", .array(report.mismatches.map { fault(fault: $0.position, $0.what) }))
        )
    }

    private static func fault(fault position: UInt64, _ what: String) -> JSONValue {
        .members(("position", .integer(position)), ("what", .string(what)))
    }
}

extension MerkleHash {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
