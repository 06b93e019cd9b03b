import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Groups the commands on tokens of accounts.
struct TokenCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Issue, list and revoke tokens for access over HTTP.",
        subcommands: [TokenIssueCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
    )
}

/// Issues a token.
struct TokenIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issue a token; it is shown once and not stored.",
        discussion: "Example:  healthjournal token issue scale --scope append:weight --expires 2027-12-31"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var account: AccountArgument

    @Option(name: .long, help: "The scope: \(TokenScope.syntax).")
    var scope: String

    @Option(name: .long, help: "The last day on which it is valid (default: no end).")
    var expires: Day?

    func run() async throws {
        let scope: TokenScope
        do throws(ModelError) {
            scope = try TokenScope(parsing: self.scope)
        } catch {
            throw error.asUsage(of: "--scope")
        }
        try await Session.run(options) { session in
            let account = try await account.id(in: session)
            let issued = try await PasswordPrompt.confirming { current in
                let asked = NewToken(scope, expires: expires.map { .day($0) }, current: current)
                return try await session.perform(AccountEndpoints.issueToken, account, asked)
            }
            if session.output.isJSON {
                session.output.json(issued.json, .compact)
            } else {
                session.output.line(issued.secret)
                session.output.note("this token is shown once; its id is \(issued.id.text)")
            }
        }
    }
}

/// Lists tokens.
struct TokenListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens of an account, without their secrets, revoked and expired ones too.",
        discussion: "Example:  healthjournal token list scale"
    )

    @OptionGroup var account: AccountArgument
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let id = try await account.id(in: session)
        let tokens = try await session.perform(AccountEndpoints.tokens, id)
        if session.output.isJSON { return session.output.json(.array(tokens.map(\.json))) }
        var table = TextTable([
            .init("TOKEN"), .init("SCOPE"), .init("STATE"), .init("ISSUED"), .init("EXPIRES"), .init("LAST USED"),
        ])
        let (length, now) = (UUID.lengthOfBeginnings(tokens.map(\.id)), session.journal.now)
        for token in tokens {
            let state = token.revokedAt != nil ? "revoked" : token.isValid(at: now) ? "valid" : "expired"
            table.add([
                String(token.id.text.prefix(length)), token.scope.description, state,
                session.output.time(token.issuedAt), token.expires.map(session.output.time) ?? "",
                token.lastUsedAt.map(session.output.time) ?? "",
            ])
        }
        session.output.table(table, ifEmpty: "the account has no token")
    }
}

/// Revokes a token.
struct TokenRevokeCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token.",
        discussion: "Example:  healthjournal token revoke 018f2c3d-5a6b-7c8d-9e0f-112233445566"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The token's id, or the first 8 or more characters of it.")
    var token: String

    func run(in session: Session) async throws {
        let prefix = token.lowercased()
        let found = try await session.perform(AccountEndpoints.list)
            .flatMap { account in
                account.tokens.map(\.id).filter { prefix.count >= 8 && $0.text.hasPrefix(prefix) }
                    .map { (account.id, $0) }
            }
        guard let (account, id) = found.first, found.count == 1 else {
            throw JournalError(.notFound, "there is no such token; see: healthjournal token list ACCOUNT")
        }
        let result = try await session.perform(AccountEndpoints.revokeToken, account, id)
        session.output.result(result, "revoked the token")
    }
}
