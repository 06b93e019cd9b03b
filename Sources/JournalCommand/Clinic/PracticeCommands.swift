import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on practices.
struct PracticeCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice",
        abstract: "Set up a practice: its hours, services, rooms and members.",
        discussion: """
            Start with:  healthjournal practice create name="Two Rooms" zone=Europe/Zurich \
            Then set its hours, add services, rooms and specialists, register patients, and book appointments. \
            Several practices of one journal are branches of one firm; independent practices use a journal each.
            """,
        subcommands: [
            PracticeCreateCommand.self, PracticeListCommand.self, PracticeShowCommand.self, PracticeSetCommand.self,
            PracticeOpenCommand.self,
            PracticeHoursCommand.self, PracticeServiceCommands.self, PracticeRoomCommands.self,
            PracticeMemberCommands.self, PracticeExportCommand.self, PracticeCloseCommand.self,
        ]
    )
}

/// Creates a practice.
struct PracticeCreateCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a practice, of which the acting account becomes a manager.",
        discussion: """
            Example:  healthjournal practice create name="Two Rooms" zone=Europe/Zurich phone="+41 26 555 07 08"
            Fields: \(PracticeProfile.fields.map(\.name).joined(separator: ", "))
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let existing = try await session.perform(PracticeEndpoints.list, nil)
        let result = try await session.perform(PracticeEndpoints.create, profile.apply())
        session.output.result(result, "created the practice \(result.id?.text ?? "")")
        if !existing.isEmpty, !session.output.isJSON {
            session.output.note(
                "the practices of a journal are branches of one firm: they share accounts, records and microchips"
            )
        }
    }
}

/// Lists the practices.
struct PracticeListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the practices of the journal.",
        discussion: "Example:  healthjournal practice list"
    )

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let found = try await session.perform(PracticeEndpoints.list, asOf?.asOf(in: session))
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([.init("NAME"), .init("ZONE"), .init("YOU ARE"), .init("ID")])
        for practice in found {
            let roles = practice.roles.map(\.name).joined(separator: ", ")
            table.add([
                practice.profile.name + (practice.closedAt == nil ? "" : " (closed)"), practice.profile.zone,
                roles, practice.id.text,
            ])
        }
        session.output.table(table, ifEmpty: "there is no practice yet")
    }
}

/// Shows a practice.
struct PracticeShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a practice with its hours, services, rooms and members.",
        discussion: "Example:  healthjournal practice show"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session, asOf: asOf?.asOf(in: session))
        if session.output.isJSON { return session.output.json(found.json) }
        session.output.line("\(found.profile.name)  \(found.profile.zone)  \(found.id.text)")
        if let closed = found.closedAt { session.output.line("closed \(closed)") }
        session.output.profile(found.profile, besides: ["name", "zone"])
        for item in found.timetables {
            session.output.line("\nHours from \(item.from):")
            for line in item.timetable.usual.lines { session.output.line("  \(line)") }
            for line in item.timetable.emergency.lines { session.output.line("  \(line) (emergencies)") }
            for holiday in item.timetable.holidays { session.output.line("  \(holiday)") }
        }
        if found.timetables.isEmpty { session.output.line("\nNo hours yet: healthjournal practice hours --help") }
        var services = TextTable([
            .init("SERVICE"), .init("TYPE"), .init("MINUTES", .right), .init("CLIENTS BOOK"), .init("ID"),
        ])
        for service in found.services where service.endedAt == nil {
            let profile = service.profile
            services.add([
                profile.name, profile.type.rawValue, String(profile.minutes), profile.isOnline ? "yes" : "no",
                service.id.text,
            ])
        }
        session.output.line("")
        session.output.table(services, ifEmpty: "No services yet.")
        let names = Dictionary(found.places.map { ($0.id, $0.profile.name) }) { first, _ in first }
        for service in found.services where service.endedAt == nil {
            // The table shows the others.
            let shown: Set = ["name", "type", "minutes", "online"]
            guard
                service.profile.values.inputs(of: ServiceProfile.fields.filter { !shown.contains($0.name) })
                    .contains(where: { service.profile.values[$0] != nil })
            else { continue }
            session.output.line("\n\(service.profile.name):")
            session.output.profile(service.profile, besides: shown, indent: "  ", names)
        }
        if !found.places.isEmpty {
            var rooms = TextTable([.init("ROOM"), .init("AT ONCE", .right), .init("ID")])
            for room in found.places where room.endedAt == nil {
                rooms.add([room.profile.name, String(room.profile.capacity), room.id.text])
            }
            session.output.line("")
            session.output.table(rooms, ifEmpty: "No rooms.")
        }
        if !found.members.isEmpty {
            var members = TextTable([.init("MEMBER"), .init("ROLES"), .init("UNTIL")])
            for member in found.members {
                members.add([
                    session.journal.name(of: member.account),
                    member.membership.roles.sorted().map(\.name).joined(separator: ", "),
                    member.membership.until?.description ?? "",
                ])
            }
            session.output.line("")
            session.output.table(members, ifEmpty: "")
        }
    }
}

/// Says whether a practice is open.
struct PracticeOpenCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Say whether a practice is open, and whether it can treat what needs a specialty.",
        discussion: "Example:  healthjournal practice open --at 2027-03-07T23:00 --specialty Dentistry"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The moment, by the practice's clock (default: now).")
    var at: TypedTime?

    @Option(name: .long, help: "A specialty, by name.")
    var specialty: String?

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let moment = try at?.instant(in: practice.zone(session))
        let found = try await session.perform(PracticeEndpoints.operating, practice.id, moment, specialty)
        let output = session.output
        if output.isJSON { return output.json(found.json) }
        let end = found.until.map { " until \(output.time($0))" } ?? ""
        switch found.state {
        case .open: output.line("open\(end)")
        case .emergencyOnly: output.line("open for emergencies alone\(end)")
        case .closed: output.line("closed\(found.next.map { ", opens \(output.time($0))" } ?? "")")
        }
        guard let specialty = found.specialty else { return }
        switch specialty.answer {
        case "notListed": output.line("the practice does not list the specialty \(specialty.name)")
        case "notHeld": output.line("nobody who works in the practice has the specialty \(specialty.name)")
        default: output.line("specialists for \(specialty.name): \(specialty.specialists.count)")
        }
    }
}

/// Changes the description of a practice.
struct PracticeSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the description of a practice.",
        discussion: """
            Example:  healthjournal practice set notice=12 bookUntil=60
            Fields: \(PracticeProfile.fields.map(\.name).joined(separator: ", ")). An empty value clears a field.
            Another zone needs a --reason; the appointments whose clock time it moves are listed, with --dry-run before \
            anything is changed.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var profile: ProfileArguments

    @Flag(name: .long, help: "Only say what another zone would move.")
    var dryRun = false

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let changed = try profile.apply(to: found.profile)
        let result = try await session.perform(PracticeEndpoints.change, found.id, changed, dryRun)
        let moved = JSONValue.array(result.moved.map(\.json))
        session.output.result(
            result,
            "changed the practice",
            adding: result.moved.isEmpty ? [] : [.init("moved", moved)]
        )
        guard !session.output.isJSON, !result.moved.isEmpty else { return }
        let count = result.moved.count == 1 ? "1 appointment" : "\(result.moved.count) appointments"
        session.output.line(
            "\(count) at another time by the clock than agreed: healthjournal appointment rezone moves them back"
        )
        var table = TextTable([.init("AGREED"), .init("BY THE NEW ZONE"), .init("APPOINTMENT")])
        for item in result.moved { table.add(["\(item.agreed)", "\(item.wall)", item.appointment.text]) }
        session.output.table(table, ifEmpty: "")
    }
}

/// Sets the opening hours.
struct PracticeHoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hours",
        abstract: "Set the opening hours of a practice from a day on; earlier days keep theirs.",
        discussion: """
            Example:  healthjournal practice hours --from 2027-01-01 --usual "mon-fri 08:00-12:00,13:00-17:00" \\
                          --usual "sat 09:00-12:00" --holiday "2027-12-25 closed Christmas"
            Hours that close at or before their opening end on the next day. A holiday replaces the hours of its day:
            "2027-12-24 08:00-12:00 Christmas Eve", or each year: "yearly 2027-08-01 closed National day".
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The first day.")
    var from: Day

    @Option(name: .long, parsing: .singleValue, help: "Hours of days of the week: \"mon-fri 08:00-12:00\".")
    var usual: [String] = []

    @Option(name: .long, parsing: .singleValue, help: "Hours in which emergencies are taken as well.")
    var emergency: [String] = []

    @Option(name: .long, parsing: .singleValue, help: "A day with other hours: \"2027-12-25 closed Christmas\".")
    var holiday: [String] = []

    func run() async throws {
        let timetable: Timetable
        var option = "--usual"
        do throws(ModelError) {
            let usual = try WeeklyHours(parsing: usual.map(WallTime.withTwoDigits))
            option = "--emergency"
            let emergency = try WeeklyHours(parsing: emergency.map(WallTime.withTwoDigits))
            option = "--holiday"
            timetable = Timetable(
                usual: usual,
                emergency: emergency,
                holidays: try holiday.map { line throws(ModelError) in
                    try Holiday(parsing: WallTime.withTwoDigits(line))
                }
            )
        } catch {
            throw error.asUsage(of: option)
        }
        try await Session.run(options) { session in
            let found = try await practice.document(in: session)
            let hours = TimetableDocument(timetable, from: from)
            let result = try await session.perform(PracticeEndpoints.setTimetable, found.id, hours)
            session.output.result(result, "set the hours from \(from) on")
            let all = Weekday.allCases.flatMap { timetable.usual[$0] + timetable.emergency[$0] }
            for hours in Set(all.filter { $0.close <= $0.open.minutes }) where !session.output.isJSON {
                session.output.note("\(hours) ends on the next day")
            }
        }
    }
}

/// Closes a practice.
struct PracticeCloseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a practice: it can still be read, but no longer be changed.",
        discussion: """
            Example:  healthjournal practice close --practice "Two Rooms" --cancel-future --reason "moved"
            A practice with appointments ahead is not closed without --cancel-future.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Flag(name: .long, help: "Cancel the appointments that are ahead, each one by itself, and list them.")
    var cancelFuture = false

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        if cancelFuture {
            guard found.roles.contains(.manager) else {
                throw JournalError(.refused, "only a manager of the practice may close it: nothing was cancelled")
            }
            for appointment in try await session.appointmentsAhead(of: found.id) {
                _ = try await session.perform(.change(appointment: appointment.id, .cancel(code: "closed")))
                let patient = appointment.patientName ?? "a patient"
                session.output.note("cancelled: \(patient), \(appointment.details.wall), \(appointment.id.text)")
            }
        }
        let result = try await session.perform(PracticeEndpoints.close, found.id)
        session.output.result(result, "closed \(found.profile.name)")
    }
}

// MARK: Services and rooms

/// Commands on the services of a practice.
struct PracticeServiceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Add, change and end the services of a practice.",
        discussion: "Example:  healthjournal practice service add name=Check-up type=routine minutes=30",
        subcommands: [ServiceAddCommand.self, ServiceSetCommand.self, ServiceEndCommand.self]
    )
}

struct ServiceAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a service.",
        discussion: """
            Example:  healthjournal practice service add name=Check-up type=routine minutes=30 online=true
            Fields: \(ServiceProfile.fields.map(\.name).joined(separator: ", "))
            Types: \(AppointmentType.allCases.map(\.rawValue).joined(separator: ", "))
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var profile: ProfileArguments

    @Option(name: .long, parsing: .singleValue, help: "A room or a device of which an appointment needs one.")
    var room: [String] = []

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        var service: ServiceProfile = try profile.apply()
        for (index, room) in room.enumerated() {
            do { try service.set("places.\(index)", text: try found.place(room).text) } catch {
                throw JournalError(error)
            }
        }
        let id = UUID()
        let result = try await session.perform(PracticeEndpoints.setService, found.id, id, service)
        session.output.result(result, "added the service \(id.text)")
    }
}

struct ServiceSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a service; what is booked keeps its duration.",
        discussion: "Example:  healthjournal practice service set Check-up minutes=45"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The service, by name or id.")
    var service: String

    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let id = try found.service(service)
        let known = found.services.first { $0.id == id }?.profile
        let changed = try profile.apply(to: known ?? ServiceProfile(values: FieldValues()))
        let result = try await session.perform(PracticeEndpoints.setService, found.id, id, changed)
        session.output.result(result, "changed the service")
    }
}

struct ServiceEndCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "No longer offer a service; its appointments stay.",
        discussion: "Example:  healthjournal practice service end Check-up"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The service, by name or id.")
    var service: String

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let result = try await session.perform(PracticeEndpoints.endService, found.id, found.service(service))
        session.output.result(result, "ended the service")
    }
}

/// Commands on the rooms of a practice.
struct PracticeRoomCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Add, change, block and end the rooms and devices of a practice.",
        discussion: "Example:  healthjournal practice room add name=Surgery",
        subcommands: [
            RoomAddCommand.self, RoomSetCommand.self, RoomEndCommand.self, RoomBlockCommand.self,
            RoomUnblockCommand.self, RoomBlockedCommand.self,
        ]
    )
}

struct RoomAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a room or a device.",
        discussion: """
            Example:  healthjournal practice room add name=Surgery
            Fields: \(PlaceProfile.fields.map(\.name).joined(separator: ", "))
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let id = UUID()
        let result = try await session.perform(PracticeEndpoints.setRoom, found.id, id, profile.apply())
        session.output.result(result, "added the room \(id.text)")
    }
}

struct RoomSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a room or a device.",
        discussion: "Example:  healthjournal practice room set Surgery name=\"Surgery 1\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The room, by name or id.")
    var room: String

    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let id = try found.place(room)
        let known = found.places.first { $0.id == id }?.profile
        let changed = try profile.apply(to: known ?? PlaceProfile(values: FieldValues()))
        let result = try await session.perform(PracticeEndpoints.setRoom, found.id, id, changed)
        session.output.result(result, "changed the room")
    }
}

struct RoomEndCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "No longer use a room or a device; its appointments stay.",
        discussion: "Example:  healthjournal practice room end Surgery"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The room, by name or id.")
    var room: String

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let result = try await session.perform(PracticeEndpoints.endRoom, found.id, found.place(room))
        session.output.result(result, "ended the room")
    }
}

// MARK: Members

/// Commands on the members of a practice.
struct PracticeMemberCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "Say who works in a practice, and as what.",
        discussion: "Example:  healthjournal practice member set nora --role nurse",
        subcommands: [MemberSetCommand.self, MemberRemoveCommand.self]
    )
}

extension ClinicRole: ExpressibleByArgument {}

struct MemberSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Make an account a member, or change its roles.",
        discussion: """
            Example:  healthjournal practice member set nora --role nurse --role receptionist
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var account: AccountArgument

    @Option(name: .long, parsing: .singleValue, help: "A role.")
    var role: [ClinicRole]

    @Option(name: .long, help: "The specialist that the account is, by name or id.")
    var specialist: String?

    @Option(name: .long, help: "The first day.")
    var from: Day?

    @Option(name: .long, help: "The last day.")
    var until: Day?

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        var membership = Membership(roles: Set(role), from: from, until: until)
        if let specialist { membership.specialist = try await found.specialist(specialist, in: session).id }
        let account = try await account.id(in: session)
        let result = try await session.perform(PracticeEndpoints.setMember, found.id, account, membership)
        session.output.result(result, "\(session.journal.name(of: account)) is a member of \(found.profile.name)")
    }
}

struct MemberRemoveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "End a membership; the last manager cannot be removed.",
        discussion: "Example:  healthjournal practice member remove nora"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var account: AccountArgument

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let result = try await session.perform(PracticeEndpoints.removeMember, found.id, account.id(in: session))
        session.output.result(result, "ended the membership")
    }
}
