import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Groups the commands on calendars of planned doses and appointments.
struct CalendarCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar",
        abstract: "Show planned doses and appointments in calendar programs.",
        subcommands: [
            CalendarLinkCommand.self, CalendarUnlinkCommand.self, CalendarListCommand.self, CalendarWriteCommand.self,
        ]
    )
}

/// What a calendar shows: a record, with its planned doses and appointments, or the appointments of a specialist.
struct CalendarSourceOptions: ParsableArguments {
    @Option(name: .long, help: "A specialist of a practice, by name or id, instead of a record.")
    var specialist: String?

    @OptionGroup var practice: PracticeOption

    /// `record` is the argument of the command; nil if it was not given.
    func source(_ record: String?, in session: Session) async throws -> CalendarSource {
        switch (record, specialist) {
        case (let record?, nil): return .doses(of: try await session.journal.record(record))
        case (nil, let specialist?):
            let found = try await practice.document(in: session)
            return .appointments(of: try await found.specialist(specialist, in: session).id, at: found.id)
        default: throw ValidationError("give a record, or --specialist")
        }
    }
}

extension ReminderDetail: ExpressibleByArgument {}
extension CalendarLink.Times: ExpressibleByArgument {}

/// The options for what a calendar shows.
struct CalendarContentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "neutral: events have no names; names: of medications, practices and services, or of patients."
    )
    var detail: ReminderDetail = .neutral

    @Option(name: .long, help: "utc, or floating: by the person's clock, without a zone.")
    var times: CalendarLink.Times = .utc
}

/// Links a calendar.
struct CalendarLinkCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Give planned doses or appointments a secret address for calendar programs; it is shown once.",
        discussion: """
            Example:  healthjournal calendar link 018f2c3a
            Example:  healthjournal calendar link --specialist "Ada Roth"
            A running service answers the address. Whoever has it can read the calendar until you unlink it; each \
            fetch is recorded as a read of yours. Calendar programs refresh when they like, and some ignore alarms.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record: a name, an id, or the first 8 or more characters of one.")
    var record: String?

    @OptionGroup var source: CalendarSourceOptions
    @OptionGroup var content: CalendarContentOptions

    func run(in session: Session) async throws {
        let source = try await source.source(record, in: session)
        let made = try await PasswordPrompt.confirming { current in
            try await session.perform(
                .linkCalendar(to: source, detail: content.detail, times: content.times, current: current)
            )
        }
        if session.output.isJSON {
            session.output.json(
                ["id": .string(made.id.text), "path": .string(made.path), "position": .integer(made.position)],
                .compact
            )
        } else {
            session.output.line(made.path)
            session.output.note(
                "this is shown once: put the address of the service before it; its id is \(made.id.text)"
            )
        }
    }
}

/// Unlinks a calendar.
struct CalendarUnlinkCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Unlink a calendar, so that its address no longer works.",
        discussion: "Example:  healthjournal calendar unlink 018f2c3a 018f2c3d"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record, unless --specialist is given, and the calendar; of an id, 8 characters are enough.")
    var record: [String]

    @OptionGroup var source: CalendarSourceOptions

    func validate() throws {
        guard record.count == (source.specialist == nil ? 2 : 1) else {
            throw ValidationError("give a record and a calendar, or --specialist and a calendar")
        }
    }

    func run(in session: Session) async throws {
        let source = try await source.source(record.count == 2 ? record[0] : nil, in: session)
        let prefix = record.last?.lowercased() ?? ""
        let found = try await session.perform(.calendars(of: source))
            .filter { prefix.count >= 8 && $0.id.text.hasPrefix(prefix) }
        guard let first = found.first, found.count == 1 else {
            throw JournalError(.notFound, "there is no such calendar; see: healthjournal calendar list")
        }
        session.output.result(try await session.perform(.unlinkCalendar(first.id, of: source)), "unlinked")
    }
}

/// Lists calendars.
struct CalendarListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the calendars that have a secret address.",
        discussion: "Example:  healthjournal calendar list 018f2c3a"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record: a name, an id, or the first 8 or more characters of one.")
    var record: String?

    @OptionGroup var source: CalendarSourceOptions

    func run(in session: Session) async throws {
        let calendars = try await session.perform(.calendars(of: source.source(record, in: session)))
        if session.output.isJSON {
            session.output.json(.array(calendars.map(\.json)))
            return
        }
        var table = TextTable([
            .init("CALENDAR"), .init("LINKED BY"), .init("DETAIL"), .init("TIMES"), .init("LINKED"),
            .init("UNLINKED"),
        ])
        for calendar in calendars {
            table.add([
                calendar.id.text, calendar.name ?? calendar.account.text, calendar.detail.rawValue,
                calendar.times.name, session.output.time(calendar.linkedAt),
                calendar.unlinkedAt.map(session.output.time) ?? "",
            ])
        }
        session.output.table(table, ifEmpty: "there are no calendars")
    }
}

/// Writes a calendar to a file.
struct CalendarWriteCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write the planned doses and the appointments of a record as a calendar file (iCalendar).",
        discussion: """
            Example:  healthjournal calendar write 018f2c3a -o doses.ics
            The appointments are those of the last 30 and the next 180 days, for an owner of the record alone. A replica \
            has none.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var content: CalendarContentOptions

    @Flag(name: .long, help: "Write tasks instead of events.")
    var tasks = false

    @Option(name: .shortAndLong, help: "The file; - for standard output.", completion: .file())
    var output: String

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let file = output == "-" ? nil : try OutputFile(output)
        let content = CalendarOptions(
            showsNames: content.detail.showsNames,
            times: content.times,
            components: tasks ? .task : .event
        )
        let bytes = try await session.perform(.calendar(of: record, content))
        guard let file else { return session.output.data(bytes) }
        try file.write(bytes)
        session.output.note("wrote \(file.path)")
    }
}
