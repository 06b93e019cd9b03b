import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Shows the changes of a record and its entries.
struct RecordHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show every change of a record and its entries: who changed what, when and why.",
        discussion: """
            Example:  healthjournal record history maria --limit 20

            The last change comes last. Who has seen the record is another list: healthjournal-replay access.
            """
    )

    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "At most this many changes, the last ones.")
    var limit: Int?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws {
        try await Session.run(options) { session in
            let all = try await session.perform(.history(ofRecord: record.id(in: session)))
            let lines = all.suffix(limit ?? .max)
            if session.output.isJSON {
                session.output.json(.array(lines.map(\.json)))
                return
            }
            var table = TextTable([
                .init("POSITION", .right), .init("RECORDED"), .init("BY"), .init("WHAT"), .init("ENTRY"),
                .init("REASON"),
            ])
            for line in lines {
                table.add([
                    String(line.position), session.output.time(line.recordedAt), line.actor, line.what,
                    line.entry.map { String($0.text.prefix(13)) } ?? "", line.reason,
                ])
            }
            session.output.table(table, ifEmpty: "there is no change that this account may see")
        }
    }
}

/// A change of a record or of one of its entries, as the service lists it.
struct HistoryLine: Sendable {
    let position: UInt64
    let recordedAt: Instant
    /// The name of the account, or its id.
    let actor: String
    /// What was changed, such as `Corrected: Weight 72 kg`.
    let what: String
    let entry: UUID?
    let reason: String
    /// The event as native JSON.
    let json: JSONValue

    init(_ event: NativeObject) throws(ModelError) {
        position = try event.number("position")
        recordedAt = try event.instant("recordedAt")
        let name = try event.text("actorName")
        actor = if let name { name } else { try event.required("actor") }
        entry = try event.optionalID("entry")
        reason = try event.text("reason") ?? ""
        json = .object(event.members)
        let type = try event.required("type")
        let label = EventType(named: type)?.label ?? type
        guard event.has("kind") else {
            what = label
            return
        }
        let kind = try event.kind()
        let title = try event.has("data") ? event.object("data").decodeContent(of: kind).title : ""
        what = "\(label): " + [kind.label, title].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
