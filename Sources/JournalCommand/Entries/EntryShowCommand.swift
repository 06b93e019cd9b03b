import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Shows one entry.
struct EntryShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an entry with all its values.",
        discussion: """
            Example:  healthjournal entry show 018f2c3b
            Example:  healthjournal entry show lisinopril --record maria
            """
    )

    @OptionGroup var entry: EntryArgument
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let entry = try await session.perform(.entry(try await entry.id(in: session)))
        if session.output.isJSON { return session.output.json(entry.listed) }
        let state = entry.isRetracted ? ", retracted" : ""
        session.output.line("\(entry.kind.label) \(entry.id.text)\(state)")
        for (name, value) in try await session.values(of: entry) {
            session.output.line(TerminalText.escaped("\(name): \(value)"))
        }
    }
}

extension Session {
    /// The values of an entry in the order of its fields, each with its name.
    fileprivate func values(of entry: EntryState) async throws -> [(String, String)] {
        let content = entry.content
        var names: [UUID: String] = [:]
        if let plan = content.body.id(Dose.of), entry.kind == Dose.kind || entry.kind == Supply.kind {
            // A plan that this account may not see is shown by its id.
            names[plan] = try? await perform(.entry(plan)).planProduct?.label
        }
        let table = EntryTable(entry.kind, names: names, date: output.date)
        return [("Date", output.date(content.date))].filter { !$0.1.isEmpty } + table.values(of: entry)
            + [
                ("Comment", content.comment),
                ("Added", "\(output.time(entry.added.recordedAt)) by \(journal.name(of: entry.added.actor))"),
            ]
            .filter { !$0.1.isEmpty }
    }
}
