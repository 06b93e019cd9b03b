import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on the specialists of a practice.
struct SpecialistCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "specialist",
        abstract: "Say who treats patients in a practice, and when.",
        subcommands: [
            SpecialistAddCommand.self, SpecialistListCommand.self, SpecialistShowCommand.self,
            SpecialistSetCommand.self,
            SpecialistHoursCommand.self, SpecialistAbsentCommand.self, SpecialistPresentCommand.self,
            SpecialistEndCommand.self, SpecialistReturnCommand.self, SpecialistJoinCommand.self,
            SpecialistLeaveCommand.self, SpecialistEraseCommand.self,
        ]
    )
}

struct SpecialistAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a specialist to a practice.",
        discussion: """
            Example:  healthjournal specialist add name="Ada Roth" credentials="Dr. med. vet." licenseNumber="VD-12 345"
            Fields: \(SpecialistProfile.fields.map(\.name).joined(separator: ", "))
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let result = try await session.perform(SpecialistEndpoints.add, found.id, profile.apply())
        session.output.result(result, "added the specialist \(result.id?.text ?? "")")
    }
}

struct SpecialistListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the specialists of a practice with their absences.",
        discussion: "Example:  healthjournal specialist list"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session, asOf: asOf?.asOf(in: session))
        let found = try await session.perform(SpecialistEndpoints.list, practice.id, asOf?.asOf(in: session))
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([.init("NAME"), .init("HOURS"), .init("ABSENT"), .init("UNTIL"), .init("ID")])
        for specialist in found {
            let post = specialist.posts.first { $0.practice == practice.id }
            let (hours, until) = (
                post?.hours.last, [post?.leftFrom, specialist.endedFrom].compactMap(\.self).min()
            )
            let absences = specialist.absences.map { session.output.times($0.absence.span) }
            table.add([
                specialist.profile.name, hours?.hours.lines.joined(separator: "; ") ?? "as the practice",
                absences.joined(separator: ", "), until?.description ?? "", specialist.id.text,
            ])
        }
        session.output.table(table, ifEmpty: "there is no specialist yet")
    }
}

struct SpecialistShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that is stated of a specialist.",
        discussion: "Example:  healthjournal specialist show \"Ada Roth\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    func run(in session: Session) async throws {
        let practice = try await specialist.practice.document(in: session)
        let found = try await practice.specialist(specialist.specialist, in: session)
        let output = session.output
        if output.isJSON { return output.json(found.json) }
        output.profile(found.profile)
        let services = Dictionary(practice.services.map { ($0.id, $0.profile.name) }) { first, _ in first }
        for post in found.posts where post.practice == practice.id {
            for item in post.hours {
                output.line("hours from \(item.from): \(item.hours.lines.joined(separator: "; "))")
                for preference in item.preferences {
                    let day = preference.weekday.map { " \($0.name)" } ?? ""
                    let service = services[preference.service] ?? preference.service.text
                    output.line("  prefers \(service)\(day): \(preference.weight)")
                }
            }
            if let left = post.leftFrom { output.line("does not work here from \(left) on") }
        }
        for absence in found.absences {
            let (span, why) = (absence.absence.span, absence.absence.why.name)
            output.line("absent: \(output.times(span)), \(why)")
        }
        if let ended = found.endedFrom { output.line("does not work any more from \(ended) on") }
    }
}

/// The specialist of a command, and the practice.
struct SpecialistArguments: ParsableArguments {
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The specialist, by name or id.")
    var specialist: String

    /// Changes the specialist, and prints a sentence; `value` is that of the change.
    func change<Value: Sendable>(
        _ endpoint: Endpoint<WriteResult, UUID, UUID, Value>,
        _ session: Session,
        _ sentence: String,
        _ value: (PracticeDocument, SpecialistDocument) throws -> Value
    ) async throws {
        let practice = try await practice.document(in: session)
        let found = try await practice.specialist(specialist, in: session)
        let result = try await session.perform(endpoint, practice.id, found.id, value(practice, found))
        session.output.result(result, sentence)
    }

    /// Ends the work of the specialist from a day on, and gives the appointments that fit to another one, if any.
    func finish(
        _ endpoint: Endpoint<WriteResult, UUID, UUID, Day>,
        _ session: Session,
        _ sentence: String,
        _ ending: SpecialistEnding
    ) async throws {
        let practice = try await practice.document(in: session)
        let old = try await practice.specialist(specialist, in: session).id
        // A mistyped name must not be noticed after the specialist has ended.
        var new: UUID?
        if let successor = ending.moveTo { new = try await practice.specialist(successor, in: session).id }
        try await change(endpoint, session, sentence) { _, _ in ending.from }
        guard let new else { return }
        for appointment in try await session.appointmentsAhead(of: practice.id, from: ending.from, specialist: old) {
            let what =
                "\(appointment.patientName ?? "a patient"), \(appointment.details.wall), \(appointment.id.text)"
            do {
                let change = AppointmentChange.reassign(specialist: new, places: nil)
                _ = try await session.perform(.change(appointment: appointment.id, change))
                session.output.note("moved: \(what)")
            } catch let error as JournalError where [.conflict, .slotTaken, .invalid].contains(error.code) {
                session.output.note("not moved: \(what): \(error.description)")
            }
        }
    }
}

/// When the work of a specialist ends, and who takes over.
struct SpecialistEnding: ParsableArguments {
    @Option(name: .long, help: "The first day without the specialist.")
    var from: Day

    @Option(name: .long, help: "The specialist who takes over the appointments from that day on, by name or id.")
    var moveTo: String?
}

struct SpecialistSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the description of a specialist.",
        discussion: """
            Example:  healthjournal specialist set "Ada Roth" caseload.appointments=12
            Fields: \(SpecialistProfile.fields.map(\.name).joined(separator: ", ")). An empty value clears a field.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments
    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        try await specialist.change(SpecialistEndpoints.change, session, "changed the specialist") { _, found in
            try profile.apply(to: found.profile)
        }
    }
}

struct SpecialistHoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hours",
        abstract: "Set the hours of a specialist in a practice from a day on.",
        discussion: """
            Example:  healthjournal specialist hours "Ada Roth" --from 2027-01-01 "mon-thu 08:00-12:00"
            Without hours of their own, specialists work whenever the practice is open.
            --prefer "Check-up mon 2" lists the specialist first for that service on Mondays, among equal times; from -2 \
            (rather not) to 2 (gladly), on every day without a day. It binds nothing.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    @Option(
        name: .long,
        parsing: .singleValue,
        help: "A service that the specialist likes to do, or not: \"SERVICE [DAY] WEIGHT\"."
    )
    var prefer: [TypedPreference] = []

    @Argument(help: "The hours of days of the week; none if the specialist does not work.")
    var hours: [String] = []

    @Option(name: .long, help: "The first day.")
    var from: Day

    func run() async throws {
        let weekly: WeeklyHours
        do {
            weekly = try WeeklyHours(parsing: hours.map(WallTime.withTwoDigits))
        } catch {
            throw error.asUsage(of: "<hours>")
        }
        try await Session.run(options) { session in
            try await specialist.change(
                SpecialistEndpoints.setHours,
                session,
                "set the hours from \(from) on"
            ) { practice, _ in
                let preferences = try prefer.map { typed throws(JournalError) in try typed.preference(practice) }
                return HoursDocument(weekly, preferences: preferences, from: from)
            }
        }
    }
}

/// A preference as it is typed: `Check-up mon 2`.
struct TypedPreference: ExpressibleByArgument {
    private let service: String
    private let weekday: Weekday?
    private let weight: Int

    init?(argument: String) {
        var parts = argument.split(separator: " ").map(String.init)
        guard let weight = parts.popLast().flatMap({ Int($0) }) else { return nil }
        self.weight = weight
        weekday = parts.count > 1 ? parts.last.flatMap { Weekday(name: $0) } : nil
        if weekday != nil { parts.removeLast() }
        guard !parts.isEmpty else { return nil }
        service = parts.joined(separator: " ")
    }

    func preference(_ practice: PracticeDocument) throws(JournalError) -> AvailabilityPreference {
        AvailabilityPreference(service: try practice.service(service), weekday: weekday, weight: weight)
    }
}

extension Absence.Reason: ExpressibleByArgument {}

struct SpecialistAbsentCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "absent",
        abstract: "Note an absence; no appointment is cancelled.",
        discussion: """
            Example:  healthjournal specialist absent "Ada Roth" --from 2027-03-02T08:00 --until 2027-03-03T18:00 \\
                          --why sick
            Appointments that it hits are listed by:  healthjournal appointments --open --day 2027-03-02
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    @Option(name: .long, help: "The start, by the practice's clock.")
    var from: TypedTime

    @Option(name: .long, help: "The end, by the practice's clock.")
    var until: TypedTime

    @Option(name: .long, help: "Why.")
    var why: Absence.Reason

    func run(in session: Session) async throws {
        let id = UUID()
        try await specialist.change(
            SpecialistEndpoints.setAbsence,
            session,
            "noted the absence \(id.text)"
        ) { practice, _ in
            NamedAbsence(id, Absence(span: try practice.span(from, until, session), why: why))
        }
    }
}

struct SpecialistPresentCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Remove an absence.",
        discussion:
            "Example:  healthjournal specialist present \"Ada Roth\" 018f2c3b-… (see: specialist list --format json)"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    @Argument(help: "The id of the absence, or the first 8 or more characters of it.")
    var absence: String

    func run(in session: Session) async throws {
        try await specialist.change(SpecialistEndpoints.removeAbsence, session, "removed the absence") { _, found in
            try found.absences.one(absence, "absence", "absence") { ($0.id, "") }.id
        }
    }
}

struct SpecialistEndCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Note from which day on a specialist no longer works in any practice; no appointment is cancelled.",
        discussion: """
            Example:  healthjournal specialist end "Ada Roth" --from 2027-07-01 --move-to "Ben Meier"
            Appointments from that day on stay as they are, and are listed as open questions; --move-to gives those \
            that fit to another specialist, and lists the others.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    @OptionGroup var ending: SpecialistEnding

    func run(in session: Session) async throws {
        try await specialist.finish(SpecialistEndpoints.end, session, "ended from \(ending.from) on", ending)
    }
}

struct SpecialistReturnCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "return",
        abstract: "Note that a specialist works again.",
        discussion: "Example:  healthjournal specialist return \"Ada Roth\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    func run(in session: Session) async throws {
        let practice = try await specialist.practice.document(in: session)
        let found = try await practice.specialist(specialist.specialist, in: session)
        let result = try await session.perform(SpecialistEndpoints.takeBack, practice.id, found.id)
        session.output.result(result, "noted that the specialist works again")
    }
}

struct SpecialistJoinCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Let a specialist of another practice of yours work in this one too.",
        discussion: """
            Example:  healthjournal specialist join "Ada Roth" --practice "North Branch"
            The specialist has one diary in all practices, so that no two appointments overlap; what another practice \
            books is shown as busy. Also lets a specialist come back who has left the practice.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The specialist, by name or id.")
    var specialist: String

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        var known: [UUID: SpecialistDocument] = [:]
        for other in try await session.perform(PracticeEndpoints.list, nil) where other.roles.contains(.manager) {
            let specialists = try await session.perform(SpecialistEndpoints.list, other.id, nil)
            for found in specialists { known[found.id] = found }
        }
        let found = try Array(known.values).one(specialist, "specialist", "specialist") { ($0.id, $0.profile.name) }
        let result = try await session.perform(SpecialistEndpoints.join, practice.id, found.id)
        session.output.result(result, "\(found.profile.name) works in \(practice.profile.name)")
    }
}

struct SpecialistLeaveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Note from which day on a specialist no longer works in this practice; no appointment is cancelled.",
        discussion: """
            Example:  healthjournal specialist leave "Ada Roth" --practice "North Branch" --from 2027-07-01
            The specialist still works in other practices: specialist end ends the work in all of them.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments

    @OptionGroup var ending: SpecialistEnding

    func run(in session: Session) async throws {
        try await specialist.finish(SpecialistEndpoints.leave, session, "left from \(ending.from) on", ending)
    }
}

struct SpecialistEraseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Make the data of a specialist who no longer works unreadable for good.",
        discussion: """
            Example:  healthjournal specialist erase "Ada Roth" --reason "asked for on 3 March"
            The appointments stay, without a name. The log keeps the reason, which must not describe the person.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var specialist: SpecialistArguments
    @OptionGroup var confirmation: ErasureConfirmation

    func validate() throws { try confirmation.validate(options) }

    func run(in session: Session) async throws {
        let practice = try await specialist.practice.document(in: session)
        let known = try await practice.specialist(specialist.specialist, in: session)
        try confirmation.ask(about: known.profile.name, session)
        let result = try await session.perform(SpecialistEndpoints.erase, practice.id, known.id)
        session.output.result(result, "erased")
    }
}
