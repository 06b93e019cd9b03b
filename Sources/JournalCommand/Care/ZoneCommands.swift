import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel

/// Commands on the time zones in which a person was.
struct ZoneCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone",
        abstract: "Say in which time zone a person or an animal is, so that doses are due by the local clock.",
        discussion: """
            Before the first one, the time zone of the profile applies (record set RECORD zone=Europe/Zurich), or that \
            of the journal. List them with:  healthjournal entry list RECORD zone
            """,
        subcommands: [ZoneSetCommand.self]
    )
}

/// Records a time zone.
struct ZoneSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Record that the person is in another time zone from a moment on.",
        discussion: "Example:  healthjournal zone set 018f2c3a Asia/Kathmandu --from 2026-05-04T11:00:00Z"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Argument(help: "The IANA name of the time zone.")
    var zone: String

    @Option(name: .long, help: "Since when, as a time or a day (default: now).")
    var from: TypedTime?

    func run(in session: Session) async throws {
        var content = EntryContent(kind: Zone.kind)
        content.date = .instant(try from?.instant(in: session.output.typedZone) ?? session.journal.now)
        content.body[Zone.zone] = .text(zone)
        let record = try await record.id(in: session)
        let result = try await session.perform(.addEntry(content, to: record, id: nil))
        session.output.result(result, "recorded the time zone as entry \(result.entry?.text ?? "")")
    }
}
