import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// What gives access to the data of an account independently of its password.
struct Credentials {
    let tokens: [TokenDocument]
    let identities: [IdentityDocument]
    let calendars: [CalendarDocument]
    let channels: [ChannelDocument]

    var isEmpty: Bool { tokens.isEmpty && identities.isEmpty && calendars.isEmpty && channels.isEmpty }
}

/// A newly issued token with its secret, which is stored nowhere.
struct IssuedToken {
    let secret: String
    let id: UUID
    let position: UInt64
}

extension JournalOperation where Result == WriteResult {
    static func addAccount(_ profile: AccountProfile) -> Self {
        Self {
            try await $0.journal.addAccount(profile, $0.caller)
        } remote: {
            let body: JSONValue = [
                "name": .string(profile.name), "email": .string(profile.email), "kind": .string(profile.kind.name),
            ]
            return try await $0.write(.write(.post, "accounts", query: $0.reasonQuery, body: body))
        }
    }

    static func removeAccount(_ account: UUID) -> Self {
        Self {
            try await $0.journal.removeAccount(account, $0.caller)
        } remote: {
            try await $0.write(.write(.delete, "accounts", account.text, query: $0.reasonQuery))
        }
    }

    /// Sets a password; changing that of the caller's own account may require its `current` password.
    static func setPassword(
        of account: UUID,
        to password: String,
        current: String?,
        revoking: Revocation
    ) -> Self {
        Self {
            try await $0.journal.setPassword(of: account, to: password, current: current, revoking: revoking, $0.caller)
        } remote: {
            let body: JSONValue = .present([
                "password": .string(password), "current": current.map { .string($0) }, "revoke": revoking.json,
            ])
            return try await $0.write($0.once(.put, "accounts", account.text, "password", body: body))
        }
    }

    static func revokeToken(_ token: UUID, of account: UUID) -> Self {
        Self {
            try await $0.journal.revokeToken(token, of: account, $0.caller)
        } remote: {
            try await $0.write(.write(.delete, "accounts", account.text, "tokens", token.text, query: $0.reasonQuery))
        }
    }

    static func linkIdentity(issuer: String, subject: String, to account: UUID, current: String?) -> Self {
        Self {
            try await $0.journal.linkIdentity(
                issuer: issuer,
                subject: subject,
                to: account,
                current: current,
                $0.caller
            )
        } remote: {
            let body: JSONValue = .present([
                "issuer": .string(issuer), "subject": .string(subject), "current": current.map { .string($0) },
            ])
            return try await $0.write(
                .write(.post, "accounts", account.text, "identities", query: $0.reasonQuery, body: body)
            )
        }
    }

    static func unlinkIdentity(_ identity: UUID, of account: UUID) -> Self {
        Self {
            try await $0.journal.unlinkIdentity(identity, of: account, $0.caller)
        } remote: {
            let path = ["accounts", account.text, "identities", identity.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func setDetails(_ details: AccountDetails) -> Self {
        Self {
            try await $0.journal.setDetails(details, $0.caller)
        } remote: {
            try await $0.write($0.replacing("me", "profile", with: details))
        }
    }

    static func setPreferences(_ preferences: AccountPreferences) -> Self {
        Self {
            try await $0.journal.setPreferences(preferences, $0.caller)
        } remote: {
            try await $0.write($0.replacing("me", "preferences", with: preferences))
        }
    }

    static func setSubscription(_ subscription: Subscription, of account: UUID) -> Self {
        Self {
            try await $0.journal.setSubscription(subscription, of: account, $0.caller)
        } remote: {
            try await $0.write($0.replacing(account.text, "subscription", with: subscription))
        }
    }
}

extension JournalOperation where Result == AccountDetails {
    /// Returns the profile of the caller's own account.
    static var details: Self {
        Self {
            try await $0.journal.details($0.caller)
        } remote: {
            try await $0.settings(.get("accounts", "me", "profile"))
        }
    }
}

extension JournalOperation where Result == AccountPreferences {
    /// Returns the preferences of the caller's own account.
    static var preferences: Self {
        Self {
            try await $0.journal.preferences($0.caller)
        } remote: {
            try await $0.settings(.get("accounts", "me", "preferences"))
        }
    }
}

extension JournalOperation where Result == Subscription {
    static func subscription(of account: UUID) -> Self {
        Self {
            try await $0.journal.subscription(of: account, $0.caller)
        } remote: {
            try await $0.settings(.get("accounts", account.text, "subscription"))
        }
    }
}

extension RemoteJournal {
    fileprivate func settings<Settings: FieldDescribed>(_ request: ServiceRequest) async throws -> Settings {
        let document: SettingsDocument<Settings> = try await document(request)
        return document.settings
    }

    fileprivate func replacing(_ path: String..., with settings: some FieldDescribed) -> ServiceRequest {
        var request = ServiceRequest.get(at: ["accounts"] + path, query: reasonQuery)
        request.method = .put
        request.body = .json(SettingsDocument(settings).json)
        return request
    }
}

extension JournalOperation where Result == [AccountDocument] {
    static var accounts: Self {
        Self {
            let journal = $0.journal
            return try await journal.accounts($0.caller).map { journal.document(of: $0) }
        } remote: {
            try await $0.accounts()
        }
    }
}

extension JournalOperation where Result == [IdentityDocument] {
    static func identities(of account: UUID) -> Self {
        Self {
            try await $0.journal.identities(of: account, $0.caller).map { IdentityDocument($0) }
        } remote: {
            try await $0.list("identities", .get("accounts", account.text, "identities"))
        }
    }
}

extension JournalOperation where Result == Credentials {
    /// Returns the valid tokens and the linked identities of an account.
    static func credentials(of account: UUID) -> Self {
        Self {
            let journal = $0.journal
            let access = try await journal.lastingAccess(of: account, $0.caller)
            return Credentials(
                tokens: access.tokens.map { journal.document(of: $0) },
                identities: access.identities.map { IdentityDocument($0) },
                calendars: access.calendars.map { journal.document(of: $0.state) },
                channels: access.channels.map { ChannelDocument($0) }
            )
        } remote: {
            try await $0.client.send(.get("accounts", account.text, "credentials"))
                .read { object throws(ModelError) in
                    Credentials(
                        tokens: try object.documents("tokens"),
                        identities: try object.documents("identities"),
                        calendars: try object.documents("calendars"),
                        channels: try object.documents("channels")
                    )
                }
        }
    }
}

extension JournalOperation where Result == IssuedToken {
    /// Issues a token that is valid until the end of a day in the journal's time zone.
    static func issueToken(to account: UUID, scope: TokenScope, until: Day?, current: String?) -> Self {
        Self {
            let zone = $0.journal.zone
            let issued = try await $0.journal.issueToken(
                to: account,
                scope: scope,
                expires: until.map { $0.end(in: zone) },
                current: current,
                $0.caller
            )
            return IssuedToken(secret: issued.secret, id: issued.id, position: issued.position)
        } remote: {
            let body: JSONValue = .present([
                "scope": .string(scope.description), "current": current.map { .string($0) },
                "expires": until.map { .string($0.description) },
            ])
            return try await $0.client.send($0.once(.post, "accounts", account.text, "tokens", body: body))
                .read { issued throws(ModelError) in
                    IssuedToken(
                        secret: try issued.required("token"),
                        id: try issued.id("id"),
                        position: try issued.number("position")
                    )
                }
        }
    }
}

extension NativeObject {
    fileprivate func documents<Document: APIDocument>(_ name: String) throws(ModelError) -> [Document] {
        var found: [Document] = []
        for object in try objects(name) { found.append(try Document(object)) }
        return found
    }
}

extension Revocation {
    fileprivate var json: JSONValue? {
        switch self {
        case .nothing: nil
        case .everything: ["all"]
        case .these(let ids): .array(ids.map { .string($0.text) })
        }
    }
}

extension JournalOperation where Result == [TokenDocument] {
    static func tokens(of account: UUID) -> Self {
        Self { local in
            try await local.journal.tokens(of: account, local.caller).map { local.journal.document(of: $0) }
        } remote: {
            try await $0.list("tokens", .get("accounts", account.text, "tokens"))
        }
    }
}
