import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Groups the commands on reminders.
struct ReminderCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "Choose where reminders are sent, and send them.",
        subcommands: [
            ReminderAddCommand.self, ReminderListCommand.self, ReminderRemoveCommand.self, ReminderTestCommand.self,
            ReminderRunCommand.self, ReminderKeyCommand.self,
        ]
    )
}

extension ReminderChannel.Kind: ExpressibleByArgument {}

/// Adds a channel.
struct ReminderAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a channel on which your account gets reminders of your records.",
        discussion: """
            Example:  healthjournal reminders add email anna@example.org
            Example:  healthjournal reminders add ntfy https://ntfy.example.org/a-secret-topic
            Example:  healthjournal reminders add webhook https://tool.example.org/hook --detail names
            Browsers are added on their page of reminders. Other programs that receive Web Push are added with the \
            keys of their subscription: webpush ENDPOINT --p256dh KEY --auth SECRET.
            Nothing is sent to a host that the operator of the service has not named. The key of a webhook is shown \
            once; it is stored sealed, because the service signs with it.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "email, ntfy (also for UnifiedPush), webhook or webpush.")
    var kind: ReminderChannel.Kind

    @Argument(help: "The e-mail address, or the URL.")
    var address: String

    @Option(name: .long, help: "neutral: \"Something is due\"; names: what is due (default: your preference).")
    var detail: ReminderDetail?

    // Base64url text may begin with "-".
    @Option(
        name: .customLong("p256dh"),
        parsing: .unconditional,
        help: "The public key of a Web Push subscription, in base64url."
    )
    var key: String?

    @Option(
        name: .customLong("auth"),
        parsing: .unconditional,
        help: "The secret of a Web Push subscription, in base64url."
    )
    var secret: String?

    func run(in session: Session) async throws {
        let push = kind == .webpush ? (key: key ?? "", secret: secret ?? "") : nil
        let made = try await PasswordPrompt.confirming { current in
            try await session.perform(
                .addChannel(kind, address: address, detail: detail, push: push, current: current)
            )
        }
        if session.output.isJSON {
            session.output.json(
                .present([
                    "id": .string(made.id.text), "secret": made.secret.map { .string($0) },
                    "position": .integer(made.position), "warning": made.warning.map { .string($0) },
                ]),
                .compact
            )
        } else {
            session.output.line(made.id.text)
            if let warning = made.warning {
                session.output.warn("nothing is sent to it: \(warning)")
            } else if kind == .email {
                session.output.note("e-mail is sent by a service, or reminders run, with --reminder-sendmail")
            }
            if let secret = made.secret { session.output.note("the key of its signatures, shown once: \(secret)") }
        }
    }
}

/// Lists channels.
struct ReminderListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the channels of your account.",
        discussion: "Example:  healthjournal reminders list"
    )

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let channels = try await session.perform(.channels)
        if session.output.isJSON {
            session.output.json(.array(channels.map(\.json)))
            return
        }
        var table = TextTable([.init("CHANNEL"), .init("KIND"), .init("ADDRESS"), .init("DETAIL"), .init("ADDED")])
        for channel in channels {
            table.add([
                channel.id.text, channel.kind.name, channel.address, channel.detail.rawValue,
                session.output.time(channel.addedAt),
            ])
        }
        session.output.table(table, ifEmpty: "there are no channels")
        for channel in channels {
            if let warning = channel.warning { session.output.warn("\(channel.id.text): \(warning)") }
        }
    }
}

/// The argument that names a channel of the account.
struct ChannelArgument: ParsableArguments {
    @Argument(help: "The channel's id, or the first 8 or more characters of it.")
    var channel: String

    func id(in session: Session) async throws -> UUID {
        let prefix = channel.lowercased()
        let found = try await session.perform(.channels)
            .filter { prefix.count >= 8 && $0.id.text.hasPrefix(prefix) }
        guard let first = found.first, found.count == 1 else {
            throw JournalError(.notFound, "there is no such channel; see: healthjournal reminders list")
        }
        return first.id
    }
}

/// Removes a channel.
struct ReminderRemoveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a channel: no reminder is sent to it any more.",
        discussion: "Example:  healthjournal reminders remove 018f2c3d"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var channel: ChannelArgument

    func run(in session: Session) async throws {
        let id = try await channel.id(in: session)
        session.output.result(try await session.perform(.removeChannel(id)), "removed")
    }
}

/// Prints the key of push messages.
struct ReminderKeyCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-key",
        abstract: "Print the public key with which the service identifies itself to push services (VAPID).",
        discussion: "Example:  healthjournal reminders push-key"
    )

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let key = try await session.perform(.pushKey)
        if session.output.isJSON {
            session.output.json(["key": .string(key)], .compact)
        } else {
            session.output.line(key)
        }
    }
}
