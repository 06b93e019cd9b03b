import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Lists entries.
struct EntryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the entries of a record, all or of one kind.",
        discussion: """
            Example:  healthjournal entry list maria weight --as-of 2024-03-01
            Example:  healthjournal entry list maria --since 2025 --until 2025 --sort date
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var moment: MomentOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The kind of entry.")
    var kind: KindName?

    @Flag(name: .long, help: "Show retracted entries too.")
    var retracted = false

    @Option(
        name: .long,
        help: "The order: added, as they were added; or date, as they happened, those without a date first."
    )
    var sort: EntryOrder = .added

    @Option(name: .long, help: "At most this many entries of each kind, the last ones in the order.")
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws {
        let kind = kind?.kind
        try await Session.run(options) { session in
            let id = try await record.id(in: session)
            let moment = try moment.moment(in: session)
            let found = try await session.perform(.entries(of: id, kind, moment, retracted: retracted))
            let entries = sort.sorted(found, limit: limit ?? .max)
            try await session.list(entries, namedBy: found)
            if entries.isEmpty, !session.output.isJSON { session.output.note(emptyNote(kind)) }
        }
    }
}

extension Session {
    /// Prints the entries of a record in a table for each kind; the plans among `known` name their doses.
    ///
    /// Other plans are read if `findsPlans` is true, which an account without access to them must not try.
    func list(_ entries: [EntryState], namedBy known: [EntryState], findsPlans: Bool = true) async throws {
        if output.isJSON { return output.json(.array(entries.map(\.listed))) }
        let shown = Kind.all.filter { kind in entries.contains { $0.kind == kind } }
        var names = known.planProducts.mapValues(\.label)
        // A dose has only the id of its medication.
        let unnamed = Set(entries.compactMap { $0.kind == Dose.kind ? $0.content.body.id(Dose.of) : nil })
            .subtracting(names.keys)
        // A plan that this account may not see is shown by its id.
        for plan in unnamed where findsPlans { names[plan] = try? await perform(.entry(plan)).planProduct?.label }
        for kind in shown {
            if shown.count > 1 { output.line("\(kind.label)") }
            output.table(
                EntryTable(kind, names: names, date: output.date).table(entries.filter { $0.kind == kind }),
                ifEmpty: ""
            )
            if shown.count > 1 { output.line("") }
        }
    }
}

extension EntryListCommand {
    /// Why nothing is listed.
    private func emptyNote(_ kind: Kind?) -> String {
        let what = kind.map { "entry of the kind \($0.word)" } ?? "entry"
        let happened = moment.days.isEmpty ? "" : " that happened in these days"
        let limits = happened + (moment.asOf == nil ? "" : " that was known then")
        return "there is no \(what)\(limits) that this account may see"
            + (retracted ? "" : "; --retracted lists retracted ones too")
    }
}

/// The order of listed entries.
enum EntryOrder: String, ExpressibleByArgument, CaseIterable {
    case added
    case date

    /// Returns the last entries of each kind; those of the same time are sorted by kind.
    func sorted(_ entries: [EntryState], limit: Int) -> [EntryState] {
        Kind.all
            .flatMap { kind in
                entries.filter { $0.kind == kind }.enumerated()
                    .sorted { (key(of: $0.element), $0.offset) < (key(of: $1.element), $1.offset) }
                    .map(\.element).suffix(limit)
            }
            .enumerated()
            .sorted { (key(of: $0.element), $0.offset) < (key(of: $1.element), $1.offset) }
            .map(\.element)
    }

    /// Microseconds since 1970 of the time at which an entry was added or happened.
    private func key(of entry: EntryState) -> Int64 {
        switch self {
        case .added: entry.added.recordedAt.microseconds
        case .date:
            entry.content.instant?.microseconds ?? entry.content.happened?.lowerBound.startInstant.microseconds ?? .min
        }
    }
}

extension EntryState {
    /// The entry as native JSON, its kind first.
    var listed: JSONValue {
        guard case .object(let members) = NativeDocument.entry(self) else { return .null }
        return .object([.init("kind", .string(kind.name))] + members)
    }
}
