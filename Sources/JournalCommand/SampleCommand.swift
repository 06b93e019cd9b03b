import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Fills a journal with a sample household.
struct SampleCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Add a sample household: two people, a dog, a caregiver, and three years of entries.",
        discussion: "Example:  healthjournal sample\nRunning it again adds nothing."
    )

    @OptionGroup var options: CommonOptions

    var eventSource: EventSource { .sample }

    func run(in session: FolderSession) async throws {
        let added = try await session.journal.imports.addSample(session.caller)
        if session.output.isJSON {
            session.output.json(
                .object([
                    .init("position", .integer(try session.journal.head())),
                    .init("records", .array(added.records.map { .string($0.text) })),
                    .init("changed", .bool(added.isChanged)),
                ]),
                .compact
            )
        } else if added.isChanged {
            session.output.line("added the sample household; list its records with: healthjournal record list")
        } else {
            session.output.line("the sample household exists already")
        }
    }
}
