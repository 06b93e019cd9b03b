import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Lists entries.
struct EntryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the entries of a record, all or of one kind, in the order in which they were added.",
        discussion: "Example:  healthjournal entry list 018f2c3a weight --as-of 2024-03-01"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var moment: MomentOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The kind of entry.")
    var kind: String?

    @Flag(name: .long, help: "Show retracted entries too.")
    var retracted = false

    func run() async throws {
        let kind = try kind.map { name in
            guard let kind = Kind.named(name) else {
                throw ValidationError(
                    "there is no such kind; the kinds are \(Kind.all.map(\.name).joined(separator: ", "))"
                )
            }
            return kind
        }
        try await Session.run(options) { session in
            let id = try await record.id(in: session)
            let entries = try await session.perform(.entries(of: id, kind, moment.moment, retracted: retracted))
                .inTheirOrder
            if session.output.isJSON {
                session.output.json(.array(entries.map(\.listed)))
                return
            }
            let shown = Kind.all.filter { kind in entries.contains { $0.kind == kind } }
            for kind in shown {
                if shown.count > 1 { session.output.line("\(kind.label)") }
                session.output.table(
                    EntryTable(kind: kind).table(entries.filter { $0.kind == kind }),
                    ifEmpty: ""
                )
                if shown.count > 1 { session.output.line("") }
            }
            if shown.isEmpty { session.output.note("no entries match") }
        }
    }
}

extension [EntryState] {
    /// Sorted by the time of adding; entries that were added at the same time are sorted by kind.
    fileprivate var inTheirOrder: [EntryState] {
        Kind.all.flatMap { kind in filter { $0.kind == kind } }
            .enumerated()
            .sorted { ($0.element.added.recordedAt, $0.offset) < ($1.element.added.recordedAt, $1.offset) }
            .map(\.element)
    }
}

extension EntryState {
    /// The entry as native JSON, its kind first.
    var listed: JSONValue {
        guard case .object(let members) = NativeDocument.entry(self) else { return .null }
        return .object([.init("kind", .string(kind.name))] + members)
    }
}
