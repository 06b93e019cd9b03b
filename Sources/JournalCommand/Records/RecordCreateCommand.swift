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

            Fields of a person: \(fieldOptions(.human))
            Fields of an animal: \(fieldOptions(.animal))
            """
    )

    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Create a record of an animal.")
    var animal = false

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The fields, each as --FIELD VALUE.", valueName: "--field value")
    )
    var fields: [String] = []

    func run() async throws {
        let subject: Subject = animal ? .animal : .human
        let values = try fieldValues(subject)
        guard values.contains(where: { ["givenName", "familyName", "name"].contains($0.0) && !$0.1.isEmpty }) else {
            throw ValidationError(animal ? "give the animal a --name" : "give a --given-name or a --family-name")
        }
        try await Session.run(options) { session in
            var profile = RecordProfile(subject: subject)
            for (name, value) in values { try profile.set(name, text: value) }
            let result = try await session.perform(.createRecord(profile))
            session.output.result(result, "created the record \(result.record?.text ?? "")")
        }
    }

    /// Pairs `--given-name VALUE` and `--given-name=VALUE` with the fields they name.
    private func fieldValues(_ subject: Subject) throws -> [(String, String)] {
        let names = Dictionary(
            optionNames(subject).map { ($0.option, $0.path) },
            uniquingKeysWith: { first, _ in first }
        )
        var values: [(String, String)] = []
        var rest = fields[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else { throw ValidationError("a value is given without its --FIELD") }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let path = names[String(parts[0])] else {
                throw ValidationError("there is no field --\(parts[0]); the fields are \(fieldOptions(subject))")
            }
            if parts.count == 2 {
                values.append((path, String(parts[1])))
            } else if let value = rest.popFirst() {
                values.append((path, value))
            } else {
                throw ValidationError("--\(parts[0]) needs a value")
            }
        }
        return values
    }
}

/// The option of each field of a profile: `givenName` is `--given-name`, `vet.email` is `--vet-email`.
private func optionNames(_ subject: Subject) -> [(option: String, path: String)] {
    RecordProfile.fields(for: subject).leaves.map { ($0.name.dashed, $0.name) }
}

private func fieldOptions(_ subject: Subject) -> String {
    optionNames(subject).map { "--" + $0.option }.joined(separator: ", ")
}

extension String {
    /// `givenName` as `given-name`, `animalID` as `animal-id`.
    fileprivate var dashed: String {
        var result = ""
        var wasUpper = true
        for character in self {
            if character == "." {
                result.append("-")
                wasUpper = true
                continue
            }
            if character.isUppercase, !wasUpper { result.append("-") }
            wasUpper = character.isUppercase
            result.append(contentsOf: character.lowercased())
        }
        return result
    }
}
