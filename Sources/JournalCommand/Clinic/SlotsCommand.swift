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
