package import FoundationEssentials
internal import HealthModel

/// The lasting access of an account that ends when its password is changed.
package enum Revocation: Hashable, Sendable {
    case nothing
    /// All except the token that authenticated the request.
    case everything
    /// The tokens, identities, calendars and channels of these ids.
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
                throw JournalError(
                    .invalid,
                    field: "revoke",
                    "must be ids of tokens, identities, calendars and channels, or the word all"
                )
            }
            ids.insert(id)
        }
        self = ids.isEmpty ? .nothing : .these(ids)
    }

    /// Returns the part of an account's lasting access that ends; never the token of the request itself with `all`.
    func ending(_ access: LastingAccess, keeping token: UUID?) throws(JournalError) -> LastingAccess {
        switch self {
        case .nothing:
            return LastingAccess()
        case .everything:
            var ended = access
            ended.tokens.removeAll { $0.id == token }
            return ended
        case .these(let ids):
            let ended = LastingAccess(
                tokens: access.tokens.filter { ids.contains($0.id) },
                identities: access.identities.filter { ids.contains($0.identity.id) },
                calendars: access.calendars.filter { ids.contains($0.state.id) },
                channels: access.channels.filter { ids.contains($0.id) }
            )
            guard ended.count == ids.count else {
                throw JournalError(
                    .notFound,
                    field: "revoke",
                    "the account has no such token, identity, calendar or channel with names, or it has ended already"
                )
            }
            return ended
        }
    }
}

extension LastingAccess {
    fileprivate var count: Int { tokens.count + identities.count + calendars.count + channels.count }
}
