import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

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
