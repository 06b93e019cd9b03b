import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Lists the imports into a record.
struct ImportListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the imports into a record, the latest first.",
        discussion: "Example:  healthjournal import list maria"
    )

    @OptionGroup var record: RecordArgument
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let imports = try await session.perform(.imports(into: record.id(in: session)))
        if session.output.isJSON { return session.output.json(.array(imports.map(\.json))) }
        var table = TextTable([
            .init("POSITION"), .init("TIME"), .init("FORMAT"), .init("ADDED", .right), .init("CORRECTED", .right),
            .init("RETRACTED", .right), .init("STATE"),
        ])
        for item in imports {
            table.add([
                "#\(item.position)", session.output.time(item.recordedAt), item.format, "\(item.added)",
                "\(item.corrected)", "\(item.retracted)", item.stateText,
            ])
        }
        session.output.table(table, ifEmpty: "nothing was imported into the record")
    }
}

/// Undoes an import as a whole.
struct ImportUndoCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo an import: retract what it added, and restore what it corrected or retracted.",
        discussion: """
            Example:  healthjournal import undo maria
            Example:  healthjournal import undo maria --position '#1234'

            The position is that of `import list`; by default, the latest import that is not undone yet is \
            undone. Entries that were changed since then stay as they are, and are listed.
            """
    )

    @OptionGroup var record: RecordArgument

    @Option(
        name: .long,
        help: "Undo the import that ended at this position (#42) instead, as import list shows it.",
        transform: UndoCommand.position(typed:)
    )
    var position: UInt64?

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let undone = try await session.perform(
            .undoImport(into: record.id(in: session), position: position)
        )
        if session.output.isJSON { return session.output.json(undone.json, .compact) }
        session.output.line(
            "retracted \(undone.retracted), restored \(undone.restored), corrected back \(undone.corrected)"
                + (undone.isProfileRestored ? ", and the profile" : "")
        )
        for entry in undone.kept {
            session.output.line("  kept \(entry.kind.word) \(entry.id.text), which was changed since")
        }
        if undone.position == nil { session.output.note("there was nothing to undo") }
        if let position = undone.position { session.output.line("the journal is now at position \(position)") }
    }
}

extension RecordImport {
    fileprivate var stateText: String {
        if let undone { return "undone at #\(undone)" }
        return isComplete ? "complete" : "not complete"
    }
}
