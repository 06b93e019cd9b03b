package import FoundationEssentials
internal import HealthModel

/// The tokens and identities of an account that end when its password is changed.
package enum Revocation: Hashable, Sendable {
    case nothing
    /// All except the token that authenticated the request.
    case everything
    /// The tokens and identities of these ids.
    case these(Set<UUID>)

    /// Parses ids, or the word `all`, as a request or a form contains them.
    package init(parsing texts: [String]) throws(JournalError) {
        if texts.contains("all") {
            self = .everything
            return
        }
        var ids: Set<UUID> = []
        for text in texts {
            guard let id = UUID(uuidString: text) else {
                throw JournalError(.invalid, field: "revoke", "must be ids of tokens and identities, or the word all")
            }
            ids.insert(id)
        }
        self = ids.isEmpty ? .nothing : .these(ids)
    }

    /// Returns the commands that revoke these tokens and unlink these identities.
    func commands(
        for account: AccountState,
        keeping token: UUID?,
        now: Instant
    ) throws(JournalError) -> [AccountCommand] {
        let tokens = account.tokens.values.filter { $0.isValid(at: now) }
            .sorted { $0.issued.position < $1.issued.position }.map(\.id)
        let identities = account.identities.values.sorted { $0.linked.position < $1.linked.position }.map(\.identity.id)
        switch self {
        case .nothing:
            return []
        case .everything:
            return tokens.filter { $0 != token }.map { .revokeToken($0) } + identities.map { .unlinkIdentity($0) }
        case .these(let ids):
            guard ids.isSubset(of: tokens + identities) else {
                throw JournalError(
                    .notFound,
                    field: "revoke",
                    "the account has no such token or identity, or it has ended already"
                )
            }
            return tokens.filter(ids.contains).map { .revokeToken($0) }
                + identities.filter(ids.contains).map { .unlinkIdentity($0) }
        }
    }
}
