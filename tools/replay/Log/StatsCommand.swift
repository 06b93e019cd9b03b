import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange

struct StatsCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the log's events, streams and bytes, and its events of each category and type.",
        discussion: """
            Reads only headers, and needs no key.

            Example:
              healthjournal-replay stats --format json
            """
    )

    @OptionGroup var journal: JournalOptions

    @Option(help: "The output format.")
    var format: ListFormat = .table

    func perform(_ output: ReplayOutput) async throws {
        let journal = try journal.open()
        let stats = try LogStatistics(of: journal.log)
        switch format {
        case .table: try output.table(stats.table(in: journal.shownZone))
        case .json: try output.json(stats.json)
        }
    }
}

/// The content of a log, counted in one pass over its headers.
struct LogStatistics {
    private(set) var events: UInt64 = 0
    private(set) var streams: UInt64 = 0
    private(set) var frameBytes: UInt64 = 0
    private(set) var fileBytes: UInt64 = 0
    private(set) var first: Instant?
    private(set) var last: Instant?
    private(set) var byType: [UInt16: UInt64] = [:]
    private(set) var byCategory: [UInt16: UInt64] = [:]

    init(of log: EventLog) throws {
        let head = try log.head()
        let progress = ReplayProgress("counting")
        try log.forEachFrame(through: head) { frame in
            take(frame)
            progress.report(frame.position, of: head)
            return true
        }
        fileBytes = LogStatistics.size(of: log.folder.log + "/data.mdb")
    }

    private mutating func take(_ frame: Frame) {
        let recordedAt = Instant(microseconds: frame.recordedAt)
        events += 1
        // Each stream has exactly one first event, so no set of streams has to be kept in memory.
        if frame.streamPosition == 1 { streams += 1 }
        frameBytes += UInt64(frame.bytes.byteCount)
        if first == nil { first = recordedAt }
        last = recordedAt
        byType[frame.type, default: 0] += 1
        byCategory[frame.category, default: 0] += 1
    }

    private static func size(of path: String) -> UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    private var categories: [(name: String, count: UInt64)] {
        byCategory.sorted { $0.key < $1.key }.map { (EventCategory.shownName($0.key), $0.value) }
    }

    private var types: [(name: String, count: UInt64)] {
        byType.sorted { $0.key < $1.key }.map { (EventType.shownName($0.key), $0.value) }
    }

    func table(in zone: TimeZone) -> TextTable {
        var table = TextTable([.init("WHAT"), .init("COUNT", .right)])
        table.add(["events", String(events)])
        table.add(["streams", String(streams)])
        table.add(["bytes of events", String(frameBytes)])
        table.add(["bytes of the log's file", String(fileBytes)])
        table.add(["first recorded", first?.text(in: zone) ?? "–"])
        table.add(["last recorded", last?.text(in: zone) ?? "–"])
        for (name, count) in categories { table.add(["category \(name)", String(count)]) }
        for (name, count) in types { table.add(["type \(name)", String(count)]) }
        return table
    }

    var json: JSONValue {
        func counts(_ counts: [(name: String, count: UInt64)]) -> JSONValue {
            .object(counts.map { .init($0.name, .integer($0.count)) })
        }
        return .members(
            ("events", .integer(events)),
            ("streams", .integer(streams)),
            ("bytes", .members(("frames", .integer(frameBytes)), ("file", .integer(fileBytes)))),
            ("firstRecordedAt", .text(first?.description)),
            ("lastRecordedAt", .text(last?.description)),
            ("categories", counts(categories)),
            ("types", counts(types))
        )
    }
}
