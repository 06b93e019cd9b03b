import EventLog
import FoundationEssentials
import HealthModel
import JournalEvents
import MedicalRecords
import ProjectionKit

/// What nearly every request or event goes through, one operation at a time: what instruction counts are held to.
public enum HotPath: String, CaseIterable, Sendable {
    /// A health event made ready, sealed, decided, stamped, hashed, written and acknowledged, in appends of 100.
    case append
    /// An event looked up and its header read.
    case read
    /// An event opened and decoded.
    case open
    /// An event opened, decoded and folded into its record.
    case fold
    /// An event taken into all the views.
    case apply
    /// An event's frame, hashes, links and seal checked.
    case verify
    /// A page of 50 entries as of the past.
    case page
}

/// A journal on which hot paths are gone along.
public struct HotPathGround: Sendable {
    private static let events = 4_000
    private static let records = 10
    private static let batch = 100
    private static let pageLength = 50
    /// All that valgrind gives.
    private static let mapSize = 1 << 30

    private let log: EventLog
    private let views: ViewStore
    private let view: MedicalRecordsView
    private let record: UUID

    /// Makes a journal of some thousand events in a folder that is not there yet.
    public init(_ folder: WorkFolder) async throws {
        log = try folder.create(mapSize: HotPathGround.mapSize)
        var source = HealthEvents(records: HotPathGround.records)
        try await log.append(source.next(HotPathGround.events))
        views = try ViewStore(log: log, mapSize: HotPathGround.mapSize)
        view = MedicalRecordsView(views: views, log: log)
        guard let first = try view.records(asOf: log.head()).first else { throw WorkError.wrongAnswer }
        record = first
    }

    /// Goes along a path so many times.
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
        var source = HealthEvents(records: HotPathGround.records, seed: UInt64(times))
        for _ in 0..<(times / HotPathGround.batch) { try await log.append(source.next(HotPathGround.batch)) }
    }

    private func each(_ times: Int, _ body: (Frame) throws -> Void) throws {
        try repeating(times) {
            try log.forEachFrame(through: UInt64(HotPathGround.events)) { frame in
                try body(frame)
                return true
            }
        }
    }

    private func fold(_ times: Int) throws {
        try repeating(times) {
            var states: [UUID: RecordState?] = [:]
            try log.forEachFrame(through: UInt64(HotPathGround.events)) { frame in
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
        selection.limit = HotPathGround.pageLength
        let state = try view.record(record, asOf: UInt64(HotPathGround.events) / 2, selection)
        guard state?.entries.count == HotPathGround.pageLength else { throw WorkError.wrongAnswer }
    }

    /// As often as the journal's events make up `times`.
    private func repeating(_ times: Int, _ body: () throws -> Void) throws {
        for _ in 0..<max(1, times / HotPathGround.events) { try body() }
    }
}
