import EventLog
import FoundationEssentials
import HealthModel
import JournalEvents
import MedicalRecords
import ProjectionKit

/// Reads pages of 50 entries from the record with the most entries, as of now and as of positions throughout the past.
public struct AsOfWork: Sendable {
    private static let pageLength = 50
    private static let times = 2_000

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        let log = try folder.open()
        defer { log.close() }
        let views = try ViewStore(log: log)
        defer { views.close() }
        let view = RecordContentsView(views: views, log: log)
        let head = try log.head()
        let entries = try Entries(log, through: head)
        var random = Random(seed: 3)
        var now: [Duration] = []
        var past: [Duration] = []
        // Each page is read twice: as of now, and as of the position at which its last entry was added.
        for _ in 0..<AsOfWork.times {
            let first = random.below(max(1, entries.added.count - AsOfWork.pageLength))
            let last = entries.added[min(first + AsOfWork.pageLength, entries.added.count) - 1]
            let after = first == 0 ? 0 : entries.added[first - 1]
            now.append(try read(view, entries.record, after: after, asOf: head))
            past.append(try read(view, entries.record, after: after, asOf: last))
        }
        let (nowTime, pastTime) = (now.quantile(0.5), past.quantile(0.5))
        return WorkResult("asof", events: Int(head), in: (now + past).reduce(.zero, +))
            .with("entries", entries.added.count).with("now_us", nowTime.microseconds)
            .with("past_us", pastTime.microseconds).with("ratio", pastTime / nowTime)
    }

    private func read(
        _ view: RecordContentsView,
        _ record: UUID,
        after: UInt64,
        asOf position: UInt64
    ) throws -> Duration {
        var selection = MedicalRecordsView.Selection()
        (selection.after, selection.limit) = (after, AsOfWork.pageLength)
        let begin = ContinuousClock.now
        let state = try view.record(record, asOf: position, selection)
        let taken = ContinuousClock.now - begin
        guard let state, !state.entries.isEmpty, state.entries.count <= AsOfWork.pageLength else {
            throw WorkError.wrongAnswer
        }
        return taken
    }

    /// The positions at which the entries of the record with the most entries were added.
    private struct Entries {
        var record = UUID.zero
        var added: [UInt64] = []

        init(_ log: EventLog, through head: UInt64) throws {
            var counts: [UUID: Int] = [:]
            try log.forEachFrame(through: head) { frame in
                if frame.type == EntryAdded.type.rawValue { counts[frame.subject, default: 0] += 1 }
                return true
            }
            guard let largest = counts.max(by: { $0.value < $1.value }) else { throw WorkError.wrongAnswer }
            record = largest.key
            try log.forEachFrame(through: head) { frame in
                if frame.type == EntryAdded.type.rawValue, frame.subject == record { added.append(frame.position) }
                return true
            }
        }
    }
}
