import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Undoes a change of entries.
struct UndoCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last change of entries that the account made in a record.",
        discussion: """
            What was added is retracted, what was retracted is restored, and what was corrected is corrected back. All entries \
            that one command changed are undone together. To redo, undo again.
            Example:  healthjournal undo maria --reason "that was the other dog"
            """
    )

    @OptionGroup var record: RecordArgument

    @Option(
        name: .long,
        help: "Undo the change at this position (#42) instead, as entry history lists it.",
        transform: UndoCommand.position(typed:)
    )
    var position: UInt64?

    @OptionGroup var options: CommonOptions

    @Sendable static func position(typed text: String) throws -> UInt64 {
        guard let position = UInt64(text.hasPrefix("#") ? String(text.dropFirst()) : text) else {
            throw ValidationError("must be a position, such as #42")
        }
        return position
    }

    func run(in session: Session) async throws {
        let undone = try await session.perform(.undo(in: record.id(in: session), position: position))
        if session.output.isJSON { return session.output.result(undone.result, "", adding: undone.members) }
        for entry in undone.entries {
            let what = [entry.kind.label, entry.content.title].filter { !$0.isEmpty }.joined(separator: " ")
            session.output.line(
                entry.isRetracted ? "retracted: \(what)" : "as before: \(what) (\(entry.id.text.prefix(13)))"
            )
        }
        session.output.result(undone.result, "undid the change at position \(undone.position)")
    }
}

/// Moves an entry to another record.
struct EntryMoveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an entry that is in a wrong record: add it to the right one, and retract it where it was.",
        discussion: "Example:  healthjournal entry move 018f2c3b biscuit"
    )

    @OptionGroup var entry: EntryArgument

    @OptionGroup var record: RecordArgument
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let id = try await entry.id(in: session)
        let result = try await session.perform(.moveEntry(id, to: record.id(in: session)))
        session.output.result(result, "moved the entry; there it is \(result.entry?.text ?? "")")
    }
}

/// Corrects several entries at once.
struct EntryCorrectAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct-all",
        abstract: "Correct all entries of a kind that have some values; without --yes, only show what would change.",
        discussion: """
            Example:  healthjournal entry correct-all maria drug --where dosage="10 mg" dosage="20 mg" --yes
            --where place= matches the entries without a place, and place= clears it.
            """
    )

    @OptionGroup var record: RecordArgument

    @Argument(help: "The kind of entry.")
    var kind: KindName

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The fields and their corrected values.", valueName: "FIELD=VALUE")
    )
    var values: [String]

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Only entries with this value; may be repeated.", valueName: "FIELD=VALUE")
    )
    var conditions: [String] = []

    @OptionGroup var days: DayOptions

    @Flag(name: .long, help: "Correct the entries.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() async throws {
        let names = kind.kind.fields.leaves.map(\.name) + ["date", "comment"]
        func given(_ texts: [String]) throws -> [Corrections.Assignment] {
            try TypedField.all(texts).named(among: names).map { .init($0.name, $0.value) }
        }
        let (matching, corrected) = (try given(conditions), try given(values))
        try await Session.run(options) { session in
            let period = try days.period(in: session.output.typedZone)
            let corrections = Corrections(of: kind.kind, where: matching, set: corrected, during: period)
            let id = try await record.id(in: session)
            let done = try await session.perform(.correctEntries(corrections, in: id, isDryRun: !yes))
            if session.output.isJSON { return session.output.json(done.json) }
            var table = TextTable([.init("ENTRY"), .init("DATE"), .init("WHAT"), .init("CHANGES")])
            let length = UUID.lengthOfBeginnings(done.items.map(\.entry))
            for item in done.items {
                table.add([
                    String(item.entry.text.prefix(length)), session.output.date(item.date), item.title,
                    item.changes.shown,
                ])
            }
            let count = done.items.count == 1 ? "1 entry" : "\(done.items.count) entries"
            if let result = done.result, result.isChanged, done.items.isEmpty {
                // The service had performed the request, and its first answer was lost.
                return session.output.result(result, "corrected the entries")
            }
            session.output.table(table, ifEmpty: "there is no entry to correct")
            if let result = done.result, result.isChanged {
                session.output.result(result, "corrected \(count)")
            } else if !done.items.isEmpty {
                session.output.note("\(count) would be corrected; nothing is changed without --yes")
            }
        }
    }
}
