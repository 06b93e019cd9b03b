import ArgumentParser
import HealthJournal
import HealthModel

/// Changes profile fields of a record.
struct RecordSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change profile fields of a record.",
        discussion: """
            Example:  healthjournal record set 018f2c3a employer="Musée d'art" nickName=
            An empty value clears the field.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The fields and their new values.", valueName: "FIELD=VALUE")
    )
    var values: [String]

    func run() async throws {
        let assignments = try TypedField.all(values)
        try await Session.run(options) { session in
            let id = try await record.id(in: session)
            let result = try await session.perform(
                .changeRecord(id) { profile throws(ModelError) in
                    let names = RecordProfile.fields(for: profile.subject).leaves.map(\.name)
                    for (name, value) in try assignments.named(among: names) { try profile.set(name, text: value) }
                }
            )
            session.output.result(result, "changed the record")
            // The names were read for the subject of the record, so that the first list that knows them is right.
            let animal = try? assignments.named(among: RecordProfile.fields(for: .animal).leaves.map(\.name))
            session.output.warnOfMicrochip(animal?.last { $0.name == RecordProfile.animalID.name }?.value)
        }
    }
}
