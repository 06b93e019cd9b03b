import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Corrects an entry.
struct EntryCorrectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract: "Correct values of an entry; the earlier values stay in the audit log.",
        discussion: """
            Example:  healthjournal entry correct 018f2c3b value=75.4 --reason "misread the scale"
            With --json, an object as entry list prints it replaces the whole entry; fields that it lacks are removed.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var entry: EntryArgument

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The fields and their corrected values.", valueName: "FIELD=VALUE")
    )
    var values: [String] = []

    @Option(name: .long, help: "Read the corrected entry as native JSON from this file, or from standard input for -.")
    var json: String?

    func run() async throws {
        let assignments = try TypedField.all(values)
        guard (json == nil) != assignments.isEmpty else {
            throw ValidationError("give the corrected values either as FIELD=VALUE or as --json")
        }
        try await Session.run(options) { session in
            let id = try await entry.id(in: session)
            let (now, zone) = (session.journal.now, session.output.typedZone)
            let document = try json.map { try JSONReader.read(readFile($0, atMost: JSONReader.maximumBytes)) }
            let result = try await session.perform(
                .correctEntry(id) { content throws(ModelError) in
                    if let document { content = try replacement(document, of: content.kind, now: now) }
                    try content.set(typed: assignments, in: zone)
                }
            )
            session.output.result(result, "corrected the entry")
        }
    }

    /// Decodes an entry, which may name its kind.
    private func replacement(_ json: JSONValue, of kind: Kind, now: Instant) throws(ModelError) -> EntryContent {
        var json = json
        if json["kind"] == .string(kind.name) { json = .object(json.members.filter { $0.name != "kind" }) }
        return try NativeDocument.content(json, of: kind, now: now)
    }
}

/// Retracts an entry.
struct EntryRetractCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "retract",
        abstract: "Retract an entry that was never true.",
        discussion: "Example:  healthjournal entry retract 018f2c3b --reason \"that was the other dog\""
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var entry: EntryArgument

    func run(in session: Session) async throws {
        let id = try await entry.id(in: session)
        session.output.result(try await session.perform(.retractEntry(id)), "retracted the entry")
    }
}

/// Restores a retracted entry.
struct EntryRestoreCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a retracted entry.",
        discussion: "Example:  healthjournal entry restore 018f2c3b"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var entry: EntryArgument

    func run(in session: Session) async throws {
        let id = try await entry.id(in: session, areRetracted: true)
        session.output.result(try await session.perform(.restoreEntry(id)), "restored the entry")
    }
}
