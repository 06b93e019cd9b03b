import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// The commands on the clients of a practice.
struct ClientGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Keep the clients of a practice: the people who bring animals.",
        discussion: "Example:  healthjournal client add firstName=Clara lastName=Keller phone=\"+41 79 555 02 20\"",
        subcommands: [
            ClientAddCommand.self, ClientSetCommand.self, ClientEndCommand.self, ClientEraseCommand.self,
            ClientListCommand.self, ClientShowCommand.self,
        ]
    )
}

/// The argument CLIENT of commands on one.
struct ClientArgument: ParsableArguments {
    @Argument(help: "The client, by name or id.")
    var client: String

    func document(of practice: UUID, in session: Session) async throws -> ClientDocument {
        try await session.client(client, of: practice)
    }
}

extension Session {
    /// Returns a client of a practice by name or id.
    func client(_ text: String, of practice: UUID) async throws -> ClientDocument {
        try await perform(ClientEndpoints.list, practice, nil)
            .one(text, "client", "client") { ($0.id, $0.profile.fullName) }
    }
}

struct ClientAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a client.",
        discussion: """
            Example:  healthjournal client add firstName=Clara lastName=Keller email=clara@example.org
            Fields: \(SettingsDocument<ClientProfile>.names.joined(separator: ", "))
            An e-mail address belongs to one client of a practice.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let result = try await session.perform(ClientEndpoints.add, practice.id, profile.apply())
        session.output.result(result, "added the client \(result.id?.text ?? "")")
    }
}

struct ClientSetCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a client.",
        discussion: "Example:  healthjournal client set \"Clara Keller\" phone=\"+41 79 555 02 21\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var client: ClientArgument
    @OptionGroup var profile: ProfileArguments

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let known = try await client.document(of: practice.id, in: session)
        let changed = try profile.apply(to: known.profile)
        let result = try await session.perform(ClientEndpoints.change, practice.id, known.id, changed)
        session.output.result(result, "changed the client")
    }
}

struct ClientEndCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Note that somebody is no client any more; no animal is touched by it.",
        discussion: "Example:  healthjournal client end \"Clara Keller\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var client: ClientArgument

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let known = try await client.document(of: practice.id, in: session)
        session.output.result(
            try await session.perform(ClientEndpoints.end, practice.id, known.id),
            "\(known.profile.fullName) is no client any more"
        )
    }
}

struct ClientEraseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Make the data of a client permanently unreadable, with all its history.",
        discussion: """
            Example:  healthjournal client erase "Clara Keller" --reason "asked for on 3 March"
            No animal and no appointment is touched. The log keeps the reason, which must not describe the person.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var client: ClientArgument

    @OptionGroup var confirmation: ErasureConfirmation

    func validate() throws { try confirmation.validate(options) }

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let known = try await client.document(of: practice.id, in: session)
        try confirmation.ask(about: known.profile.fullName, session)
        session.output.result(try await session.perform(ClientEndpoints.erase, practice.id, known.id), "erased")
    }
}

struct ClientShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that the practice knows of a client.",
        discussion: "Example:  healthjournal client show \"Clara Keller\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption
    @OptionGroup var client: ClientArgument

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let found = try await client.document(of: practice.id, in: session)
        if session.output.isJSON { return session.output.json(found.json) }
        session.output.profile(found.profile)
    }
}

struct ClientListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the clients of a practice.",
        discussion: "Example:  healthjournal client list"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Flag(name: .long, help: "Also former clients.")
    var all = false

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let found = try await session.perform(ClientEndpoints.list, practice.id, nil)
            .filter { all || $0.endedAt == nil }
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([.init("NAME"), .init("PHONE"), .init("E-MAIL"), .init("PREFERS"), .init("ID")])
        for client in found {
            table.add([
                client.profile.fullName + (client.endedAt == nil ? "" : " (former)"), client.profile.phone ?? "",
                client.profile.email ?? "", client.profile.preferredWay.name, client.id.text,
            ])
        }
        session.output.table(table, ifEmpty: "no clients")
    }
}
