import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Links an identity at an OpenID provider to an account.
struct AccountLinkCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Link an identity at an OpenID provider to an account, so that its tokens are accepted.",
        discussion: """
            Example:  healthjournal account link anna --issuer https://id.example.org --subject 8a7f12
            The service must be configured with the provider: healthjournal serve --oidc-issuer … --oidc-audience …
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var account: AccountArgument

    @Option(name: .long, help: "The provider, as spelt in its tokens (iss).")
    var issuer: String

    @Option(name: .long, help: "The person's identifier there (sub): never an e-mail address that may be reassigned.")
    var subject: String

    func run(in session: Session) async throws {
        let account = try await account.id(in: session)
        let result = try await PasswordPrompt.confirming { current in
            try await session.perform(
                .linkIdentity(issuer: issuer, subject: subject, to: account, current: current)
            )
        }
        session.output.result(result, "linked the identity")
    }
}

/// Lists the identities of an account at OpenID providers.
struct AccountIdentitiesCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "identities",
        abstract: "List an account's identities at OpenID providers.",
        discussion: "Example:  healthjournal account identities anna"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var account: AccountArgument

    func run(in session: Session) async throws {
        let identities = try await session.perform(AccountEndpoints.identities, account.id(in: session))
        if session.output.isJSON {
            session.output.json(.array(identities.map(\.json)))
            return
        }
        var table = TextTable([.init("IDENTITY"), .init("ISSUER"), .init("SUBJECT"), .init("LINKED")])
        for identity in identities {
            table.add([
                identity.id.text, identity.issuer, identity.subject, session.output.time(identity.linkedAt),
            ])
        }
        session.output.table(table, ifEmpty: "the account has no linked identities")
    }
}

/// Unlinks an identity from its account.
struct AccountUnlinkCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Unlink an identity, so that its tokens are no longer accepted.",
        discussion: "Example:  healthjournal account unlink anna 018f2c3d-5a6b-7c8d-9e0f-112233445566"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var account: AccountArgument

    @Argument(help: "The identity's id, or the first 8 or more characters of it.")
    var identity: String

    func run(in session: Session) async throws {
        let account = try await account.id(in: session)
        let prefix = identity.lowercased()
        let found = try await session.perform(AccountEndpoints.identities, account)
            .filter { prefix.count >= 8 && $0.id.text.hasPrefix(prefix) }
        guard let one = found.first, found.count == 1 else {
            throw JournalError(
                .notFound,
                "there is no such identity; see: healthjournal account identities ACCOUNT"
            )
        }
        let result = try await session.perform(AccountEndpoints.unlinkIdentity, account, one.id)
        session.output.result(result, "unlinked the identity")
    }
}
