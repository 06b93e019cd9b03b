internal import EventLog
package import FoundationEssentials
package import HealthModel

/// The profile, the preferences and the subscription of accounts.
extension Journal.Accounts {
    /// Returns the profile of the caller's own account.
    package func details(_ caller: Caller) async throws(JournalError) -> AccountDetails {
        try await settings(caller).details
    }

    /// Returns the preferences of the caller's own account.
    package func preferences(_ caller: Caller) async throws(JournalError) -> AccountPreferences {
        try await settings(caller).preferences
    }

    private func settings(_ caller: Caller) async throws(JournalError) -> AccountState {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .account(.readSettings, .own))
            return try account(caller.account)
        }
    }

    /// Replaces the profile of the caller's own account.
    package func setDetails(_ details: AccountDetails, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: .account(.changeSettings, .own))
            return try await changeAccount(caller.account, .setDetails(details), caller)
        }
    }

    /// Replaces the preferences of the caller's own account.
    package func setPreferences(
        _ preferences: AccountPreferences,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: .account(.changeSettings, .own))
            if !preferences.timeZone.isEmpty { try SystemZones.requireZone(preferences.timeZone, field: "timeZone") }
            return try await changeAccount(caller.account, .setPreferences(preferences), caller)
        }
    }

    /// Returns the subscription of the caller's own account, or of any account for callers who run the journal.
    package func subscription(of account: UUID, _ caller: Caller) async throws(JournalError) -> Subscription {
        try await journal.retrying {
            let isOwn = account == caller.account
            try await journal.access.admit(
                caller,
                to: action(isOwn ? .readSettings : .setSubscription, ofAccount: account, caller)
            )
            guard let subscription = try self.account(account).subscription else {
                throw JournalError(.notFound, "the account has no subscription")
            }
            return subscription
        }
    }

    /// Replaces the subscription of an account, for callers who run the journal.
    package func setSubscription(
        _ subscription: Subscription,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: action(.setSubscription, ofAccount: account, caller))
            return try await changeAccount(account, .setSubscription(subscription), caller)
        }
    }
}
