import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents

struct CouldCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "could",
        abstract: "Show what an account was allowed to see of a record at a moment, and why.",
        discussion: """
            The days of a grant are compared with the day of that moment in the journal's time zone.

            Example:
              healthjournal-replay could anna --record 3f2a9c1e --as-of 2024-05-03
              healthjournal-replay could anna --entry 77ab01c2 --as-of 2024-05-03
            """
    )

    @OptionGroup var journal: JournalOptions

    @Argument(help: "The account: its name or id.")
    var account: String

    @Option(help: "The record.")
    var record: String?

    @Option(help: "An entry: whether the account could see that one.")
    var entry: String?

    @Option(help: ArgumentHelp("A position, a time or a date (default: now).", valueName: "when"))
    var asOf: String?

    @Option(help: "The output format.")
    var format: AccessFormat = .table

    func validate() throws {
        guard record != nil || entry != nil else { throw ValidationError("name a record or an entry") }
    }

    func perform(_ output: ReplayOutput) async throws {
        let moment = try asOf.map(OpenJournal.moment)
        let journal = try journal.open()
        try journal.requireKey(to: "read who had access to a record")
        let history = try entry.map { try journal.history(ofEntry: journal.entry($0)) }
        let named = try record.map { try journal.record($0) }
        if let named, let history, named != history.record {
            throw Failure(.notFound, "the record has no such entry")
        }
        guard let record = named ?? history?.record else { throw Failure(.usage, "name a record or an entry") }
        let account = try journal.account(account)
        let position = try moment.map { try journal.position($0) } ?? journal.log.head()
        let now = try journal.instant(of: moment, at: position)
        let day = Day(of: now, in: journal.log.zone)
        let fold = try journal.fold(record, through: position)
        let access = AccountAccess(
            of: try journal.state(ofAccount: account, through: position),
            id: account,
            to: fold.state,
            fold.grants,
            try journal.membersOfPractices(of: fold, through: position),
            at: now,
            on: day
        )
        let names = try journal.names(through: journal.log.head())
        // An entry that was retracted by then could still be seen: as retracted, or in its history.
        let couldSeeEntry = history.map { found in
            access.sees(found.events.kind) && found.events.added <= position && !found.events.isErased(asOf: position)
        }
        let answers =
            rows(access, names, account, record, day, position, journal.shownZone)
            + (couldSeeEntry.map { [("could see the entry", $0 ? "yes" : "no")] } ?? [])
        switch format {
        case .table:
            var table = TextTable([.init("QUESTION"), .init("ANSWER")])
            for (question, answer) in answers { table.add([question, answer]) }
            try output.table(table)
        case .csv:
            try output.write(CSVTable.line(answers.map(\.0)))
            try output.write(CSVTable.line(answers.map(\.1)))
            try output.flush()
        case .json:
            try output.json(
                .members(
                    ("account", .string(account.text)),
                    ("accountName", names.account(account).map { .string($0) }),
                    ("record", .string(record.text)),
                    ("displayName", fold.state.map { .string($0.displayName) }),
                    ("asOf", try journal.json(at: position)),
                    ("day", .string(day.description)),
                    ("access", .string(access.access)),
                    ("sections", .array(access.sections.map { .string($0.name) })),
                    ("kinds", access.kinds.isEmpty ? nil : .array(access.kinds.map { .string($0.name) })),
                    ("verbs", .array(access.verbs.map { .string($0) })),
                    ("entry", history.map { .string($0.events.id.text) }),
                    ("couldSeeEntry", couldSeeEntry.map { .bool($0) }),
                    ("why", .string(access.why(names, in: journal.shownZone))),
                    ("grant", access.grant?.json(names))
                )
            )
        }
    }

    private func rows(
        _ access: AccountAccess,
        _ names: ShownNames,
        _ account: UUID,
        _ record: UUID,
        _ day: Day,
        _ position: UInt64,
        _ zone: TimeZone
    ) -> [(String, String)] {
        let terms = access.grant?.terms
        let visible = access.sections.map(\.word) + access.kinds.map(\.word)
        let deeds = access.deeds
        return [
            ("account", names.shown(account)),
            ("record", names.record(record) ?? record.beginning),
            ("as of", "position \(position), on \(day)"),
            ("could see", visible.isEmpty ? "nothing" : visible.joined(separator: ", ")),
            ("could do", deeds.isEmpty ? "nothing" : deeds.joined(separator: ", ")),
            ("why", access.why(names, in: zone)),
        ]
            + [
                terms?.from.map { ("from", $0.description) }, terms?.until.map { ("until", $0.description) },
            ]
            .compactMap(\.self)
    }
}

extension OpenJournal {
    /// Returns the time at which grants and emergencies are evaluated for a moment; of a day, its end.
    fileprivate func instant(of moment: AsOf?, at position: UInt64) throws -> Instant {
        switch moment {
        case nil: Instant(microseconds: log.now())
        case .day(let day)?: day.lastInstant(in: log.zone)
        case .minute(let wall)?: wall.lastInstant(in: log.zone)
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
    fileprivate func json(_ names: ShownNames) -> JSONValue {
        .members(
            ("sections", .array(terms.sections.names.map { .string($0) })),
            ("verbs", .array(terms.verbs.names.map { .string($0) })),
            ("from", terms.from.map { .string($0.description) }),
            ("until", terms.until.map { .string($0.description) }),
            ("emergencyAfterEnd", terms.emergencyAfterEnd ? .bool(true) : nil),
            ("notify", terms.notifies ? nil : .bool(false)),
            ("given", given.json(names)),
            ("givenBy", .string(givenBy.text)),
            ("givenByName", names.account(givenBy).map { .string($0) }),
            ("revoked", revoked?.json(names))
        )
    }
}

extension Stamp {
    fileprivate func json(_ names: ShownNames) -> JSONValue {
        .members(
            ("position", .integer(position)),
            ("recordedAt", .string(recordedAt.description)),
            ("actor", .string(actor.text)),
            ("actorName", names.account(actor).map { .string($0) })
        )
    }
}
