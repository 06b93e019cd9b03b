import ArgumentParser
import Dispatch
import EventLog
import Foundation
import Glibc
import HealthModel
import Interchange

struct FollowCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Print events as they are recorded, until interrupted.",
        discussion: """
            As JSON, one object per line.

            Example:
              healthjournal-replay follow --after 0 --format json
            """
    )

    @OptionGroup var journal: JournalOptions

    @Option(help: "Only events of this record.")
    var record: String?

    @Option(help: ArgumentHelp("Start after this position (default: the log's head).", valueName: "position"))
    var after: UInt64?

    @Option(help: "The output format.")
    var format: ListFormat = .table

    func perform(_ output: ReplayOutput) async throws {
        let journal = try journal.open()
        let record = try record.map(journal.record)
        let head = try journal.log.head()
        let start = after ?? head
        guard start <= head else {
            throw Failure(.notFound, "the journal has no position \(start) yet; its last is \(head)")
        }
        journal.sayWhatIsSealed("only unencrypted data is shown")
        let follower = Task { [format, isWide] in
            try await FollowCommand.follow(journal, record, after: start, format, ReplayOutput(isWide: isWide))
        }
        let signals = [SIGINT, SIGTERM]
            .map { number in
                // The signal is handled only by the dispatch source.
                _ = signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { follower.cancel() }
                source.resume()
                return source
            }
        defer { for source in signals { source.cancel() } }
        do {
            try await follower.value
        } catch is CancellationError {
            return
        }
    }

    private static func follow(
        _ journal: OpenJournal,
        _ record: UUID?,
        after start: UInt64,
        _ format: ListFormat,
        _ output: ReplayOutput
    ) async throws {
        var reader = TrailReader(journal, names: try journal.names(through: start))
        var done = start
        while true {
            let head = try await journal.log.waitForEvents(after: done)
            let filter = TrailFilter(record: record, after: done, through: head)
            try journal.log.forEachEvent(
                after: done,
                through: head,
                where: { filter.admits($0) || ShownNames.matter(in: $0.type) },
                { event in
                    try Task.checkCancellation()
                    guard filter.admits(event) else {
                        reader.note(event)
                        return true
                    }
                    let row = reader.row(of: event)
                    try output.write(
                        format == .json
                            ? JSONWriter.text(row.json) + "\n" : row.text(output.style, in: journal.shownZone)
                    )
                    try output.flush()
                    return true
                }
            )
            done = head
        }
    }
}

extension TrailRow {
    /// The usual widths of the columns, because later rows are not known yet.
    private static let widths = [8, 25, 10, 12, 18, 0, 0, 0]
    private static let longestValue = 60

    /// The row as the only one of a table.
    fileprivate func text(_ style: TextStyle, in zone: TimeZone) -> String {
        var columns = TrailRow.columns
        for (index, width) in TrailRow.widths.enumerated() { columns[index].minimumWidth = width }
        var table = TextTable(columns)
        table.add(cells(longest: TrailRow.longestValue, in: zone))
        return table.text(style, hasTitles: false)
    }
}
