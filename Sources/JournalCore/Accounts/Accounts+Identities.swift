internal import EventLog
package import FoundationEssentials
package import HealthModel

/// Identities of accounts at providers that sign people in.
extension Journal.Accounts {
    /// Links an identity at a provider to an account, so that its holder signs in as that account.
    ///
    /// An identity is linked to at most one account of the journal. A caller who links an identity to their own account
    /// must prove that it is theirs (`isProven`). Otherwise they could receive what the identity's real holder later
    /// writes. The account that the `init` command created needs no proof.
    package func linkIdentity(
        issuer: String,
        subject: String,
        isProven: Bool = false,
        to account: UUID,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(
                caller,
                to: action(.linkIdentity(isProven: isProven), ofAccount: account, caller)
            )
            try await confirm(caller, current, creatingAccessUntil: nil)
            let identity = AccountIdentity(
                id: UUID.timeOrdered(at: journal.log.now()),
                issuer: issuer,
                subject: subject
            )
            return try await changeAccount(account, .linkIdentity(identity), caller) { change throws in
                try journal.claimOnce(
                    .claim(holder: account),
                    on: .identity,
                    identity.claimed,
                    field: "subject",
                    &change
                )
            }
        }
    }

    /// Unlinks an identity from an account; it no longer authenticates from the next request on.
    package func unlinkIdentity(
        _ identity: UUID,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: action(.manageCredentials, ofAccount: account, caller))
            let claimed = try self.account(account).identities[identity]?.identity.claimed
            return try await changeAccount(account, .unlinkIdentity(identity), caller) { change throws in
                guard let claimed else { return }
                try journal.claimOnce(.release(holder: account), on: .identity, claimed, field: "subject", &change)
            }
        }
    }

    /// Returns the identities of the caller's own account, or of any account for callers who run the journal.
    ///
    /// They are in the order in which they were linked.
    package func identities(of account: UUID, _ caller: Caller) async throws(JournalError) -> [IdentityState] {
        do {
            try await journal.access.admit(caller, to: action(.manageCredentials, ofAccount: account, caller))
            return try self.account(account).identities.values
                .sorted { $0.linked.position < $1.linked.position }
        } catch {
            throw JournalError(error)
        }
    }
}

extension AccountIdentity {
    /// The text by which two identities are compared; neither part contains a line break.
    package var claimed: String { issuer + "\n" + subject }
}
