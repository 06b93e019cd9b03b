import ArgumentParser
import HealthJournal
import HealthModel

/// Sets an account's password.
struct AccountPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Set the password by which an account signs in over HTTP; its sessions end.",
        discussion: """
            Example:  healthjournal account password anna
            On a terminal it is asked for twice and not shown; else it is the first line of the standard input.
            A service asks for the current password of one's own account too, which is the next line then.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The account, by name or id.")
    var account: String

    func run() async throws {
        try await Session.run(options) { session in
            let account = try await session.journal.account(account)
            let password = try PasswordPrompt.read()
            let result: WriteResult
            do {
                result = try await session.journal.setPassword(of: account, to: password, current: nil)
            } catch let error as JournalError where error.code == .invalid && error.field == "current" {
                let current = try PasswordPrompt.readCurrent()
                result = try await session.journal.setPassword(of: account, to: password, current: current)
            }
            session.output.result(result, "set the password")
        }
    }
}
