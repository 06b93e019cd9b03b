internal import EventLog
package import FoundationEssentials
package import HealthModel

/// Who somebody is to a provider that signs people in.
extension Journal {
    /// Lets in as an account whoever the provider says is that person.
    ///
    /// An identity is linked to one account of the journal at most. Whoever links one to the own account has proven that it
    /// is theirs, else they could take in what somebody else comes to write; the account that `init` made is believed.
    package func linkIdentity(
        issuer: String,
        subject: String,
        isProven: Bool = false,
        to account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let isOwn = try await actsForItself(account, caller)
            let isBelieved = caller.account == (try self.account(named: Journal.ownerName)?.id)
            guard isBelieved || isOwn && isProven else {
                throw try await refusal(
                    of: caller,
                    .manage,
                    because: isOwn
                        ? "show a token of the provider that speaks of you, as \"token\""
                        : "only the account itself may do that"
                )
            }
            let identity = AccountIdentity(id: UUID.timeOrdered(at: log.now()), issuer: issuer, subject: subject)
            return try await changeAccount(account, .linkIdentity(identity), caller) { change throws in
                try claimOnce(.claim(holder: account), on: .identity, identity.claimed, field: "subject", &change)
            }
        }
    }

    /// Lets nobody in any more by that identity, from the next request on.
    package func unlinkIdentity(
        _ identity: UUID,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await actsForItself(account, caller)
            let claimed = try self.account(account).identities[identity]?.identity.claimed
            return try await changeAccount(account, .unlinkIdentity(identity), caller) { change throws in
                guard let claimed else { return }
                try claimOnce(.release(holder: account), on: .identity, claimed, field: "subject", &change)
            }
        }
    }

    /// The identities of the caller's own account, or of any for those who run the journal, in the order of their linking.
    package func identities(of account: UUID, _ caller: Caller) async throws(JournalError) -> [IdentityState] {
        do {
            _ = try await actsForItself(account, caller)
            return try self.account(account).identities.values.sorted { $0.linked.position < $1.linked.position }
        } catch {
            throw JournalError(error)
        }
    }
}

extension AccountIdentity {
    /// The one spelling by which two are compared: neither part has a line break.
    fileprivate var claimed: String { issuer + "\n" + subject }
}
