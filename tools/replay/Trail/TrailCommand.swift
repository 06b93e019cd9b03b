import ArgumentParser
import EventLog
import Foundation
import HealthModel

struct TrailCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "trail",
        abstract: "List the audit trail: who changed or read what, when and why, with the values before and after.",
        discussion: """
            One row per event. As JSON, one object per line.

            Example:
              healthjournal-replay trail --record 3f2a9c1e --since 2024-01-01 --type entry.corrected
            """
    )

    @OptionGroup var journal: JournalOptions

    @Option(help: "Only events of this record: its changes, its grants and its reads.")
    var record: String?

    @Option(help: "Only events of this entry.")
    var entry: String?

    @Option(help: "Only events that this account caused.")
    var actor: String?

    @Option(help: "Only events of this type (entry.added) or category (entry); may be repeated.")
    var type: [String] = []

    @Option(help: ArgumentHelp("Only events from this moment on, inclusive.", valueName: "when"))
    var since: String?

    @Option(help: ArgumentHelp("Only events up to this moment, inclusive.", valueName: "when"))
    var until: String?

    @Option(help: ArgumentHelp("At most this many events, the newest ones.", valueName: "n"))
    var limit: Int?

    @Option(help: "The output format.")
    var format: TrailFormat = .table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func perform(_ output: ReplayOutput) async throws {
        let journal = try journal.open()
        let filter = try filter(in: journal)
        var reader = TrailReader(journal, names: ShownNames())
        var writer = try TrailWriter(output, format, title: "Audit trail", in: journal.shownZone)
        let progress = ReplayProgress("reading")
        try journal.log.forEachEvent(
            through: filter.through,
            where: { filter.admits($0) || ShownNames.matter(in: $0.type) },
            { event in
                if filter.admits(event) { try writer.add(reader.row(of: event)) } else { reader.note(event) }
                progress.report(event.position, of: filter.through)
                return true
            }
        )
        let unread = "only unencrypted data is shown: no names, no changes, no reasons"
        if writer.isEmpty { Messages.say("there is no such event") }
        try writer.finish(notes: notes(filter, journal.keyProblem == nil ? nil : unread))
        journal.sayWhatIsSealed(unread)
        if reader.unreadable > 0 {
            let events = reader.unreadable == 1 ? "1 event" : "\(reader.unreadable) events"
            throw Failure(.failed, "\(events) could not be read; run: healthjournal-replay verify")
        }
    }

    func filter(in journal: OpenJournal) throws -> TrailFilter {
        var filter = TrailFilter(through: try journal.log.head())
        filter.record = try record.map(journal.record)
        filter.entry = try entry.map(journal.entry)
        filter.actor = try actor.map(journal.account)
        if !type.isEmpty { filter.types = Set(try type.flatMap(TrailFilter.types)) }
        if let since { filter.after = try journal.positionBefore(OpenJournal.moment(since)) }
        if let until { filter.through = try journal.position(OpenJournal.moment(until)) }
        guard filter.after <= filter.through else { throw Failure.inverted }
        if let limit { filter.after = try start(ofLast: limit, filter, journal.log) }
        return filter
    }

    /// Returns the position before the last `limit` events that the filter admits.
    private func start(ofLast limit: Int, _ filter: TrailFilter, _ log: EventLog) throws -> UInt64 {
        var last: [UInt64] = []
        try log.forEachFrame(after: filter.after, through: filter.through) { frame in
            if filter.admits(frame) {
                last.append(frame.position)
                // Trimmed occasionally rather than after each event.
                if last.count >= 2 * limit { last.removeFirst(last.count - limit) }
            }
            return true
        }
        return last.suffix(limit).first.map { $0 - 1 } ?? filter.through
    }

    private func notes(_ filter: TrailFilter, _ unread: String?) -> [String] {
        var notes = ["Positions \(filter.after + 1) to \(filter.through)."]
        if let record { notes.append("Record \(record).") }
        if let entry { notes.append("Entry \(entry).") }
        if let actor { notes.append("Done by \(actor).") }
        if !type.isEmpty { notes.append("Type \(type.joined(separator: ", ")).") }
        if let unread { notes.append("There was no master key: \(unread).") }
        return notes
    }
}
