import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents

struct AccessCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract:
            "List who read a record or an entry, what they saw, when and why, and who was denied.",
        discussion: """
            With --entry, only reads that showed the entry are listed. Reads that an older program recorded do not \
            state which entries they showed: those that may have shown it are listed as "possible".

            Examples:
              healthjournal-replay access --record 3f2a9c1e --format json
              healthjournal-replay access --entry 77ab01c2 --since 2024-05-01 --until 2024-05-31 --format csv
            """
    )

    @OptionGroup var journal: JournalOptions

    @Option(help: "The record.")
    var record: String?

    @Option(help: "An entry: only reads that showed it, or may have.")
    var entry: String?

    @Option(
        name: [.long, .customLong("from")],
        help: ArgumentHelp("Only reads from this moment on, inclusive.", valueName: "when")
    )
    var since: String?

    @Option(
        name: [.long, .customLong("to")],
        help: ArgumentHelp("Only reads up to this moment, inclusive.", valueName: "when")
    )
    var until: String?

    @Option(help: ArgumentHelp("At most this many reads, the newest ones.", valueName: "n"))
    var limit: Int?

    @Option(help: "The output format.")
    var format: AccessFormat = .table

    func validate() throws {
        guard record != nil || entry != nil else { throw ValidationError("name a record or an entry") }
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func perform(_ output: ReplayOutput) async throws {
        let (since, until) = (try since.map(OpenJournal.moment), try until.map(OpenJournal.moment))
        let journal = try journal.open()
        if entry != nil { try journal.requireKey(to: "read which entries were shown") }
        let history = try entry.map { try journal.history(ofEntry: journal.entry($0)) }
        let named = try record.map { try journal.record($0) }
        if let named, let history, named != history.record {
            throw Failure(.notFound, "the record has no such entry")
        }
        guard let record = named ?? history?.record else { throw Failure(.usage, "name a record or an entry") }
        let head = try journal.log.head()
        let (start, end) = (
            try since.map { try journal.positionBefore($0) } ?? 0,
            try until.map { try journal.position($0) } ?? head
        )
        guard start <= end else { throw Failure.inverted }
        let names = try journal.names(through: head)
        var writer = try AccessWriter(output, format, hasEntry: history != nil, in: journal.shownZone)
        // The rows that are written at the end, if there is a limit.
        var last: [AccessRow] = []
        var unreadable = 0
        let progress = ReplayProgress("reading")
        try journal.log.forEachEvent(
            after: start,
            through: end,
            where: { $0.record == record && $0.category == EventCategory.access.rawValue },
            { event in
                let content = journal.log.content(of: event)
                if case .unreadable = content { unreadable += 1 }
                let row = AccessRow(event, content, showing: history?.events)
                if row.isWanted {
                    if let limit {
                        last.append(row)
                        if last.count >= 2 * limit { last.removeFirst(last.count - limit) }
                    } else {
                        try writer.add(row, names)
                    }
                }
                progress.report(event.position, of: end)
                return true
            }
        )
        for row in last.suffix(limit ?? 0) { try writer.add(row, names) }
        let isWhole = start == 0 && end == head
        let nothing = history == nil ? "nobody has read the record" : "no read showed the entry"
        try writer.finish(ifEmpty: isWhole ? nothing : nothing + " in this period")
        if let erased = try journal.erasure(of: record) { Messages.say(erased.sentence(in: journal.log.zone)) }
        journal.sayWhatIsSealed("only who read and when is shown, not what they saw or why")
        if unreadable > 0 {
            throw Failure(.failed, "\(unreadable) of the events could not be read; run: healthjournal-replay verify")
        }
    }
}

/// One read of a record, or a refused attempt to read it.
struct AccessRow {
    private let event: StoredEvent
    private let content: Content
    /// Whether the read certainly or possibly showed the requested entry; nil if it did not, or if none was requested.
    private let disclosure: Disclosure?
    /// False for a read that did not show the requested entry.
    let isWanted: Bool

    /// Creates the row of a read; with `entry`, also determines whether the read showed that entry.
    init(_ event: StoredEvent, _ content: Content, showing entry: EntryHistory? = nil) {
        self.event = event
        self.content = content
        var disclosure: Disclosure?
        if let entry, case .read(let recorded) = content, let read = recorded.event.data as? RecordRead {
            disclosure = read.access.disclosure(of: entry, recordedAt: event.position)
        }
        self.disclosure = disclosure
        isWanted = entry == nil || disclosure != nil
    }

    static let columns = [
        "position", "recordedAt", "account", "outcome", "action", "sections", "entries", "asOf", "version", "right",
        "purpose", "entry",
    ]

    /// The cells of a CSV line, in the order of `columns`.
    func csvCells(_ names: ShownNames) -> [String] {
        let head = [
            String(event.position), Instant(microseconds: event.recordedAt).description,
            names.shown(event.header.actor), outcome,
        ]
        guard let access else {
            return head + [gap ?? ""] + Array(repeating: "", count: AccessRow.columns.count - head.count - 1)
        }
        return head + [
            access.action.rawValue, access.sections.map(\.name).joined(separator: " "),
            isDenied ? "" : String(access.entryCount), access.asOf.map(String.init) ?? "",
            access.version.map(String.init) ?? "", access.grantedBy?.text ?? "", access.purpose,
            disclosure?.rawValue ?? "",
        ]
    }

    /// Whether the access was denied, which the event's type in the unencrypted header states.
    private var isDenied: Bool {
        [AccessDenied.type, AccessSummarised.type].contains { $0.rawValue == event.header.type }
    }

    private var access: Access? {
        guard case .read(let recorded) = content else { return nil }
        if let repeated = recorded.event.data as? AccessSummarised {
            let refusals = repeated.refusals
            return Access(action: refusals.action, sections: refusals.sections, purpose: refusals.text)
        }
        if recorded.event.data is EmergencyOpened { return Access(action: .emergency, purpose: recorded.reason) }
        return recorded.event.access
    }

    /// Why the content of the event is not shown; nil if it could be read.
    private var gap: String? {
        switch content {
        case .read: nil
        case .sealed: "sealed"
        case .erased: "erased"
        case .unreadable: "unreadable"
        }
    }

    private var outcome: String { isDenied ? "denied" : "shown" }

    func cells(_ names: ShownNames, in zone: TimeZone) -> [String] {
        let head = [
            String(event.position), Instant(microseconds: event.recordedAt).text(in: zone),
            names.shown(event.header.actor), outcome,
        ]
        guard let access else { return head + [gap ?? ""] }
        let moment = [access.asOf.map(String.init), access.happenedBy.map { "happened by \($0)" }].compactMap(\.self)
        return head + [
            access.action.rawValue, access.sections.map(\.word).joined(separator: ", "),
            isDenied ? "" : String(access.entryCount), moment.joined(separator: ", "),
            access.grantedBy?.text { names.name($0) ?? $0.beginning } ?? "", access.purpose,
        ] + (disclosure.map { [$0.rawValue] } ?? [])
    }

    func json(_ names: ShownNames) -> JSONValue {
        .members(
            ("position", .integer(event.position)),
            ("recordedAt", .string(Instant(microseconds: event.recordedAt).description)),
            ("actor", .string(event.header.actor.text)),
            ("actorName", names.account(event.header.actor).map { .string($0) }),
            ("outcome", .string(outcome)),
            ("action", access.map { .string($0.action.rawValue) }),
            ("sections", access.map { .array($0.sections.map { .string($0.name) }) }),
            ("entryCount", access.flatMap { isDenied ? nil : .integer($0.entryCount) }),
            ("asOf", access?.asOf.map { .integer($0) }),
            ("happenedBy", access?.happenedBy.map { .string($0.description) }),
            ("grantedBy", access?.grantedBy.map { .string($0.text) }),
            ("purpose", access.map { .string($0.purpose) }),
            ("version", access?.version.map { .integer($0) }),
            ("entry", disclosure.map { .string($0.rawValue) }),
            ("payload", gap.map { .string($0) })
        )
    }
}
