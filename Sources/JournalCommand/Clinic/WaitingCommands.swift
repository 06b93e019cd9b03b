import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// The commands on the waiting list of a practice.
struct WaitingGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting",
        abstract: "Keep the waiting list of a practice, and offer times that became free.",
        discussion: "Example:  healthjournal waiting list --fits 2027-03-02T09:00",
        subcommands: [
            WaitingAddCommand.self, WaitingListCommand.self, WaitingOfferCommand.self, WaitingRemoveCommand.self,
        ]
    )
}

extension WaitUrgency: ExpressibleByArgument {}

/// The argument WAIT of commands on an entry of a waiting list.
struct WaitArgument: ParsableArguments {
    @Argument(help: "The id of the entry on the waiting list.")
    var wait: String

    var id: UUID {
        get throws(JournalError) {
            guard let id = UUID(uuidString: wait) else {
                throw JournalError(.invalid, field: "wait", "must be the complete id of an entry on the waiting list")
            }
            return id
        }
    }
}

struct WaitingAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Put a patient on the waiting list.",
        discussion: """
            Example:  healthjournal waiting add 018f2c3a Check-up --urgency soon --until 2027-03-31 --hours "mon-fri 08:00-12:00"
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The service, by name or id.")
    var service: String

    @Option(name: .long, parsing: .singleValue, help: "Only this specialist, by name or id.")
    var specialist: [String] = []

    @Option(name: .long, help: "How urgent it is: urgent, soon or routine.")
    var urgency: WaitUrgency = .routine

    @Option(name: .long, help: "The first day that suits.")
    var from: Day?

    @Option(name: .long, help: "The last day that suits.")
    var until: Day?

    @Option(name: .long, parsing: .singleValue, help: "When it suits, such as \"mon-fri 08:00-12:00\".")
    var hours: [String] = []

    @Option(name: .long, help: "A note.")
    var note: String?

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        var wish = WaitProfile(values: FieldValues())
        wish.values[WaitProfile.service] = .id(try practice.service(service))
        var ids: [UUID] = []
        for name in specialist { ids.append(try await practice.specialist(name, in: session).id) }
        wish.values[WaitProfile.specialists] = ids.fieldValue
        wish.values[WaitProfile.urgency] = urgency.fieldValue
        wish.values[WaitProfile.from] = from?.fieldValue
        wish.values[WaitProfile.until] = until?.fieldValue
        wish.values[WaitProfile.hours] = hours.fieldValue
        wish.values[WaitProfile.note] = note?.fieldValue
        let result = try await session.perform(
            ClientEndpoints.addWait,
            practice.id,
            WaitRequest(wish, of: record.id(in: session))
        )
        session.output.result(result, "on the waiting list: \(result.entry?.text ?? "")")
    }
}

struct WaitingListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the patients who wait, the most urgent one first.",
        discussion: """
            Example:  healthjournal waiting list
            Example:  healthjournal waiting list --fits 2027-03-02T09:00 --minutes 30 --specialist "Ada Roth"
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "Only those whom this time suits.")
    var fits: StartArgument?

    @Option(name: .long, help: "How long the time is.")
    var minutes = 15

    @Option(name: .long, help: "Whose time it is, by name or id.")
    var specialist: String?

    func validate() throws {
        if specialist != nil, fits == nil { throw ValidationError("--specialist needs --fits") }
    }

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        var question: WaitQuestion?
        if let fits {
            var id: UUID?
            if let specialist { id = try await practice.specialist(specialist, in: session).id }
            question = WaitQuestion(start: fits.start, minutes: minutes, specialist: id)
        }
        let found = try await session.perform(ClientEndpoints.waiting, practice.id, question)
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([
            .init("URGENCY"), .init("PATIENT"), .init("SERVICE"), .init("SINCE"), .init("UNTIL"), .init("STATUS"),
            .init("SUITS"), .init("NOTE"), .init("ID"),
        ])
        let isForSome = found.contains { !$0.profile.specialistIDs.isEmpty }
        let specialists = isForSome ? try await session.perform(SpecialistEndpoints.list, practice.id, nil) : []
        let names = Dictionary(specialists.map { ($0.id, $0.profile.name) }) { first, _ in first }
        let services = Dictionary(practice.services.map { ($0.id, $0.profile.name) }) { first, _ in first }
        for item in found {
            table.add([
                item.profile.urgencyWord.name, AppointmentDocument.patient(item.patientName, item.client?.text),
                item.profile.serviceID.flatMap { services[$0] } ?? "",
                String(session.output.time(item.addedAt).prefix(10)),
                item.profile.lastDay.map { "\($0)" } ?? "", item.status.rawValue,
                ([item.profile.firstDay.map { "from \($0)" }].compactMap(\.self)
                    + item.profile.values.texts(WaitProfile.hours)
                    + item.profile.specialistIDs.map { names[$0] ?? $0.beginning })
                    .joined(separator: ", "),
                item.profile.values.text(WaitProfile.note) ?? "", item.id.text,
            ])
        }
        session.output.table(table, ifEmpty: fits == nil ? "nobody waits" : "this time suits nobody who waits")
    }
}

struct WaitingOfferCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Reserve a time for a patient who waits.",
        discussion: """
            Example:  healthjournal waiting offer 018f2c3a-… --at 2027-03-02T09:00 --specialist "Ada Roth" \
            --until 2027-03-01T19:00
            The time is reserved for at most 24 hours; healthjournal appointment book makes an appointment of it.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var wait: WaitArgument

    @Option(name: .long, help: "The start: 2027-03-02T09:00 or 2027-03-02T08:00:00Z.")
    var at: StartArgument

    @Option(name: .long, help: "The specialist, by name or id.")
    var specialist: String

    @Option(name: .long, help: "Until when the time is reserved, by the practice's clock.")
    var until: TypedTime

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let id = try wait.id
        let waiting = try await session.perform(ClientEndpoints.waiting, practice.id, nil)
        guard let entry = waiting.first(where: { $0.id == id }) else {
            throw JournalError(.notFound, "nobody waits under this id: healthjournal waiting list shows who does")
        }
        var asked = AppointmentRequest(practice: practice.id, record: entry.record, start: at.start)
        asked.service = entry.profile.serviceID
        asked.specialist = try await practice.specialist(specialist, in: session).id
        let offer = WaitOffer(asked, until: try until.instant(in: practice.zone(session)))
        let result = try await session.perform(ClientEndpoints.offer, id, offer)
        session.output.result(result, "reserved: appointment \(result.entry?.text ?? "")")
    }
}

struct WaitingRemoveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a patient off the waiting list.",
        discussion: "Example:  healthjournal waiting remove 018f2c3a-…"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var wait: WaitArgument

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let result = try await session.perform(ClientEndpoints.withdraw, practice.id, wait.id)
        session.output.result(result, "off the waiting list")
    }
}

/// Lists the recalls of a practice.
struct RecallsCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "recalls",
        abstract: "List the patients who are to come again.",
        discussion: """
            Example:  healthjournal recalls --due 2027-04-30
            A completed appointment whose service has a recall sets the next one; patient recall sets others.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The last day (default: 60 days from today).")
    var due: Day?

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let last = due ?? Day.today.adding(days: 60)
        let found = try await session.perform(ClientEndpoints.recalls, practice.id, last)
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        let services = Dictionary(practice.services.map { ($0.id, $0.profile.name) }) { first, _ in first }
        var table = TextTable([.init("DUE"), .init("PATIENT"), .init("SERVICE"), .init("GROUP"), .init("ID")])
        for item in found {
            table.add([
                "\(item.recall.due)", AppointmentDocument.patient(item.patientName, item.client?.text),
                services[item.recall.service] ?? "",
                item.recall.group, item.id.text,
            ])
        }
        session.output.table(table, ifEmpty: "nobody is due up to \(last)")
    }
}
