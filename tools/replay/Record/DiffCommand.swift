import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange

struct DiffCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed in a record between two moments, and by which events.",
        discussion: """
            Events at the first moment are excluded, and events at the second are included.

            Example:
              healthjournal-replay diff 2024-01-01 2024-12-31 --record 3f2a9c1e
            """
    )

    private static let longestValue = 60

    @OptionGroup var journal: JournalOptions

    @Argument(help: ArgumentHelp("The earlier moment: a position, a time or a date.", valueName: "when"))
    var from: String

    @Argument(help: ArgumentHelp("The later moment.", valueName: "when"))
    var to: String

    @Option(help: "The record.")
    var record: String

    @Option(help: "The output format.")
    var format: ListFormat = .table

    func perform(_ output: ReplayOutput) async throws {
        let moments = (from: try OpenJournal.moment(from), to: try OpenJournal.moment(to))
        let journal = try journal.open()
        try journal.requireKey(to: "compare versions of a record")
        let start = try journal.position(moments.from)
        let end = try journal.position(moments.to)
        guard start <= end else {
            throw Failure(
                .usage,
                "the first moment, position \(start), is after the second, position \(end): swap them"
            )
        }
        let record = try journal.record(record)
        var fold = RecordFold()
        var old: RecordState?
        var events: [RecordedEvent] = []
        try journal.forEachChange(of: record, through: end) { event in
            if event.stamp.position > start {
                if events.isEmpty { old = fold.state }
                events.append(event)
            }
            fold.take(event)
        }
        if events.isEmpty { old = fold.state }
        let diff = RecordDiff(from: old, to: fold.state, events: events)
        let names = try journal.names(through: end)
        switch format {
        case .table:
            guard !diff.items.isEmpty else {
                Messages.say("nothing changed in the record between position \(start) and position \(end)")
                return
            }
            var table = TextTable([.init("CHANGE"), .init("WHAT"), .init("BEFORE → AFTER"), .init("BY")])
            for item in diff.items {
                table.add(item.cells(names, longest: DiffCommand.longestValue, in: journal.shownZone))
            }
            try output.table(table)
        case .json:
            try output.json(
                .members(
                    ("record", .string(record.text)),
                    ("from", try journal.json(at: start)),
                    ("to", try journal.json(at: end)),
                    ("changes", .array(diff.items.map { $0.json(names) }))
                )
            )
        }
    }
}

extension OpenJournal {
    /// Returns a position and its recorded time as JSON.
    func json(at position: UInt64) throws -> JSONValue {
        .members(
            ("position", .integer(position)),
            ("recordedAt", position == 0 ? nil : .string(try stamp(at: position).recordedAt.description))
        )
    }
}
