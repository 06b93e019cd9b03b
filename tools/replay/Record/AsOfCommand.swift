import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange

struct AsOfCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "as-of",
        abstract: "Print a record as it was known at a moment, folded from the log and not read from the views.",
        discussion: """
            The record is native JSON, as `healthjournal export --document native --as-of` writes it, or a table for each kind.

            Example:
              healthjournal-replay as-of 2024-05-03 --record 3f2a9c1e
              healthjournal-replay as-of 2024-05-03 --record 3f2a9c1e --format table
            """
    )

    @OptionGroup var journal: JournalOptions

    @Argument(help: "A position, a time or a date.")
    var when: String

    @Option(help: "The record.")
    var record: String

    @Option(help: ArgumentHelp("Only entries that had occurred by this day.", valueName: "date"))
    var happenedBy: String?

    @Option(help: "The output format.")
    var format: ListFormat = .json

    func perform(_ output: ReplayOutput) async throws {
        let moment = try OpenJournal.moment(when)
        let day = try happenedBy.map(AsOfCommand.day)
        let journal = try journal.open()
        try journal.requireKey(to: "read a record")
        let position = try journal.position(moment)
        let record = try journal.record(record)
        guard position > 0, let state = try journal.fold(record, through: position).state else {
            throw Failure(.notFound, "the record did not exist yet at position \(position)")
        }
        let (stamp, scope) = (try journal.stamp(at: position), ExportScope(happenedBy: day))
        switch format {
        case .json: try output.json(NativeDocument.write(state, asOf: stamp, scope: scope))
        case .table: try write(state, stamp, scope, journal.shownZone, to: output)
        }
    }

    /// Writes the subject, the moment, the profile, and a table for each kind.
    private func write(
        _ state: RecordState,
        _ stamp: Stamp,
        _ scope: ExportScope,
        _ zone: TimeZone,
        to output: ReplayOutput
    ) throws {
        try output.line(TerminalText.escaped("\(state.displayName) (\(state.profile.subject.name))"))
        try output.line("as known at position \(stamp.position), recorded \(stamp.recordedAt.text(in: zone))")
        for line in state.profile.lines { try output.line(line) }
        for kind in Kind.all {
            let entries = state.entries.filter { $0.kind == kind && scope.includes($0) }
            guard !entries.isEmpty else { continue }
            try output.line("\n\(kind.label) (\(entries.count))")
            try output.table(EntryTable(kind) { $0?.text(in: zone) ?? "" }.table(entries))
        }
    }

    private static func day(_ text: String) throws -> Day {
        do {
            return try Day(parsing: text)
        } catch {
            throw Failure(.usage, "--happened-by: \(error.message)")
        }
    }
}
