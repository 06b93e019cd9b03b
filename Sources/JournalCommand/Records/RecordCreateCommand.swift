import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Creates a record.
struct RecordCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a record of a person or an animal.",
        discussion: """
            Example:  healthjournal record create --given-name Maria --family-name Keller --birthdate 1984-05-17
            Example:  healthjournal record create --animal --name Luna --breed "Border Collie" --vet-phone "+41 26 555 07 08"

            If only the year or the month of birth is known, write it as 1984 or 1984-05.

            Fields of a person: \(fieldOptions(.human))
            Fields of an animal: \(fieldOptions(.animal))
            """
    )

    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Create a record of an animal.")
    var animal = false

    @Flag(name: .long, help: "Create it without asking, even if there is a record of the same name.")
    var yes = false

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The fields and their values.", valueName: "FIELD=VALUE")
    )
    var fields: [String] = []

    func run() async throws {
        let subject: Subject = animal ? .animal : .human
        let values: [(name: String, value: String)]
        do {
            values = try TypedField.all(fields).named(among: RecordProfile.fields(for: subject).leaves.map(\.name))
        } catch let error as ModelError {
            throw error.asUsage
        }
        let names = ["givenName", "familyName", "name"]
        guard values.contains(where: { names.contains($0.name) && !$0.value.isEmpty }) else {
            throw ValidationError(animal ? "give the animal a --name" : "give a --given-name or a --family-name")
        }
        try await Session.run(options) { session in
            var profile = RecordProfile(subject: subject)
            for (name, value) in values { try profile.set(name, text: value) }
            let result = try await create(profile, session)
            session.output.result(result, "created the record \(result.record?.text ?? "")")
            session.output.warnOfMicrochip(profile.values.text(RecordProfile.animalID))
        }
    }

    /// Creates the record; asks on the terminal if there is one of the same name, and throws the refusal without one.
    private func create(_ profile: RecordProfile, _ session: Session) async throws -> WriteResult {
        do {
            return try await session.perform(.createRecord(profile, acceptingSimilar: yes))
        } catch let error as JournalError where error.code == .conflict && error.field == Journal.Records.similarRecord
        {
            guard Terminal.isInteractive else {
                throw JournalError(.conflict, "\(error.message); to create another one, add --yes")
            }
            guard try Terminal.confirms("\(TerminalText.escaped(error.message)). Create another one?") else {
                throw JournalError(.refused, "nothing was created")
            }
            return try await session.perform(.createRecord(profile, acceptingSimilar: true))
        }
    }
}

/// The option of each field of a profile: `givenName` is `--given-name`, `vet.email` is `--vet-email`.
private func fieldOptions(_ subject: Subject) -> String {
    RecordProfile.fields(for: subject).leaves.map { "--" + $0.name.dashed }.joined(separator: ", ")
}
