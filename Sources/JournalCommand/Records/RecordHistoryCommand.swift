import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Shows the changes of a record and its entries.
struct RecordHistoryCommand: SessionCommand {
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

    func run(in session: Session) async throws {
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
        // What each entry said when the change was made.
        var known: [UUID: EntryContent] = [:]
        for (number, line) in all.enumerated() {
            if let entry = line.entry, let content = line.content { known[entry] = content }
            guard number >= all.count - lines.count else { continue }
            let content = line.entry.flatMap { known[$0] }
            let what = content.map { line.what(known.shown($0, session.output.time)) } ?? line.what(nil)
            table.add([
                String(line.position), session.output.time(line.recordedAt), line.actor, what,
                line.entry.map { String($0.text.prefix(13)) } ?? "", line.reason,
            ])
        }
        session.output.table(table, ifEmpty: "there is no change that this account may see")
    }
}

/// A change of a record or of one of its entries, as the service lists it.
struct HistoryLine: Sendable {
    let position: UInt64
    let recordedAt: Instant
    /// The name of the account, or its id.
    let actor: String
    /// The kind of change, such as `Corrected`.
    let label: String
    let entry: UUID?
    private let kind: Kind?
    /// What the entry says since the change; nil if the change does not say it.
    let content: EntryContent?
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
        label = EventType(named: type)?.label ?? type
        let kind = event.has("kind") ? try event.kind() : nil
        self.kind = kind
        content =
            if let kind, event.has("data") { try event.object("data").decodeContent(of: kind) } else { nil }
    }

    /// Describes the change of an entry that says this, such as `Corrected: Weight 72 kg`.
    func what(_ shown: String?) -> String {
        guard let shown = shown ?? kind?.label else { return label }
        return "\(label): \(shown)"
    }
}

extension [UUID: EntryContent] {
    /// The kind and the title of an entry; a dose or a supply is of one of the medications here.
    fileprivate func shown(_ content: EntryContent, _ time: (Instant) -> String) -> String {
        let plan: UUID? =
            switch content.kind {
            case Dose.kind: content.body.id(Dose.of)
            case Supply.kind: content.body.id(Supply.of)
            default: nil
            }
        let medication = plan.flatMap { self[$0]?.title }.map { " of \($0)" } ?? ""
        let planned = content.kind == Dose.kind ? content.body.instant(Dose.planned) : nil
        let title = [content.kind.label + medication, content.title].filter { !$0.isEmpty }.joined(separator: " ")
        return title + (planned.map { ", planned for \(time($0))" } ?? "")
    }
}
