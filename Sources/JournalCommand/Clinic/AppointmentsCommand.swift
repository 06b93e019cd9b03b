import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

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
                let found = try await session.perform(AppointmentEndpoints.ofRecord, record, asOf?.asOf(in: session))
                var names: [UUID: String] = [:]
                for practice in Set(found.map(\.details.practice)) where !session.output.isJSON {
                    names.merge(try await session.names(in: practice)) { first, _ in first }
                }
                return session.output.appointments(found.filter { status.isEmpty || status.contains($0.status) }, names)
            }
            let practice = try await practice.document(in: session, asOf: asOf?.asOf(in: session))
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
                asOf?.asOf(in: session)
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
