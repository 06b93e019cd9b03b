import FoundationEssentials

/// The reports of one planned dose by devices or people that did not know of each other's; they are shown as one dose.
///
/// Withdrawing one report leaves the others: an undo on one device does not hide a report from another. They are folded
/// from the events of the dose's entry. A report that is not shown is an `entry.diverged` without `base`, which
/// follows the correction if the new report is shown.
struct DoseReports {
    struct Report {
        var writer: ChangeWriter
        var content: EntryContent
        /// Where it was recorded.
        var position: UInt64
    }

    /// The reports that were not withdrawn, at most one of each reporter.
    private(set) var standing: [Report] = []
    /// The last withdrawn report of each reporter.
    private(set) var withdrawn: [UUID: EntryContent] = [:]
    /// Who made the report that is shown.
    private(set) var shown: UUID?
    /// Changes of the shown report by others than its reporter.
    private var corrections: [(reporter: UUID, position: UInt64)] = []
    /// Who made the report that an event kept beside the shown one, by the event's position.
    private var kept: [UInt64: UUID] = [:]
    /// The report that the preceding event changed, and that event.
    private var replaced: (report: Report, by: Report)?

    init(_ events: [RecordedEvent]) {
        var state: EntryState?
        for event in events {
            evolve(&state, event)
            guard let content = state?.content else { continue }
            let report = Report(writer: event.writer, content: content, position: event.stamp.position)
            // One change that a device sent is recorded as consecutive events.
            let before = replaced.flatMap { replaced in
                replaced.by.writer == report.writer && replaced.by.position + 1 == report.position
                    ? replaced.report : nil
            }
            replaced = nil
            switch event.type.entryEffect {
            case .adds where standing.isEmpty: show(report)
            case .restores: show(report)
            case .retracts:
                for report in standing { withdrawn[report.reporter] = report.content }
                (standing, shown) = ([], nil)
            case .replaces: correct(report)
            case .annotates:
                switch event.event {
                case .fields(let data as EntryDiverged):
                    kept[event.stamp.position] = data.writer.reporter
                    keep(data, report, before)
                case .fields(let data as DivergenceSettled) where data.choice == .both:
                    // That report is a dose of its own now.
                    if let reporter = kept[data.position], reporter != shown {
                        standing.removeAll { $0.reporter == reporter }
                    }
                default: break
                }
            case .adds, .erases, nil: break
            }
        }
    }

    /// Returns the report of a reporter that was not withdrawn.
    func report(of reporter: UUID) -> Report? { standing.first { $0.reporter == reporter } }

    /// Returns the reports that remain if a reporter withdraws the own one and those that were known at a position.
    func remaining(without reporter: UUID, knownAt position: UInt64) -> [Report] {
        standing.filter { $0.reporter != reporter && $0.position > position }
    }

    /// Whether another reporter corrected the dose after a position, other than by an own report.
    func isCorrected(after position: UInt64, besides reporter: UUID) -> Bool {
        corrections.contains { $0.reporter != reporter && $0.position > position }
    }

    private mutating func show(_ report: Report) {
        set(report)
        shown = report.reporter
    }

    private mutating func set(_ report: Report) {
        standing.removeAll { $0.reporter == report.reporter }
        standing.append(report)
        withdrawn[report.reporter] = nil
    }

    private mutating func correct(_ report: Report) {
        guard let index = standing.firstIndex(where: { $0.reporter == shown }) else { return }
        replaced = (standing[index], report)
        standing[index].content = report.content
        if report.reporter == shown {
            // The reporter says once more that there was this dose.
            standing[index].position = report.position
        } else {
            corrections.append((report.reporter, report.position))
        }
    }

    /// Applies a version that was kept beside the shown one, and the correction before it.
    private mutating func keep(_ data: EntryDiverged, _ now: Report, _ before: Report?) {
        let reporter = data.writer.reporter
        if data.isRetracted {
            // If it is open, a person decides whether the dose is withdrawn.
            guard data.isSettled else { return }
            undo(before, by: now.reporter)
            for report in standing where report.reporter == reporter || report.position <= data.base ?? 0 {
                withdrawn[report.reporter] = report.content
            }
            standing = remaining(without: reporter, knownAt: data.base ?? 0)
        } else {
            guard data.base == nil else { return }
            undo(before, by: now.reporter)
            if reporter == now.reporter {
                set(Report(writer: data.writer, content: data.content, position: now.position))
            } else {
                show(now)
            }
        }
        // One of the other reports is shown instead of a withdrawn or later one.
        if shown.flatMap({ report(of: $0) })?.content != now.content {
            shown = standing.first { $0.content == now.content }?.reporter ?? standing.first?.reporter
        }
    }

    /// Restores the report that the preceding event replaced: that event was not a correction of it.
    private mutating func undo(_ before: Report?, by reporter: UUID) {
        guard let before, let index = standing.firstIndex(where: { $0.reporter == before.reporter }) else { return }
        standing[index] = before
        if corrections.last?.reporter == reporter, reporter != before.reporter { corrections.removeLast() }
    }
}

extension DoseReports.Report {
    var reporter: UUID { writer.reporter }

    /// Whether this report is shown rather than another one: a dose that was taken prevails, then the earlier one.
    func prevails(over other: DoseReports.Report) -> Bool {
        guard content != other.content, let mine = LoggedDose(id: reporter, content),
            let theirs = LoggedDose(id: reporter, other.content)
        else { return false }
        if mine.status != theirs.status { return mine.status == .taken }
        if mine.at != theirs.at { return mine.at < theirs.at }
        return other.writer.origin < writer.origin
    }

    /// Whether two reports state the same dose, so that no decision between them is needed.
    func isSame(as other: DoseReports.Report) -> Bool {
        guard let mine = LoggedDose(id: reporter, content), let theirs = LoggedDose(id: reporter, other.content) else {
            return false
        }
        let distance = (mine.at.microseconds - theirs.at.microseconds).magnitude
        return mine.status == theirs.status && mine.amount == theirs.amount
            && distance <= UInt64(sameDoseMinutes) * 60_000_000
    }
}

extension [DoseReports.Report] {
    /// The report that is shown of these; nil if there are none.
    var best: DoseReports.Report? {
        dropFirst().reduce(first) { best, next in best.map { next.prevails(over: $0) ? next : $0 } }
    }
}

extension ChangeWriter {
    /// Who reports a dose: a device, or an account at the service itself.
    var reporter: UUID { origin.device ?? author }
}
