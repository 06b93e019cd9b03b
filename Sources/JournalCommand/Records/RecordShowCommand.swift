import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Shows a record.
struct RecordShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a record with its entries, as known now or at an earlier moment.",
        discussion: "Example:  healthjournal record show 018f2c3a --as-of 2024-03-01"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var moment: MomentOptions

    @OptionGroup var record: RecordArgument

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let answer = try await session.perform(.read(id, moment.moment(in: session)))
        if session.output.isJSON {
            session.output.json(NativeDocument.write(answer.state, asOf: answer.asOf, scope: answer.scope))
        } else {
            RecordSheet(answer).print(to: session.output)
        }
    }
}
