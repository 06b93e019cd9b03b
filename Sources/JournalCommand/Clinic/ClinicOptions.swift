import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// The practice of a command.
struct PracticeOption: ParsableArguments {
    @Option(name: .long, help: "The practice, by name or id (default: the only one, or the one where you have a role).")
    var practice: String?

    /// Returns the practice, and that the name is unique.
    func document(in session: Session, asOf: AsOf? = nil) async throws -> PracticeDocument {
        let practices = try await session.perform(PracticeEndpoints.list, asOf)
        if let practice { return try practices.one(practice, "practice", "practice") { ($0.id, $0.profile.name) } }
        guard let first = practices.first else {
            throw JournalError(.notFound, "there is no practice yet: healthjournal practice create name=… zone=…")
        }
        let own = practices.filter { !$0.roles.isEmpty }
        guard practices.count == 1 || own.count == 1 else {
            let names = (own.isEmpty ? practices : own).map(\.profile.name).joined(separator: ", ")
            throw JournalError(.invalid, field: "practice", "there are several, choose one with --practice: \(names)")
        }
        return own.first ?? first
    }
}

extension Array {
    /// Returns the only element with a name, whatever its case, or whose id begins with a text.
    func one(
        _ text: String,
        _ word: String,
        _ field: String,
        _ names: (Element) -> (id: UUID, name: String)
    ) throws(JournalError) -> Element {
        let wanted = text.lowercased()
        var found = filter { names($0).name.lowercased() == wanted || names($0).id.text == wanted }
        if found.isEmpty { found = filter { wanted.count >= 8 && names($0).id.text.hasPrefix(wanted) } }
        switch found.count {
        case 1: return found[0]
        case 0: throw JournalError(.notFound, field: field, "there is no such \(word)")
        default: throw JournalError(.invalid, field: field, "is the name of several: give the whole id")
        }
    }
}

extension PracticeDocument {
    /// Returns a service that is offered, by its name or id.
    func service(_ text: String) throws(JournalError) -> UUID {
        try services.filter { $0.endedAt == nil }.one(text, "service", "service") { ($0.id, $0.profile.name) }.id
    }

    /// Returns a room that is used, by its name or id.
    func place(_ text: String) throws(JournalError) -> UUID {
        try places.filter { $0.endedAt == nil }.one(text, "room", "room") { ($0.id, $0.profile.name) }.id
    }

    func specialist(_ text: String, in session: Session) async throws -> SpecialistDocument {
        try await session.perform(SpecialistEndpoints.list, id, nil)
            .one(text, "specialist", "specialist") { ($0.id, $0.profile.name) }
    }
}

extension Session {
    /// Returns the appointments of the next two years, or from a day on, that have not begun, in the order of their starts.
    func appointmentsAhead(
        of practice: UUID,
        from day: Day? = nil,
        specialist: UUID? = nil
    ) async throws -> [AppointmentDocument] {
        var filter = AppointmentFilter()
        filter.specialist = specialist
        filter.statuses = [.held, .scheduled, .confirmed]
        let now = journal.now
        let first = day ?? Day(of: now).adding(days: -1)
        var found: [UUID: AppointmentDocument] = [:]
        // The service answers for a limited number of days at once.
        for window in 0..<8 {
            let start = first.adding(days: window * SlotQuestion.maximumDays)
            let days = start...start.adding(days: SlotQuestion.maximumDays - 1)
            let calendar = try await perform(AppointmentEndpoints.calendar, practice, days, filter, nil)
            for appointment in calendar.appointments where appointment.details.start > now {
                found[appointment.id] = appointment
            }
        }
        return found.values.sorted { ($0.details.start, $0.id.text) < ($1.details.start, $1.id.text) }
    }
}

/// The argument APPOINTMENT of commands on one.
struct AppointmentArgument: ParsableArguments {
    @Argument(help: "The id of the appointment.")
    var appointment: String

    var id: UUID {
        get throws(JournalError) {
            guard let id = UUID(uuidString: appointment) else {
                throw JournalError(.invalid, field: "appointment", "must be the complete id of an appointment")
            }
            return id
        }
    }
}

/// A start, by the practice's clock or as an RFC 3339 time.
struct StartArgument: ExpressibleByArgument {
    let start: AppointmentRequest.Start

    init?(argument: String) {
        guard let start = try? AppointmentRequest.Start(parsing: WallTime.withTwoDigits(argument)) else { return nil }
        self.start = start
    }
}

extension PracticeDocument {
    /// The practice's zone, by whose clock times are typed; the journal's, if this machine does not know it.
    func zone(_ session: Session) -> TimeZone { TimeZone(identifier: profile.zone) ?? session.output.typedZone }

    /// Returns the time between two moments that were typed.
    func span(_ from: TypedTime, _ until: TypedTime, _ session: Session) throws -> TimeSpan {
        let zone = zone(session)
        guard let span = TimeSpan(try from.instant(in: zone), try until.instant(in: zone)) else {
            throw ValidationError("--until must be after --from")
        }
        return span
    }
}

/// The values FIELD=VALUE of a description.
struct ProfileArguments: ParsableArguments {
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The fields and their values.", valueName: "FIELD=VALUE"))
    var values: [String]

    /// Returns a description with the values; an empty value clears a field.
    func apply<Profile: ClinicProfile>(to profile: Profile = Profile(values: FieldValues())) throws -> Profile {
        var profile = profile
        for (name, value) in try TypedField.all(values).named(among: Profile.fields.leaves.map(\.name)) {
            do { try profile.set(name, text: value) } catch { throw JournalError(error) }
        }
        return profile
    }
}
