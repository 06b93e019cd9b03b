import ArgumentParser
import HealthJournal
import HealthModel

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
            let result = try await session.perform(.createRecord(profile))
            session.output.result(result, "created the record \(result.record?.text ?? "")")
        }
    }
}

/// The option of each field of a profile: `givenName` is `--given-name`, `vet.email` is `--vet-email`.
private func fieldOptions(_ subject: Subject) -> String {
    RecordProfile.fields(for: subject).leaves.map { "--" + $0.name.dashed }.joined(separator: ", ")
}
