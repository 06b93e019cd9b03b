import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Lists records.
struct RecordListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the records that the account may see.",
        discussion: "Example:  healthjournal record list --format json"
    )

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let records = try await session.perform(.listRecords(asOf: asOf?.asOf(in: session)))
        if session.output.isJSON {
            session.output.json(.array(records.map(\.listed)))
        } else {
            var table = TextTable([
                .init("RECORD"), .init("NAME"), .init("SUBJECT"), .init("LAST CHANGE"), .init("STATE"),
            ])
            let length = UUID.lengthOfBeginnings(records.map(\.id))
            for record in records {
                table.add([
                    String(record.id.text.prefix(length)), record.displayName, record.subject.name,
                    session.output.time(record.updatedAt),
                    record.closedAt != nil ? "closed" : "open",
                ])
            }
            session.output.table(
                table,
                ifEmpty:
                    "there is no record that this account may see; create one with: healthjournal record create"
            )
        }
    }
}

extension RecordSummary {
    fileprivate var listed: JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(id.text)), .init("displayName", .string(displayName)),
            .init("subject", .string(subject.name)), .init("createdAt", .string(createdAt.description)),
            .init("updatedAt", .string(updatedAt.description)),
        ]
        if let closedAt { members.append(.init("closedAt", .string(closedAt.description))) }
        return .object(members)
    }
}
