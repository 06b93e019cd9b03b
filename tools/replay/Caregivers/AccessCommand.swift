import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents

struct AccessCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "List who looked at a record, what they saw, when and why; who was denied, too.",
        discussion: """
            Example:
              healthjournal-replay access --record 3f2a9c1e --format json
            """
    )

    @OptionGroup var journal: JournalOptions

    @Option(help: "The record.")
    var record: String

    @Option(help: "How it is shown.")
    var format: ListFormat = .table

    func perform(_ output: Output) async throws {
        let journal = try journal.open()
        let record = try journal.record(record)
        let head = try journal.log.head()
        let names = try journal.names(through: head)
        var table = TextTable([
            .init("POSITION", .right), .init("RECORDED"), .init("ACCOUNT"), .init("OUTCOME"), .init("ACTION"),
            .init("SECTIONS"), .init("ENTRIES", .right), .init("AS OF"), .init("BY WHAT RIGHT"), .init("PURPOSE"),
        ])
        var rows: [JSONValue] = []
        var unreadable = 0
        let progress = Progress("reading")
        try journal.log.forEachEvent(
            through: head,
            where: { $0.record == record && $0.category == EventCategory.access.rawValue },
            { event in
                let content = journal.log.content(of: event)
                if case .unreadable = content { unreadable += 1 }
                let row = AccessRow(event, content)
                switch format {
                case .table: table.add(row.cells(names))
                case .json: rows.append(row.json(names))
                }
                progress.report(event.position, of: head)
                return true
            }
        )
        switch format {
        case .table:
            if table.rows.isEmpty { Messages.say("nobody has looked at the record") } else { try output.table(table) }
        case .json:
            try output.json(.array(rows))
        }
        if let erased = try journal.erasure(of: record) { Messages.say(erased.sentence(in: journal.log.zone)) }
        journal.sayWhatIsSealed("only who looked and when is shown, not what they saw or why")
        if unreadable > 0 {
            throw Failure(.failed, "\(unreadable) of the events could not be read; run: healthjournal-replay verify")
        }
    }
}

/// One look at a record, or an attempt at one.
struct AccessRow {
    private let event: StoredEvent
    private let content: Content

    init(_ event: StoredEvent, _ content: Content) {
        self.event = event
        self.content = content
    }

    /// The outcome stands in the header: it is the event's type.
    private var isDenied: Bool { event.header.type == EventType.accessDenied.rawValue }

    private var access: Access? {
        guard case .read(let recorded) = content else { return nil }
        return switch recorded.event {
        case .recordRead(let access), .accessDenied(let access): access
        default: nil
        }
    }

    /// Why there is nothing more to be said.
    private var gap: String? {
        switch content {
        case .read: nil
        case .sealed: "sealed"
        case .erased: "erased"
        case .unreadable: "unreadable"
        }
    }

    private var outcome: String { isDenied ? "denied" : "shown" }

    func cells(_ names: Names) -> [String] {
        let head = [
            String(event.position), Instant(microseconds: event.recordedAt).description,
            names.shown(event.header.actor), outcome,
        ]
        guard let access else { return head + [gap ?? ""] }
        let moment = [access.asOf.map(String.init), access.happenedBy.map { "happened by \($0)" }].compactMap(\.self)
        return head + [
            access.action.rawValue, access.sections.map(\.name).joined(separator: ", "),
            isDenied ? "" : String(access.entryCount), moment.joined(separator: ", "), access.grantedBy?.text ?? "",
            access.purpose,
        ]
    }

    func json(_ names: Names) -> JSONValue {
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
            ("payload", gap.map { .string($0) })
        )
    }
}
