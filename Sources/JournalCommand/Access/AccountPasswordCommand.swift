import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Sets an account's password.
struct AccountPasswordCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Set an account's password for signing in over HTTP; its sessions end.",
        discussion: """
            Example:  healthjournal account password anna
            On a terminal the password is asked for twice and not shown; otherwise it is the first line of the \
            standard input. For the caller's own account, a service also asks for the current password: then the next \
            line. Tokens, linked identities, calendars and channels with names stay valid when the password changes. \
            The command lists them; on a terminal it asks whether to revoke them as well, and elsewhere --revoke names \
            those to revoke.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var account: AccountArgument

    @Option(name: .long, help: "A token, identity, calendar or channel to revoke: its id, or all. May be repeated.")
    var revoke: [String] = []

    func run(in session: Session) async throws {
        let account = try await account.id(in: session)
        let password = try PasswordPrompt.read()
        let revocation = try await revocation(for: account, session)
        let result = try await PasswordPrompt.confirming { current in
            try await session.perform(
                .setPassword(of: account, to: password, current: current, revoking: revocation)
            )
        }
        session.output.result(result, "set the password")
        let left = try await session.perform(AccountEndpoints.credentials, account)
        report(left, "these are still valid; to revoke them, repeat with --revoke all:", session)
    }

    /// Returns the revocation that `--revoke` states or, on a terminal without it, the answer of the user.
    private func revocation(for account: UUID, _ session: Session) async throws -> Revocation {
        guard revoke.isEmpty, Terminal.isInteractive else { return try Revocation(parsing: revoke) }
        let found = try await session.perform(AccountEndpoints.credentials, account)
        guard !found.isEmpty else { return .nothing }
        report(found, "these stay valid when the password changes:", session)
        return try Terminal.confirms("Revoke all of them as well?") ? .everything : .nothing
    }

    private func report(_ found: Credentials, _ heading: String, _ session: Session) {
        guard !found.isEmpty else { return }
        session.output.note(heading)
        for token in found.tokens {
            session.output.note("  token \(token.id.text) \(token.scope), issued \(token.issuedAt)")
        }
        for identity in found.identities {
            let name = TerminalText.escaped("\(identity.subject) at \(identity.issuer)")
            session.output.note("  identity \(identity.id.text) \(name)")
        }
        for calendar in found.calendars {
            session.output.note("  calendar \(calendar.id.text) linked \(calendar.linkedAt)")
        }
        for channel in found.channels {
            let address = TerminalText.escaped(channel.address)
            session.output.note("  channel \(channel.id.text) \(channel.kind.name) \(address)")
        }
    }
}
