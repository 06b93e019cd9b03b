import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Opens the emergency view of a record.
struct CaregiverEmergencyCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency",
        abstract: "Open the emergency view of a record for some hours; its owner is notified.",
        discussion: """
            Example:  healthjournal caregiver emergency 018f2c3a --as anna --reason "found unconscious at home"
            Caregivers can open it whatever sections their grant covers. It shows allergies, medication, doses of \
            the last 48 hours and emergency contacts:  healthjournal record show 018f2c3a --as anna
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id; the full id if the account cannot see the record otherwise.")
    var record: String

    @Option(name: .long, help: "For how many hours the view is open: 1 to 24.")
    var hours: Int = Journal.Sharing.emergencyHours

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("a reason is required: --reason TEXT") }
    }

    func run(in session: Session) async throws {
        let record = try await session.journal.record(record)
        session.output.emergency(try await session.perform(EmergencyEndpoints.open, record, hours))
    }
}

extension Output {
    func emergency(_ opened: OpenedEmergency) {
        guard !isJSON else {
            return json(
                .object([
                    .init("position", .integer(opened.position)), .init("record", .string(opened.record.text)),
                    .init("expires", .string(opened.expires.description)),
                ]),
                .compact
            )
        }
        line("the emergency view is open until \(time(opened.expires)) (position \(opened.position))")
        note("the owner of the record is notified, with the reason")
    }
}

/// Groups the commands on notices to record owners.
struct NoticesCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notices",
        abstract: "List and acknowledge notices of emergency access to records of yours or of your practice.",
        discussion: "Example:  healthjournal notices",
        subcommands: [NoticesListCommand.self, NoticesAcknowledgeCommand.self],
        defaultSubcommand: NoticesListCommand.self
    )
}

/// Lists notices.
struct NoticesListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the account's notices, newest first.",
        discussion: "Example:  healthjournal notices list --format json"
    )

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let notices = try await session.perform(EmergencyEndpoints.notices)
        if session.output.isJSON {
            session.output.json(.array(notices.map(\.json)))
            return
        }
        var table = TextTable([
            .init("NOTICE", .right), .init("RECORD"), .init("OPENED BY"), .init("AT"), .init("UNTIL"),
            .init("REASON"), .init("ACKNOWLEDGED"),
        ])
        for notice in notices {
            table.add([
                String(notice.position), notice.displayName, notice.name ?? notice.account.beginning,
                session.output.time(notice.openedAt),
                session.output.time(notice.endedAt ?? notice.expires), notice.reason,
                notice.acknowledgedAt.map(session.output.time) ?? "",
            ])
        }
        session.output.table(table, ifEmpty: "nobody has opened the emergency view of a record of this account")
    }
}

/// Acknowledges a notice.
struct NoticesAcknowledgeCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge",
        abstract: "Acknowledge a notice.",
        discussion: "Example:  healthjournal notices acknowledge 812"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The notice's number, as shown in the list.")
    var notice: UInt64

    func run(in session: Session) async throws {
        let result = try await session.perform(EmergencyEndpoints.acknowledge, notice)
        session.output.result(result, "acknowledged")
    }
}
