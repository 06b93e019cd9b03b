import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on one appointment.
struct AppointmentCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appointment",
        abstract: "Show, move, cancel and complete an appointment.",
        subcommands: [
            AppointmentShowCommand.self, AppointmentHistoryCommand.self, AppointmentBookCommand.self,
            AppointmentConfirmCommand.self, AppointmentMoveCommand.self, AppointmentReassignCommand.self,
            AppointmentDisplaceCommand.self, AppointmentArriveCommand.self, AppointmentBeginCommand.self,
            AppointmentCompleteCommand.self, AppointmentCancelCommand.self, AppointmentMissedCommand.self,
            AppointmentReinstateCommand.self, AppointmentNoteCommand.self, AppointmentEditCommand.self,
            AppointmentRetractCommand.self, AppointmentRezoneCommand.self,
        ]
    )
}

struct AppointmentShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an appointment, now or as known at an earlier moment.",
        discussion: "Example:  healthjournal appointment show 018f2c3b-5f6a-7c3d-9e2b-1f4a6b7c8d9e"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let found = try await session.perform(AppointmentEndpoints.show, appointment.id, asOf?.asOf(in: session))
            .document
        if session.output.isJSON { return session.output.json(found.json) }
        session.output.line("\(found.patient), \(found.details.wall) (\(found.details.zone))")
        let why = found.cancelCode.isEmpty ? "" : " (\(found.cancelCode))"
        let late = found.isCancelledLate ? ", late" : ""
        session.output.line("\(found.details.minutes) minutes, \(found.status.sentence)\(why)\(late)")
        let names = try await session.names(in: found.details.practice)
        for (label, text) in [
            ("client", found.client?.text), ("service", found.details.service.map { names[$0] ?? $0.beginning }),
            ("specialist", found.details.specialist.map { names[$0] ?? $0.beginning }),
            ("rooms", found.details.places.map { names[$0] ?? $0.beginning }.joined(separator: ", ")),
        ] {
            if let text, !text.isEmpty { session.output.line("\(label): \(text)") }
        }
        if let alerts = found.alerts { session.output.line("alerts: \(alerts)") }
        if let assessment = found.details.assessment { session.output.line("triage: \(assessment.text)") }
        if let match = found.details.match {
            let count = match.ranking.ranked.count
            let place = match.rank.map { "place \($0) of \(count)" } ?? "not among the \(count) ranked"
            session.output.line("ranking: \(place)\(match.points.map { ", \($0) of 100 points" } ?? "")")
            for ranked in match.ranking.ranked where ranked.specialist == match.taken {
                for line in ranked.lines { session.output.line("  \(line.points) of \(line.of): \(line.because)") }
            }
        }
        for (label, text) in [
            ("for", found.details.reason), ("instructions", found.details.instructions),
            ("notes", found.details.notes),
        ] where !text.isEmpty {
            session.output.line("\(label): \(text)")
        }
        for note in found.notes {
            session.output.line(
                "\(session.output.time(note.addedAt)) \(session.journal.name(of: note.addedBy)): \(note.text)"
            )
        }
    }
}

struct AppointmentHistoryCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show each version of an appointment, and who made it.",
        discussion: "Example:  healthjournal appointment history 018f2c3b-5f6a-7c3d-9e2b-1f4a6b7c8d9e"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    func run(in session: Session) async throws {
        let found = try await session.perform(AppointmentEndpoints.history, appointment.id)
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([
            .init("RECORDED"), .init("BY"), .init("EVENT"), .init("START"), .init("STATUS"), .init("REASON"),
        ])
        for version in found {
            table.add([
                session.output.time(version.recordedAt), session.journal.name(of: version.actor), version.type,
                "\(version.appointment.details.wall)", version.appointment.status.sentence, version.reason ?? "",
            ])
        }
        session.output.table(table, ifEmpty: "")
    }
}

/// A command that changes one appointment.
protocol AppointmentChanging: AsyncParsableCommand {
    var options: CommonOptions { get }
    var appointment: AppointmentArgument { get }
    var change: AppointmentChange { get }
    var sentence: String { get }
    /// Whether the command only says that the change is possible.
    var isTrial: Bool { get }
}

extension AppointmentChanging {
    var isTrial: Bool { false }

    func run() async throws {
        try await Session.run(options) { session in
            let result: WriteResult
            do {
                result = try await session.perform(.change(appointment: appointment.id, change, dryRun: isTrial))
            } catch let error as JournalError where error.field == "ahead" {
                guard !isTrial, Terminal.isInteractive, try Terminal.confirms("\(error.message). Do it?") else {
                    throw JournalError(error.code, "\(error.message); if it is meant, add --yes")
                }
                result = try await session.perform(.change(appointment: appointment.id, .ahead(change)))
            }
            if isTrial, !session.output.isJSON { return session.output.line(sentence) }
            session.output.result(result, sentence)
        }
    }

    static func describing(_ name: String, _ word: AppointmentVerb, _ example: String = "") -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: "\(word.summary).",
            discussion: "Example:  healthjournal appointment \(name) 018f2c3b-5f6a-7c3d-9e2b-1f4a6b7c8d9e \(example)"
        )
    }
}

/// Whether a change is meant that is unlikely on the day of the appointment.
struct AheadOption: ParsableArguments {
    @Flag(name: .long, help: "It is meant, although the appointment is on a later day.")
    var yes = false

    func change(_ change: AppointmentChange) -> AppointmentChange { yes ? .ahead(change) : change }
}

extension AppointmentParty: ExpressibleByArgument {}

struct AppointmentBookCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("book", .book)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    var change: AppointmentChange { .book }
    var sentence: String { "booked" }
}

struct AppointmentConfirmCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("confirm", .confirm, "--by phone")
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Option(name: .long, help: "How the client said so.")
    var by: ConfirmationWay = .phone

    var change: AppointmentChange { .confirm(by) }
    var sentence: String { "confirmed" }
}

struct AppointmentMoveCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("move", .move, "--to 2027-03-02T10:15")
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Option(name: .long, help: "The new start: 2027-03-02T10:15 or 2027-03-02T09:15:00Z.")
    var to: StartArgument

    @Option(name: .long, help: "The new duration (default: as before).")
    var minutes: Int?

    @Flag(name: .long, help: "Only say whether it is possible.")
    var dryRun = false

    var change: AppointmentChange { .move(to: to.start, minutes: minutes) }
    var sentence: String { dryRun ? "possible" : "moved" }
    var isTrial: Bool { dryRun }
}

struct AppointmentReassignCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "reassign",
        abstract: "Give an appointment to another specialist or another room.",
        discussion: """
            Example:  healthjournal appointment reassign 018f2c3b-5f6a-7c3d-9e2b-1f4a6b7c8d9e --specialist "Ben Meier"
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The specialist, by name or id.")
    var specialist: String?

    @Option(name: .long, parsing: .singleValue, help: "A room or a device, by name or id.")
    var room: [String] = []

    func validate() throws {
        if specialist == nil, room.isEmpty { throw ValidationError("give --specialist or --room") }
    }

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        var specialist: UUID?
        if let name = self.specialist { specialist = try await practice.specialist(name, in: session).id }
        let rooms = try room.map { text throws(JournalError) in try practice.place(text) }
        let change = AppointmentChange.reassign(specialist: specialist, places: room.isEmpty ? nil : rooms)
        session.output.result(
            try await session.perform(.change(appointment: appointment.id, change)),
            "given to somebody else"
        )
    }
}

struct AppointmentDisplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "displace",
        abstract: "Move an appointment to make room for another one.",
        discussion: """
            Example:  healthjournal appointment displace 018f2c3b-5f6a-7c3d-9e2b-1f4a6b7c8d9e \\
                          --to 2027-03-02T16:00 --by 018f2c3b-6a7b-7c3d-8e2b-2f4a6b7c8d9e --reason "emergency"
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Option(name: .long, help: "The new start.")
    var to: StartArgument

    @Option(name: .long, help: "The appointment that needs the time.")
    var by: String

    func run() async throws {
        guard let other = UUID(uuidString: by) else { throw ValidationError("--by needs the id of an appointment") }
        try await Session.run(options) { session in
            let change = AppointmentChange.displace(to: to.start, by: other)
            session.output.result(try await session.perform(.change(appointment: appointment.id, change)), "displaced")
        }
    }
}

struct AppointmentArriveCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("arrive", .arrive)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument
    @OptionGroup var ahead: AheadOption

    var change: AppointmentChange { ahead.change(.arrive) }
    var sentence: String { "noted that the patient has arrived" }
}

struct AppointmentBeginCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("begin", .begin)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument
    @OptionGroup var ahead: AheadOption

    var change: AppointmentChange { ahead.change(.begin) }
    var sentence: String { "begun" }
}

struct AppointmentCompleteCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("complete", .complete)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument
    @OptionGroup var ahead: AheadOption

    var change: AppointmentChange { ahead.change(.complete) }
    var sentence: String { "completed" }
}

struct AppointmentCancelCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("cancel", .cancel, "--code ill")
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Option(name: .long, help: "Why, in a word of the practice.")
    var code: String = ""

    @Option(name: .long, help: "Who called it off: client or practice (default: your side).")
    var by: AppointmentParty?

    var change: AppointmentChange { .cancel(code: code, by: by) }
    var sentence: String { "cancelled" }
}

struct AppointmentMissedCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("missed", .missed)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    var change: AppointmentChange { .miss }
    var sentence: String { "noted that the patient did not come" }
}

struct AppointmentReinstateCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("reinstate", .reinstate)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    var change: AppointmentChange { .reinstate }
    var sentence: String { "booked again" }
}

struct AppointmentRetractCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("retract", .retract)
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    var change: AppointmentChange { .retract }
    var sentence: String { "removed" }
}

struct AppointmentNoteCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing("note", .note, "\"Bites.\"")
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Argument(help: "The remark.")
    var text: String

    var change: AppointmentChange { .addNote(text) }
    var sentence: String { "added the remark" }
}

struct AppointmentEditCommand: AppointmentChanging {
    static let configuration: CommandConfiguration = describing(
        "edit",
        .edit,
        "--instructions \"Nothing to eat after midnight.\""
    )
    @OptionGroup var options: CommonOptions
    @OptionGroup var appointment: AppointmentArgument

    @Option(name: .long, help: "What the patient comes for.")
    var purpose: String?

    @Option(name: .long, help: "Notes for those who treat the patient.")
    var notes: String?

    @Option(name: .long, help: "What the client has to know.")
    var instructions: String?

    var change: AppointmentChange { .edit(reason: purpose, notes: notes, instructions: instructions) }
    var sentence: String { "changed" }
}
