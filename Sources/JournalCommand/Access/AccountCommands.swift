import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Groups the commands on accounts.
struct AccountCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Manage accounts, their passwords, their linked identities and their settings.",
        subcommands: [
            AccountAddCommand.self, AccountListCommand.self, AccountRemoveCommand.self, AccountPasswordCommand.self,
            AccountLinkCommand.self, AccountIdentitiesCommand.self, AccountUnlinkCommand.self, AccountSetCommand.self,
            AccountPreferencesCommand.self, AccountSubscriptionCommand.self,
        ]
    )
}

/// Adds an account.
struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an account.",
        discussion: "Example:  healthjournal account add anna --email anna@example.org"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "Its name, which must be unique in the journal.")
    var name: String

    @Option(name: .long, help: "An e-mail address.")
    var email: String = ""

    @Option(
        name: .long,
        help: "The kind: person, tool, auditor or administrator.",
        completion: .list(["person", "tool", "auditor", "administrator"])
    )
    var kind: String = AccountKind.person.name

    func run() async throws {
        let kind: AccountKind
        do throws(ModelError) {
            kind = try AccountKind(named: self.kind)
        } catch {
            throw error.asUsage(of: "--kind")
        }
        try await Session.run(options) { session in
            let profile = AccountProfile(name: name, email: email, kind: kind)
            let result = try await session.perform(AccountEndpoints.add, profile)
            session.output.result(result, "added the account \(result.account?.text ?? "")")
        }
    }
}

/// Removes an account.
struct AccountRemoveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account: end its tokens, its sign-ins and its access to all records.",
        discussion: """
            What the account did stays in the history under its name, which no other account ever gets. An account that is \
            the only owner of a record cannot be removed.

            Example:  healthjournal account remove anna --reason "moved out"
            """
    )

    @OptionGroup var account: AccountArgument
    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        guard yes || Terminal.isInteractive else { throw ValidationError.unconfirmed }
    }

    func run(in session: Session) async throws {
        let id = try await account.id(in: session)
        let question = "Nobody can use the account after this, and it loses its access to all records. Remove it?"
        try Terminal.confirm(question, unless: yes)
        session.output.result(try await session.perform(AccountEndpoints.remove, id), "removed the account")
    }
}

/// Lists accounts.
struct AccountListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts of the journal.",
        discussion: "Example:  healthjournal account list"
    )

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let accounts = try await session.perform(AccountEndpoints.list)
        if session.output.isJSON {
            session.output.json(.array(accounts.map(\.json)))
            return
        }
        var table = TextTable([
            .init("ACCOUNT"), .init("NAME"), .init("KIND"), .init("EMAIL"), .init("ADDED"), .init("TOKENS", .right),
        ])
        let length = UUID.lengthOfBeginnings(accounts.map(\.id))
        for account in accounts {
            let valid = account.tokens.count { $0.isValid(at: session.journal.now) }
            table.add([
                String(account.id.text.prefix(length)), account.name, account.kind.name, account.email,
                session.output.time(account.addedAt), String(valid),
            ])
        }
        session.output.table(table, ifEmpty: "there are no accounts")
    }
}
