import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// The options for how reminders leave the machine.
struct SendingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "A host, address or network to which reminders may be sent. May be repeated (default: none)."
    )
    var reminderHosts: [String] = []

    @Option(name: .long, help: "The program that sends e-mail, with the interface of sendmail (default: none).")
    var reminderSendmail: String?

    var settings: ReminderSettings {
        var settings = ReminderSettings()
        settings.hosts = ReminderHosts(reminderHosts.flatMap { $0.split(separator: ",").map(String.init) })
        settings.sendmail = reminderSendmail
        return settings
    }
}

/// Sends a test message.
struct ReminderTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test message to a channel.",
        discussion: """
            Example:  healthjournal reminders test 018f2c3d --reminder-sendmail /usr/sbin/sendmail
            Through a service, the service's own settings apply.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var channel: ChannelArgument
    @OptionGroup var sending: SendingOptions

    func run() async throws {
        let sender = ReminderSender(sending.settings)
        try await Session.run(options) { session in
            let id = try await channel.id(in: session)
            try await session.perform(
                JournalOperation<Void> {
                    try await sender.test(id, of: $0.journal, $0.caller)
                } remote: {
                    _ = try await $0.client.send(.write(.post, "channels", id.text, "test"))
                }
            )
            session.output.note("sent")
        }
    }
}

/// Sends the reminders that are due.
struct ReminderRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Send the reminders that are due now, once; a running service sends them by itself.",
        discussion: """
            Example:  healthjournal reminders run --dry-run --now 2027-03-28T01:30:00Z
            Example:  healthjournal reminders run --reminder-sendmail /usr/sbin/sendmail
            If a reminder cannot be sent, the reason is shown and the exit status is 1.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var sending: SendingOptions

    @Option(name: .long, help: "Act as if it were this time.")
    var now: TypedTime?

    @Flag(name: .long, help: "Only list what would be sent.")
    var dryRun = false

    func run() async throws {
        let sender = ReminderSender(sending.settings)
        try await FolderSession.run(options, source: .system) { session in
            let journal = session.journal
            try await journal.access.require(.administer(.reminder), session.caller)
            let now = try now?.instant(in: session.output.typedZone) ?? journal.now
            var results: [(reminder: OutgoingReminder, failure: Message?)]
            if dryRun {
                results = try await journal.reminders.dueReminders(at: now).reminders.map { ($0, nil) }
            } else {
                guard let lock = try journal.reminders.reminderLock() else {
                    throw JournalError(.conflict, "a service has this journal open, and sends its reminders")
                }
                results = try await sender.sendDue(of: journal, at: now)
                withExtendedLifetime(lock) {}
            }
            if session.output.isJSON {
                session.output.json(.array(results.map { $0.reminder.json(failure: $0.failure) }))
            } else {
                for (reminder, failure) in results {
                    session.output.line(reminder.line + (failure.map { ": not sent, \($0)" } ?? ""))
                }
                if results.isEmpty { session.output.note("nothing is due") }
            }
            let failed = results.count { $0.failure != nil }
            if failed > 0 {
                throw JournalError(.failed, "\(failed) of \(results.count) reminders could not be sent")
            }
        }
    }
}

extension OutgoingReminder {
    fileprivate var line: String {
        let when = reminder.due.map { "\($0.wall)" } ?? ""
        return "\(reminder.subject.cause.name) \(when) to \(reminder.channel.kind.name) \(reminder.channel.id.text)"
    }

    fileprivate func json(failure: Message?) -> JSONValue {
        .present([
            "cause": .string(reminder.subject.cause.name), "record": .string(record.text),
            "plan": .string(reminder.subject.plan.text), "slot": reminder.due.map { .string($0.slot.description) },
            "wall": reminder.due.map { .string($0.wall.description) }, "due": reminder.due.map { .time($0.due) },
            "account": .string(reminder.account.text), "channel": .string(reminder.channel.id.text),
            "kind": .string(reminder.channel.kind.name), "number": .integer(reminder.number),
            "text": .string(text), "failure": failure.map { .string($0.description) },
        ])
    }
}
