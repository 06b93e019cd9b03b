import EventLog
import FoundationEssentials
import HealthModel
import JournalEvents
import MedicalRecords
import ProjectionKit

/// The operations of nearly every request or event, each measured by itself; their instruction counts are limited.
public enum HotPath: String, CaseIterable, Sendable {
    /// Encodes, encrypts, decides, stamps, hashes, writes and acknowledges health events, in appends of 100.
    case append
    /// Looks up an event, and reads its header.
    case read
    /// Decrypts and decodes an event.
    case open
    /// Decrypts and decodes an event, and folds it into its record.
    case fold
    /// Applies an event to all views.
    case apply
    /// Checks the frame, hashes, links and seal of an event.
    case verify
    /// Reads a page of 50 entries as of a past position.
    case page
}

/// A journal on which hot paths are run.
public struct HotPathFixture: Sendable {
    private static let events = 4_000
    private static let records = 10
    private static let batch = 100
    private static let pageLength = 50
    /// The largest map that valgrind allows.
    private static let mapSize = 1 << 30

    private let log: EventLog
    private let views: ViewStore
    private let view: RecordContentsView
    private let record: UUID

    /// Creates a journal of 4,000 events in a folder that does not exist yet.
    public init(_ folder: WorkFolder) async throws {
        log = try folder.create(mapSize: HotPathFixture.mapSize)
        var source = HealthEvents(records: HotPathFixture.records)
        try await log.append(source.next(HotPathFixture.events))
        views = try ViewStore(log: log, mapSize: HotPathFixture.mapSize)
        view = RecordContentsView(views: views, log: log)
        guard let first = try MedicalRecordsView(views: views, log: log).records(asOf: log.head()).first else {
            throw WorkError.wrongAnswer
        }
        record = first
    }

    /// Runs a path for the given number of operations.
    public func run(_ path: HotPath, times: Int) async throws {
        switch path {
        case .append: try await append(times)
        case .read: try each(times) { _ = $0.streamPosition }
        case .open: try each(times) { _ = try log.recorded($0) }
        case .fold: try fold(times)
        case .apply: try apply(times)
        case .verify: try repeating(times) { guard try log.verify().isSound else { throw WorkError.wrongAnswer } }
        case .page: for _ in 0..<times { try page() }
        }
    }

    private func append(_ times: Int) async throws {
        var source = HealthEvents(records: HotPathFixture.records, seed: UInt64(times))
        for _ in 0..<(times / HotPathFixture.batch) { try await log.append(source.next(HotPathFixture.batch)) }
    }

    private func each(_ times: Int, _ body: (Frame) throws -> Void) throws {
        try repeating(times) {
            try log.forEachFrame(through: UInt64(HotPathFixture.events)) { frame in
                try body(frame)
                return true
            }
        }
    }

    private func fold(_ times: Int) throws {
        try repeating(times) {
            var states: [UUID: RecordState?] = [:]
            try log.forEachFrame(through: UInt64(HotPathFixture.events)) { frame in
                evolve(&states[frame.subject, default: nil], try log.recorded(frame))
                return true
            }
        }
    }

    private func apply(_ times: Int) throws {
        try repeating(times) { try RebuildWork.rebuild(views) }
    }

    private func page() throws {
        var selection = MedicalRecordsView.Selection()
        selection.limit = HotPathFixture.pageLength
        let state = try view.record(record, asOf: UInt64(HotPathFixture.events) / 2, selection)
        guard state?.entries.count == HotPathFixture.pageLength else { throw WorkError.wrongAnswer }
    }

    /// Runs `body` as often as the journal's events fit into `times`, and at least once.
    private func repeating(_ times: Int, _ body: () throws -> Void) throws {
        for _ in 0..<max(1, times / HotPathFixture.events) { try body() }
    }
}
