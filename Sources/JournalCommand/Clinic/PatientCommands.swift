import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on the patients of a practice.
struct PatientCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patient",
        abstract: "Register animals as patients of a practice, and note when they are to come again.",
        discussion: "Example:  healthjournal patient register 018f2c3a --client \"Clara Keller\"",
        subcommands: [
            PatientCreateCommand.self, PatientRegisterCommand.self, PatientListCommand.self, PatientEndCommand.self,
            PatientAcceptCommand.self, PatientRefuseCommand.self, PatientRegistrationsCommand.self,
            PatientWrittenCommand.self, PatientEmergencyCommand.self, PatientRecallCommand.self,
            PatientDropCommand.self,
        ]
    )
}

struct PatientCreateCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create the record of an animal whose owner has none in the journal; it becomes a patient.",
        discussion: """
            Example:  healthjournal patient create name=Rex species=dog --client-first Paul --client-last Moser
            The practice keeps the record until: healthjournal record transfer RECORD ACCOUNT \
            The fields are those of an animal: healthjournal record create --help
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var fields: ProfileArguments

    @Option(name: .long, help: "The number under which the practice keeps the patient.")
    var number: String?

    @Option(name: .long, help: "What everybody who handles the animal must know.")
    var alerts: String?

    @Option(name: .long, help: "A client of the practice who brings it, by name or id.")
    var client: String?

    @Option(name: .long, help: "The first name of a new client who brings it.")
    var clientFirst: String?

    @Option(name: .long, help: "The last name of a new client who brings it.")
    var clientLast: String?

    @Option(name: .long, help: "The phone number of the new client.")
    var clientPhone: String?

    func validate() throws {
        if client != nil, clientFirst != nil || clientLast != nil || clientPhone != nil {
            throw ValidationError("give --client for a known client, or --client-first and --client-last for a new one")
        }
    }

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        var profile = RecordProfile(subject: .animal)
        let names = RecordProfile.fields(for: .animal).leaves.map(\.name)
        for (name, value) in try TypedField.all(fields.values).named(among: names) {
            do { try profile.set(name, text: value) } catch { throw JournalError(error) }
        }
        var patient = NewPatient(profile)
        if let number { patient.registration.values[RegistrationProfile.number] = .text(number) }
        if let alerts { patient.registration.values[RegistrationProfile.alerts] = .text(alerts) }
        if let client {
            patient.registration.values[RegistrationProfile.clients] =
                [try await session.client(client, of: found.id).id].fieldValue
        }
        let new = [
            (ClientProfile.firstName, clientFirst), (ClientProfile.lastName, clientLast),
            (ClientProfile.phone, clientPhone),
        ]
        if new.contains(where: { $0.1 != nil }) {
            var client = ClientProfile(values: FieldValues())
            for (field, value) in new { if let value { client.values[field] = .text(value) } }
            patient.client = client
        }
        let result = try await session.perform(PatientEndpoints.create, found.id, patient)
        session.output.result(result, "created the record \(result.record?.text ?? "") at \(found.profile.name)")
        session.output.warnOfMicrochip(profile.values.text(RecordProfile.animalID))
    }
}

struct PatientRegisterCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Make an animal a patient of a practice, or change what the practice keeps about it.",
        discussion: """
            Example:  healthjournal patient register 018f2c3a --number P-1042 --client "Clara Keller" --alerts "bites"
            What is not given stays as it is. The first client is asked first.
            If the practice does not keep the record, it asks: an owner accepts with "patient accept".
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The number under which the practice keeps the patient.")
    var number: String?

    @Option(name: .long, parsing: .singleValue, help: "A client who brings it, by name or id.")
    var client: [String] = []

    @Option(name: .long, help: "What everybody who handles the animal must know.")
    var alerts: String?

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let record = try await record.id(in: session)
        var profile = RegistrationProfile(values: FieldValues())
        // Those who are no members cannot list the patients; they register their own animal.
        if !found.roles.isEmpty {
            let patients = try await session.perform(PatientEndpoints.list, found.id, false, nil)
            let known = patients.first { $0.record == record }
            if let number = known?.number { profile.values[RegistrationProfile.number] = .text(number) }
            if let alerts = known?.alerts { profile.values[RegistrationProfile.alerts] = .text(alerts) }
            profile.values[RegistrationProfile.clients] = known?.clients.fieldValue
        }
        if let number { profile.values[RegistrationProfile.number] = .text(number) }
        if let alerts { profile.values[RegistrationProfile.alerts] = .text(alerts) }
        if !client.isEmpty {
            var ids: [UUID] = []
            for name in client { ids.append(try await session.client(name, of: found.id).id) }
            profile.values[RegistrationProfile.clients] = ids.fieldValue
        }
        let result = try await session.perform(PatientEndpoints.register, found.id, record, profile)
        let registrations = try await session.perform(PatientEndpoints.registrations, record)
        let status = registrations.first { $0.practice == found.id }?.status
        let done =
            status == .requested
            ? "asked to register it at \(found.profile.name): an owner of the record has to accept"
            : "registered at \(found.profile.name)"
        session.output.result(result, done)
    }
}

struct PatientListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the patients of a practice; each is a read of its record.",
        discussion: "Example:  healthjournal patient list"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session, asOf: asOf?.asOf(in: session))
        let found = try await session.perform(PatientEndpoints.list, practice.id, false, asOf?.asOf(in: session))
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        let clients =
            found.contains { !$0.clients.isEmpty }
            ? try await session.perform(ClientEndpoints.list, practice.id, nil) : []
        let names = Dictionary(clients.map { ($0.id, $0.profile.fullName) }) { first, _ in first }
        var table = TextTable([
            .init("NAME"), .init("SPECIES"), .init("NUMBER"), .init("CLIENTS"), .init("ALERTS"), .init("RECORD"),
        ])
        for patient in found {
            table.add([
                patient.name, patient.species ?? "", patient.number ?? "",
                patient.clients.compactMap { names[$0] }.joined(separator: ", "), patient.alerts ?? "",
                patient.record.text,
            ])
        }
        session.output.table(table, ifEmpty: "there is no patient yet")
    }
}

struct PatientEndCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a registration, or withdraw a request; the record and the booked appointments stay.",
        discussion: "Example:  healthjournal patient end 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let result = try await session.perform(PatientEndpoints.end, found.id, record.id(in: session))
        session.output.result(result, "no patient of \(found.profile.name) any more")
    }
}

struct PatientAcceptCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept the request of a practice to register an animal whose record is yours.",
        discussion: """
            Example:  healthjournal patient accept 018f2c3a --practice "Two Rooms"
            The practice then sees the name and the species, and can book. It reads nothing else of the record without a \
            grant: healthjournal caregiver grant --help
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let result = try await session.perform(PatientEndpoints.accept, found.id, record.id(in: session))
        session.output.result(result, "a patient of \(found.profile.name)")
    }
}

struct PatientRefuseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Refuse the request of a practice to register an animal.",
        discussion: "Example:  healthjournal patient refuse 018f2c3a --practice \"Two Rooms\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let record = try await record.id(in: session)
        let registrations = try await session.perform(PatientEndpoints.registrations, record)
        let known = registrations.first { $0.practice == found.id }
        guard known?.status == .requested else {
            throw JournalError(.notFound, "the practice does not ask to register the animal")
        }
        let result = try await session.perform(PatientEndpoints.end, found.id, record)
        session.output.result(result, "refused the request of \(found.profile.name)")
    }
}

struct PatientRegistrationsCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "registrations",
        abstract: "List the practices at which an animal is or was registered, or that ask for it.",
        discussion: "Example:  healthjournal patient registrations 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    func run(in session: Session) async throws {
        let found = try await session.perform(PatientEndpoints.registrations, record.id(in: session))
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([.init("PRACTICE"), .init("STATUS"), .init("SINCE"), .init("ID")])
        for registration in found {
            let since = registration.endedAt ?? registration.acceptedAt ?? registration.madeAt
            table.add([
                registration.practiceName, registration.status.rawValue, session.output.time(since),
                registration.practice.text,
            ])
        }
        session.output.table(table, ifEmpty: "no practice has registered the animal, and none asks for it")
    }
}

struct PatientWrittenCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "written",
        abstract: "List what the practice wrote in a record, also after an owner ended its access.",
        discussion: """
            Example:  healthjournal patient written 018f2c3a --reason "complaint of 3 March"
            For a veterinarian or a manager of the practice. An owner of the record sees the read and its reason. The \
            entries are as they were known when the practice could read them last.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    func validate() throws {
        if options.reason.allSatisfy(\.isWhitespace) {
            throw ValidationError("give --reason: what the entries are read for; an owner of the record sees it")
        }
    }

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let entries = try await session.perform(PatientEndpoints.written, found.id, record.id(in: session))
        try await session.list(entries, namedBy: entries, findsPlans: false)
    }
}

struct PatientEmergencyCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency",
        abstract: "Open the emergency view of an animal by its microchip number; its owner is notified.",
        discussion: """
            Example:  healthjournal patient emergency 756098100000042 --reason "hit by a car, nobody is with it"
            For the veterinarians and nurses of the practice, also if the animal is no patient. The view shows allergies, \
            medication and emergency contacts:  healthjournal record show ID
            The owner permits it:  healthjournal record set RECORD isOpenToEmergencies=true
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The number of the microchip.")
    var chip: String

    @Option(name: .long, help: "For how many hours the view is open: 1 to 24.")
    var hours: Int = Journal.Sharing.emergencyHours

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("a reason is required: --reason TEXT") }
    }

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let opened = try await session.perform(
            EmergencyEndpoints.openByChip,
            found.id,
            ChipEmergency(chip: chip, hours: hours)
        )
        session.output.emergency(opened)
        if !session.output.isJSON { session.output.line("healthjournal record show \(opened.record.text)") }
    }
}

struct PatientRecallCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "recall",
        abstract: "Note when a patient is to come again; an open recall of the same group is replaced.",
        discussion: "Example:  healthjournal patient recall 018f2c3a Vaccination --due 2028-03-02 --group rabies"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The service, by name or id.")
    var service: String

    @Option(name: .long, help: "The day.")
    var due: Day

    @Option(name: .long, help: "The group of such visits (default: the name of the service).")
    var group: String?

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let id = try found.service(service)
        let name = found.services.first { $0.id == id }?.profile.name ?? ""
        let recall = RegistrationState.Recall(service: id, due: due, group: group ?? name)
        let record = try await record.id(in: session)
        let result = try await session.perform(ClientEndpoints.setRecall, found.id, record, UUID(), recall)
        session.output.result(result, "to come again on \(due)")
    }
}

struct PatientDropCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop-recall",
        abstract: "Note that a patient need not come again.",
        discussion: "Example:  healthjournal patient drop-recall 018f2c3a 01a21404-…"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The id of the recall, from healthjournal recalls.")
    var recall: String

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        guard let id = UUID(uuidString: recall) else {
            throw JournalError(.invalid, field: "recall", "must be the complete id of a recall")
        }
        let record = try await record.id(in: session)
        let result = try await session.perform(ClientEndpoints.dropRecall, found.id, record, id)
        session.output.result(result, "dropped the recall")
    }
}
