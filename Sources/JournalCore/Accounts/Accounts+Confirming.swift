internal import FoundationEssentials
package import HealthModel

extension Journal.Accounts {
    /// How recently an account without a password must have signed in to create lasting access, in microseconds.
    private static var freshSignIn: Int64 { 15 * 60_000_000 }

    /// Requires proof that the caller is the account's holder, before access is created that outlasts the credential.
    ///
    /// A stolen session or token must not be enough to issue a token, link an identity or a calendar, set a password, or
    /// add a channel whose reminders contain names.
    /// - An account with a password: its `current` password, whichever credential the caller uses.
    /// - An account without a password, signed in with a code or a provider: a sign-in at most fifteen minutes ago.
    /// - An account without a password, with a token: the new access ends no later than the token (`expires`; nil for
    ///   no end).
    /// - The command line on the machine itself: nothing, because the master key is stored there.
    package func confirm(_ caller: Caller, _ current: String?, creatingAccessUntil expires: Instant?) async throws {
        guard caller.source != .commandLine else { return }
        let account = try account(caller.account)
        if account.password != nil { return try await requireCurrent(current, caller) }
        if let token = caller.token {
            guard let end = account.tokens[token]?.expires else { return }
            if let expires, expires <= end { return }
            throw try await journal.access.refusal(
                of: caller,
                .manage,
                reason: "this token expires, and cannot create access that lasts longer: sign in instead"
            )
        }
        let signedIn = caller.session.flatMap { account.sessions[$0]?.begun.recordedAt } ?? caller.signedIn
        guard let signedIn, journal.now.microseconds - signedIn.microseconds <= Self.freshSignIn else {
            throw try await journal.access.refusal(
                of: caller,
                .manage,
                reason: "an account without a password must have signed in within the last 15 minutes: sign in again"
            )
        }
    }
}
