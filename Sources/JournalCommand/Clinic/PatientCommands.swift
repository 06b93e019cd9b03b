import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Commands on the patients of a practice.
struct PatientCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patient",
        abstract: "Register animals as patients of a practice, and note when they are to come again.",
        discussion: "Example:  healthjournal patient register 018f2c3a --client \"Clara Keller\"",
        subcommands: [
            PatientCreateCommand.self, PatientRegisterCommand.self, PatientListCommand.self, PatientEndCommand.self,
            PatientRecallCommand.self, PatientDropCommand.self,
        ]
    )
}

struct PatientCreateCommand: AsyncParsableCommand {
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

    func run() async throws {
        try await Session.run(options) { session in
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
            let result = try await session.perform(.createPatient(patient, at: found.id))
            session.output.result(result, "created the record \(result.record?.text ?? "") at \(found.profile.name)")
        }
    }
}

struct PatientRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Make an animal a patient of a practice, or change what the practice keeps about it.",
        discussion: """
            Example:  healthjournal patient register 018f2c3a --number P-1042 --client "Clara Keller" --alerts "bites"
            What is not given stays as it is. The first client is asked first.
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

    func run() async throws {
        try await Session.run(options) { session in
            let found = try await practice.document(in: session)
            let record = try await record.id(in: session)
            var profile = RegistrationProfile(values: FieldValues())
            // Those who are no members cannot list the patients; they register their own animal.
            if !found.roles.isEmpty {
                let known = try await session.perform(.patients(of: found.id)).first { $0.record == record }
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
            let result = try await session.perform(.register(record, at: found.id, profile))
            session.output.result(result, "registered at \(found.profile.name)")
        }
    }
}

struct PatientListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the patients of a practice; each is a read of its record.",
        discussion: "Example:  healthjournal patient list"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run() async throws {
        try await Session.run(options) { session in
            let practice = try await practice.document(in: session, asOf: asOf?.asOf)
            let found = try await session.perform(.patients(of: practice.id, asOf: asOf?.asOf))
            if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
            let clients =
                found.contains { !$0.clients.isEmpty } ? try await session.perform(.clients(of: practice.id)) : []
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
}

struct PatientEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Note that an animal is no patient any more; its record and its appointments stay.",
        discussion: "Example:  healthjournal patient end 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    func run() async throws {
        try await Session.run(options) { session in
            let found = try await practice.document(in: session)
            let result = try await session.perform(.endRegistration(of: record.id(in: session), at: found.id))
            session.output.result(result, "no patient of \(found.profile.name) any more")
        }
    }
}

struct PatientRecallCommand: AsyncParsableCommand {
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

    func run() async throws {
        try await Session.run(options) { session in
            let found = try await practice.document(in: session)
            let id = try found.service(service)
            let name = found.services.first { $0.id == id }?.profile.name ?? ""
            let recall = RegistrationState.Recall(service: id, due: due, group: group ?? name)
            let operation = JournalOperation.setRecall(
                UUID(),
                recall,
                of: try await record.id(in: session),
                at: found.id
            )
            session.output.result(try await session.perform(operation), "to come again on \(due)")
        }
    }
}

struct PatientDropCommand: AsyncParsableCommand {
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

    func run() async throws {
        try await Session.run(options) { session in
            let found = try await practice.document(in: session)
            guard let id = UUID(uuidString: recall) else {
                throw JournalError(.invalid, field: "recall", "must be the complete id of a recall")
            }
            let operation = JournalOperation.dropRecall(id, of: try await record.id(in: session), at: found.id)
            session.output.result(try await session.perform(operation), "dropped the recall")
        }
    }
}
