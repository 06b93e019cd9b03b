import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents

struct CouldCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "could",
        abstract: "Say what an account was allowed to see of a record then, and why.",
        discussion: """
            A grant counts by its days in the journal's zone: those of the moment that is asked about.

            Example:
              healthjournal-replay could anna --record 3f2a9c1e --as-of 2024-05-03
            """
    )

    @OptionGroup var journal: JournalOptions

    @Argument(help: "The account: its name or id.")
    var account: String

    @Option(help: "The record.")
    var record: String

    @Option(help: ArgumentHelp("A position, a time or a date (default: now).", valueName: "when"))
    var asOf: String?

    @Option(help: "How it is shown.")
    var format: ListFormat = .table

    func perform(_ output: Output) async throws {
        let moment = try asOf.map(OpenJournal.moment)
        let journal = try journal.open()
        try journal.requireKey(to: "read who was let in to a record")
        let record = try journal.record(record)
        let account = try journal.account(account)
        let position = try journal.log.position(asOf: moment)
        let now = try journal.instant(of: moment, at: position)
        let day = Day(of: now, in: journal.log.zone)
        let fold = try journal.fold(record, through: position)
        let standing = Standing(
            of: try journal.state(ofAccount: account, through: position),
            id: account,
            to: fold.state,
            fold.grants,
            at: now,
            on: day
        )
        let names = try journal.names(through: journal.log.head())
        switch format {
        case .table:
            var table = TextTable([.init("QUESTION"), .init("ANSWER")])
            for (question, answer) in rows(standing, names, account, record, day, position) {
                table.add([question, answer])
            }
            try output.table(table)
        case .json:
            try output.json(
                .members(
                    ("account", .string(account.text)),
                    ("accountName", names.account(account).map { .string($0) }),
                    ("record", .string(record.text)),
                    ("displayName", fold.state.map { .string($0.displayName) }),
                    ("asOf", try journal.json(at: position)),
                    ("day", .string(day.description)),
                    ("access", .string(standing.access)),
                    ("sections", .array(standing.sections.map { .string($0) })),
                    ("kinds", standing.kinds.isEmpty ? nil : .array(standing.kinds.map { .string($0) })),
                    ("verbs", .array(standing.verbs.map { .string($0) })),
                    ("why", .string(standing.why(names))),
                    ("grant", standing.grant?.json(names))
                )
            )
        }
    }

    private func rows(
        _ standing: Standing,
        _ names: Names,
        _ account: UUID,
        _ record: UUID,
        _ day: Day,
        _ position: UInt64
    ) -> [(String, String)] {
        let terms = standing.grant?.terms
        let sight = standing.sections + standing.kinds
        return [
            ("account", names.shown(account)),
            ("record", names.record(record) ?? record.short),
            ("as of", "position \(position), on \(day)"),
            ("could see", sight.isEmpty ? "nothing" : sight.joined(separator: ", ")),
            ("could do", standing.verbs.isEmpty ? "nothing" : standing.verbs.joined(separator: ", ")),
            ("why", standing.why(names)),
        ]
            + [
                terms?.from.map { ("from", $0.description) }, terms?.until.map { ("until", $0.description) },
            ]
            .compactMap(\.self)
    }
}

extension OpenJournal {
    /// The time at which a grant or an emergency must let in to count at a moment; of a day, its end.
    fileprivate func instant(of moment: AsOf?, at position: UInt64) throws -> Instant {
        switch moment {
        case nil: Instant(microseconds: log.now())
        case .day(let day)?: day.lastInstant(in: log.zone)
        case .instant(let instant)?: instant
        case .position?:
            position == 0
                ? Instant(microseconds: log.description.createdAt) : try stamp(at: position).recordedAt
        }
    }

    fileprivate func state(ofAccount account: UUID, through end: UInt64) throws -> AccountState? {
        var state: AccountState?
        try log.forEachEvent(
            through: end,
            where: { $0.subject == account && $0.category == EventCategory.account.rawValue },
            { event in
                if case .read(let recorded) = log.content(of: event) { evolve(&state, recorded) }
                return true
            }
        )
        return state
    }
}

extension Grant {
    fileprivate func json(_ names: Names) -> JSONValue {
        .members(
            ("sections", .array(terms.sections.names.map { .string($0) })),
            ("verbs", .array(terms.verbs.names.map { .string($0) })),
            ("from", terms.from.map { .string($0.description) }),
            ("until", terms.until.map { .string($0.description) }),
            ("given", given.json(names)),
            ("revoked", revoked?.json(names))
        )
    }
}

extension Stamp {
    fileprivate func json(_ names: Names) -> JSONValue {
        .members(
            ("position", .integer(position)),
            ("recordedAt", .string(recordedAt.description)),
            ("actor", .string(actor.text)),
            ("actorName", names.account(actor).map { .string($0) })
        )
    }
}
