import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Lists free times.
struct SlotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots",
        abstract: "List the free times of a service.",
        discussion: """
            Example:  healthjournal slots Check-up --from 2027-03-01 --to 2027-03-05 --specialist "Ada Roth"
            Times are those of the practice's clock. Clients add --record, the animal for which they want a time.
            Example:  healthjournal slots --type emergency --minutes 30
            An emergency can begin in all hours of the practice; "on call" marks a specialist with other hours.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The service, by name or id; may be left out for an emergency with --minutes.")
    var service: String?

    @Option(name: .long, help: "The first day (default: today).")
    var from: Day?

    @Option(name: .long, help: "The last day (default: the first one).")
    var to: Day?

    @Option(name: .long, help: "Only this specialist, by name or id.")
    var specialist: String?

    @Option(name: .long, help: "Only this room, by name or id.")
    var room: String?

    @Option(name: .long, help: "The animal, whose own appointments are left out.")
    var record: String?

    @Option(name: .long, help: "The duration (default: that of the service).")
    var minutes: Int?

    @Option(name: .long, help: "The type (default: that of the service).")
    var type: AppointmentType?

    func validate() throws {
        if service == nil, type != .emergency {
            throw ValidationError("give a service; only an emergency (--type emergency --minutes N) needs none")
        }
        if service == nil, minutes == nil { throw ValidationError("an emergency without a service needs --minutes") }
    }

    func run() async throws {
        let first = from ?? Day.today
        let last = to ?? first
        guard first <= last else { throw ValidationError("--to is before --from") }
        try await Session.run(options) { session in
            let practice = try await practice.document(in: session)
            var asked = FreeSlotRequest(
                practice: practice.id,
                service: try service.map { text throws(JournalError) in try practice.service(text) },
                days: first...last
            )
            if let specialist { asked.specialist = try await practice.specialist(specialist, in: session).id }
            asked.place = try room.map { text throws(JournalError) in try practice.place(text) }
            if let record { asked.record = try await session.journal.record(record) }
            (asked.minutes, asked.type) = (minutes, type)
            let found = try await session.perform(AppointmentEndpoints.slots, asked)
            if session.output.isJSON { return session.output.json(found.json) }
            let rooms = Dictionary(practice.places.map { ($0.id, $0.profile.name) }) { first, _ in first }
            var table = TextTable([.init("START"), .init("SPECIALIST"), .init("ROOM")])
            for slot in found.slots {
                table.add([
                    "\(slot.wall)", slot.specialistName + (slot.isOnCall ? " (on call)" : ""),
                    slot.place.flatMap { rooms[$0] } ?? "",
                ])
            }
            if !found.lengthened.isEmpty {
                let reasons = found.lengthened.map(\.sentence).joined(separator: ", ")
                session.output.note("the appointment takes \(found.minutes) minutes: \(reasons)")
            }
            session.output.table(table, ifEmpty: "no free time: \(found.why?.sentence ?? "nothing fits")")
        }
    }
}

extension ServiceDuration.Reason {
    fileprivate var sentence: String {
        switch self {
        case .firstVisit: "the first visit"
        case .complexity: "a complex case, by the last triage"
        }
    }
}

extension NoSlotReason {
    fileprivate var sentence: String {
        switch self {
        case .closed: "the practice is closed on these days"
        case .noSpecialist: "no specialist works on these days"
        case .absent: "the specialists are absent"
        case .caseloadFull: "the specialists have as many appointments a day as they take"
        case .fullyBooked: "everything is booked"
        case .noGapLongEnough: "no gap is long enough"
        case .outsideWindow: "the free times are too soon, too late or over"
        }
    }
}

/// Books an appointment.
struct BookCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "book",
        abstract: "Book an appointment for an animal.",
        discussion: """
            Example:  healthjournal book 018f2c3a Check-up --at 2027-03-02T09:00 --specialist "Ada Roth"
            The time is that of the practice's clock, or an RFC 3339 time. Without --room, a free room of the service \
            is taken if it needs one. Exit status 4: the time is not free.
            Example:  healthjournal book 018f2c3a Check-up --at 2027-03-02T09:00 --specialist "Ada Roth" \\
                          --every "4 weeks" --times 6
            A series is booked as a whole or not at all; --skip-taken leaves out the times that cannot be booked.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The service, by name or id; may be left out for an emergency with --minutes.")
    var service: String?

    @Option(name: .long, help: "The start: 2027-03-02T09:00 or 2027-03-02T08:00:00Z.")
    var at: StartArgument

    @Option(name: .long, help: "The specialist, by name or id; an emergency needs none.")
    var specialist: String?

    @Option(name: .long, parsing: .singleValue, help: "A room or a device, by name or id.")
    var room: [String] = []

    @Option(name: .long, help: "The duration (default: that of the service).")
    var minutes: Int?

    @Option(name: .long, help: "The type (default: that of the service).")
    var type: AppointmentType?

    @Option(name: .long, help: "What the patient comes for.")
    var purpose: String?

    @Option(name: .long, help: "Notes for those who treat the patient.")
    var notes: String?

    @Option(name: .long, help: "What the client has to know.")
    var instructions: String?

    @Option(name: .long, help: "The id of the triage of the animal from which it is booked.")
    var assessment: String?

    @Option(name: .long, help: "Only reserve the time until then, by the practice's clock.")
    var holdUntil: TypedTime?

    @Option(name: .long, help: "The id of an appointment whose time this one takes; give a --reason.")
    var displace: String?

    @Option(name: .long, help: "The new time of the displaced appointment; without it, its patient waits.")
    var displacedTo: StartArgument?

    @Option(name: .long, help: "Repeat it after so many days or weeks, such as \"4 weeks\"; give --times.")
    var every: String?

    @Option(name: .long, help: "How many appointments a series has, with the first one: 2 to 52.")
    var times: Int?

    @Flag(name: .long, help: "Leave out the times of a series that cannot be booked.")
    var skipTaken = false

    @Flag(name: .long, help: "Only say whether the time can be booked.")
    var dryRun = false

    func validate() throws {
        if displacedTo != nil, displace == nil { throw ValidationError("--displaced-to needs --displace") }
        if let displace, UUID(uuidString: displace) == nil {
            throw ValidationError("--displace needs the complete id of an appointment")
        }
        if let assessment, UUID(uuidString: assessment) == nil {
            throw ValidationError("--assessment needs the complete id of a triage")
        }
        if (every == nil) != (times == nil) { throw ValidationError("a series needs both --every and --times") }
        if every == nil, skipTaken { throw ValidationError("--skip-taken needs --every and --times") }
        if every != nil, holdUntil != nil || displace != nil {
            throw ValidationError("a series cannot be reserved, nor take the time of another appointment")
        }
        _ = try repetition
    }

    private var repetition: Repetition? {
        get throws {
            guard let every, let times else { return nil }
            do { return try Repetition(parsing: every, count: times) } catch { throw error.asUsage(of: "--every") }
        }
    }

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let record = try await record.id(in: session)
        var asked = AppointmentRequest(practice: practice.id, record: record, start: at.start)
        asked.service = try service.map { text throws(JournalError) in try practice.service(text) }
        if let specialist { asked.specialist = try await practice.specialist(specialist, in: session).id }
        if !room.isEmpty {
            asked.places = try room.map { text throws(JournalError) in try practice.place(text) }
        }
        (asked.minutes, asked.type) = (minutes, type)
        (asked.reason, asked.notes, asked.instructions) = (purpose ?? "", notes ?? "", instructions ?? "")
        asked.assessment = assessment.flatMap(UUID.init(uuidString:))
        asked.displacing = displace.flatMap(UUID.init(uuidString:)).map { .init($0, to: displacedTo?.start) }
        if let repetition = try repetition { return try await bookSeries(asked, repetition, session) }
        let end = try holdUntil?.instant(in: practice.zone(session))
        let result = try await session.perform(AppointmentEndpoints.book, Booking(asked, heldUntil: end), dryRun)
        if dryRun, !session.output.isJSON { return session.output.line("possible") }
        let word = holdUntil == nil ? "booked" : "reserved"
        var what = "appointment \(result.entry?.text ?? "")"
        // It is booked, whether or not it can be described.
        if !session.output.isJSON, let id = result.entry,
            let line = try? await session.description(ofAppointment: id)
        {
            what = "\(line); \(what)"
        }
        session.output.result(result, "\(word): \(what)")
    }

    private func bookSeries(_ asked: AppointmentRequest, _ repetition: Repetition, _ session: Session) async throws {
        let wanted = BookingSeries(asked, repetition, skipsTaken: skipTaken)
        let series = try await session.perform(AppointmentEndpoints.bookSeries, wanted, dryRun)
        if session.output.isJSON { return session.output.json(series.json) }
        for visit in series.booked {
            session.output.line(
                dryRun ? "possible: \(visit.wall)" : "booked: \(visit.wall), \(visit.entry?.text ?? "")"
            )
        }
        for skipped in series.skipped { session.output.note("left out: \(skipped.why)") }
    }
}

extension AppointmentType: ExpressibleByArgument {}
extension AppointmentStatus: ExpressibleByArgument {}
extension ConfirmationWay: ExpressibleByArgument {}

/// Lists appointments.
struct AppointmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appointments",
        abstract: "List the appointments of a practice, or those of an animal.",
        discussion: """
            Example:  healthjournal appointments --day 2027-03-02 --specialist "Ada Roth"
            Example:  healthjournal appointments --patient 018f2c3a
            Example:  healthjournal appointments --open --from 2027-03-01 --to 2027-03-31
            --open lists those that cannot take place as agreed, and those of which nobody has said what became of \
            them. Each appointment that is listed is a read of its patient's record.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The day (default: today).")
    var day: Day?

    @Option(name: .long, help: "The first day.")
    var from: Day?

    @Option(name: .long, help: "The last day.")
    var to: Day?

    @Option(name: .long, help: "Only this specialist, by name or id.")
    var specialist: String?

    @Option(name: .long, help: "Only this room, by name or id.")
    var room: String?

    @Option(name: .long, help: "The appointments of this animal, on all days.")
    var patient: String?

    @Option(name: .long, parsing: .singleValue, help: "Only this status.")
    var status: [AppointmentStatus] = []

    @Flag(name: .long, help: "Only those with an open question.")
    var open = false

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func validate() throws {
        if day != nil, from != nil || to != nil { throw ValidationError("give --day, or --from and --to") }
    }

    func run() async throws {
        let first = day ?? from ?? Day.today
        let last = day ?? to ?? first
        guard first <= last else { throw ValidationError("--to is before --from") }
        try await Session.run(options) { session in
            if let patient {
                let record = try await session.journal.record(patient)
                let found = try await session.perform(AppointmentEndpoints.ofRecord, record, asOf?.asOf)
                var names: [UUID: String] = [:]
                for practice in Set(found.map(\.details.practice)) where !session.output.isJSON {
                    names.merge(try await session.names(in: practice)) { first, _ in first }
                }
                return session.output.appointments(found.filter { status.isEmpty || status.contains($0.status) }, names)
            }
            let practice = try await practice.document(in: session, asOf: asOf?.asOf)
            var filter = AppointmentFilter()
            if let specialist { filter.specialist = try await practice.specialist(specialist, in: session).id }
            filter.place = try room.map { text throws(JournalError) in try practice.place(text) }
            filter.statuses = status.isEmpty ? nil : Set(status)
            filter.onlyOpenQuestions = open
            let calendar = try await session.perform(
                AppointmentEndpoints.calendar,
                practice.id,
                first...last,
                filter,
                asOf?.asOf
            )
            if session.output.isJSON { return session.output.json(calendar.json) }
            session.output.appointments(calendar.appointments, calendar.names)
            for busy in calendar.busy {
                let name = calendar.names[busy.specialist] ?? ""
                let what = busy.isBlocked ? "blocked" : "busy elsewhere"
                let (start, end) = (session.output.time(busy.span.start), session.output.time(busy.span.end))
                session.output.line("\(name): \(what) from \(start) to \(end)")
            }
        }
    }
}

extension PracticeCalendarDocument {
    /// The names of the specialists, services and rooms.
    fileprivate var names: [UUID: String] {
        Dictionary((specialists + services + places).map { ($0.id, $0.name) }) { first, _ in first }
    }
}

extension Output {
    /// Prints appointments as a table, or as JSON.
    fileprivate func appointments(_ found: [AppointmentDocument], _ names: [UUID: String] = [:]) {
        if isJSON { return json(.array(found.map(\.json))) }
        var table = TextTable([
            .init("START"), .init("MIN", .right), .init("PATIENT"), .init("SERVICE"), .init("SPECIALIST"),
            .init("ROOM"), .init("STATUS"), .init("REMARK"), .init("ID"),
        ])
        for item in found {
            let late = item.isCancelledLate ? "cancelled late" : nil
            let remark = item.problem ?? late ?? (item.isUnresolved ? "no outcome yet" : item.details.reason)
            table.add([
                "\(item.details.wall)", String(item.details.minutes),
                item.patient + (item.alerts.map { " (! \($0))" } ?? ""),
                item.details.service.flatMap { names[$0] } ?? item.details.type.rawValue,
                item.details.specialist.map { names[$0] ?? $0.beginning } ?? "",
                item.details.places.map { names[$0] ?? $0.beginning }.joined(separator: ", "),
                item.status.sentence + (item.arrivedAt != nil && item.begunAt == nil ? ", arrived" : ""), remark,
                item.id.text,
            ])
        }
        self.table(table, ifEmpty: "no appointments")
    }
}
