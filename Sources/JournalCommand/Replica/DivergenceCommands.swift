import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Lists entries with two contradicting versions.
struct DivergencesCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "divergences",
        abstract: "List entries that were changed on two devices in two ways, until somebody decides.",
        discussion: """
            The version that was made later is shown, and the other is kept. A difference stays until it is settled.

            Example:  healthjournal divergences 018f2c3b
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record: a name, an id, or the first 8 or more characters of one (default: all records).")
    var record: String?

    func run(in session: Session) async throws {
        var records: [UUID] = []
        if let record {
            records = [try await session.journal.record(record)]
        } else {
            records = try await session.perform(.listRecords(asOf: nil)).map(\.id)
        }
        var found: [DivergenceDocument] = []
        for record in records { found += try await session.perform(SyncEndpoints.divergences, record) }
        found.sort { $0.position < $1.position }
        if session.output.isJSON {
            session.output.json(.array(found.map(\.json)))
            return
        }
        var table = TextTable([
            .init("POSITION", .right), .init("ENTRY"), .init("FIELD"), .init("SHOWN"), .init("KEPT"), .init("BY"),
            .init("MADE AT"),
        ])
        for divergence in found { for row in divergence.rows(session.output) { table.add(row) } }
        session.output.table(table, ifEmpty: "no two versions of an entry contradict each other")
    }
}

/// Decides between two versions of an entry.
struct SettleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Decide between two versions of an entry.",
        discussion: """
            Example:  healthjournal settle 4711 --take --reason "asked the doctor"
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The position that `divergences` shows.")
    var position: UInt64

    @Flag(help: "Which version is right.")
    var choice: Choice

    enum Choice: String, EnumerableFlag {
        case keep, take, both

        static func help(for value: Choice) -> ArgumentHelp? {
            switch value {
            case .keep: "The version that is shown."
            case .take: "The other version; it is shown from now on."
            case .both: "Both, of two doses or of the foods of a meal."
            }
        }
    }

    func run() async throws {
        guard let choice = DivergenceSettled.Choice(rawValue: choice.rawValue) else { return }
        try await Session.run(options) { session in
            session.output.result(try await session.perform(SyncEndpoints.settle, position, choice), "settled")
        }
    }
}

extension DivergenceDocument {
    /// A row for each field in which the versions disagree.
    fileprivate func rows(_ output: Output) -> [[String]] {
        fields.map { field in
            [
                String(position), entry.beginning, field, shown.text(of: field), kept.text(of: field),
                kept.authorName ?? kept.author.beginning, output.time(kept.madeAt),
            ]
        }
    }
}

extension DivergenceDocument.Version {
    /// The value of a field as JSON; for a field within a list, the list.
    ///
    /// The rules of a plan are in words.
    fileprivate func text(of field: String) -> String {
        if field == EntryDiverged.retraction { return String(isRetracted) }
        let name = field.split(separator: ".").first.map(String.init) ?? field
        if name == PlanFields.rules.name { return content.rulesInWords }
        guard let value = NativeDocument.write(content)[name] else { return "" }
        if case .string(let text) = value { return text }
        return JSONWriter.text(value)
    }
}

extension EntryContent {
    /// The rules of a plan in the words of `plan show`.
    fileprivate var rulesInWords: String {
        // A rule without a start begins when the plan was recorded, which is not part of the difference.
        let epoch = Instant(microseconds: 0)
        let plan = Plan(id: UUID(), self) { _ in Plan.Recorded(at: epoch, day: Day(of: epoch)) }
        return zip(plan.rules, body.groups(PlanFields.rules))
            .map { rule, values in
                let from = values[PlanFields.Rule.from].map { _ in " from \(rule.from)" } ?? ""
                return rule.pattern.description + from + (rule.until.map { " until \($0)" } ?? "")
            }
            .joined(separator: "; ")
    }
}
