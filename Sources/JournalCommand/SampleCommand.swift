import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Fills a journal with a sample household, and with a sample practice if it is asked for.
struct SampleCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Add a sample household: two people and a dog, with plans, doses and three years of entries.",
        discussion: """
            The dates count back from today. In a journal without records, the starter rules for interactions are loaded \
            as well.
            Example:  healthjournal sample --practice
            Running it again adds nothing, also on another day.
            """
    )

    @OptionGroup var options: CommonOptions

    @Flag(help: "Add a veterinary practice as well, with appointments around the present time and a triage board.")
    var practice = false

    var eventSource: EventSource { .sample }

    func run(in session: FolderSession) async throws {
        let samples = session.journal.samples
        let added =
            try await practice ? samples.addPractice(session.caller) : samples.addHousehold(session.caller)
        if session.output.isJSON {
            session.output.json(
                .present([
                    "position": .integer(try session.journal.head()),
                    "records": .array(added.records.map { .string($0.text) }),
                    "practice": added.practice.map { .string($0.text) },
                    "changed": .bool(added.isChanged),
                ]),
                .compact
            )
        } else if added.isChanged {
            session.output.line("added the sample household; list its records with: healthjournal record list")
            if added.practice != nil {
                session.output.line("added the sample practice; list its appointments with: healthjournal appointments")
            }
        } else if practice {
            session.output.line("the sample household and the sample practice exist already")
        } else {
            session.output.line("the sample household exists already")
        }
    }
}
