import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

// Caregivers and owners
extension RemoteJournal {
    func grant(
        _ terms: GrantTerms,
        to account: UUID,
        on record: UUID,
        replacing position: UInt64?
    ) async throws -> WriteResult {
        let body = NativeGrant.write(terms)
        var request = ServiceRequest.write(
            .put,
            "records",
            record.text,
            "caregivers",
            account.text,
            query: reasonQuery,
            body: body
        )
        request.expecting = position
        return try await write(request)
    }

    func revoke(_ account: UUID, on record: UUID) async throws -> WriteResult {
        try await write(.write(.delete, "records", record.text, "caregivers", account.text, query: reasonQuery))
    }

    func grants(of record: UUID, asOf: AsOf?) async throws -> [Grant] {
        try await list("caregivers", .get("records", record.text, "caregivers", query: [("asOf", asOf?.parameter)])) {
            item throws(ModelError) in
            let grant = try NativeGrant.decode(item)
            cacheName(try item.text("name"), of: grant.account)
            cacheName(try item.text("grantedByName"), of: grant.givenBy)
            return grant
        }
    }

    func invite(_ terms: GrantTerms, to record: UUID, days: Int) async throws -> NewInvitation {
        guard case .object(let members) = NativeGrant.write(terms) else {
            throw JournalError(.failed, "the terms could not be written")
        }
        let body = JSONValue.object(members + [.init("days", .integer(days))])
        // The service returns the code only once: the answer to a repeated request would not contain it.
        return try await client.send(once(.post, ["records", record.text, "invitations"], body))
            .read { made throws(ModelError) in
                NewInvitation(
                    code: try made.required("code"),
                    id: try made.id("id"),
                    expires: try made.instant("expires"),
                    position: try made.number("position")
                )
            }
    }

    func previewInvitation(_ code: String) async throws -> InvitationPreview {
        try await client.send(.write(.post, "invitations", "preview", body: ["code": .string(code)]))
            .read { preview throws(ModelError) in
                let (record, terms, replaced) = try NativeInvitationPreview.read(preview)
                return InvitationPreview(record: record, terms: terms, replaced: replaced)
            }
    }

    func acceptInvitation(_ code: String, replacing position: UInt64?) async throws -> WriteResult {
        var request = ServiceRequest.write(
            .post,
            "invitations",
            "accept",
            query: reasonQuery,
            body: ["code": .string(code)]
        )
        request.expecting = position
        return try await write(request)
    }

    func withdrawInvitation(_ invitation: UUID, of record: UUID) async throws -> WriteResult {
        try await write(.write(.delete, "records", record.text, "invitations", invitation.text, query: reasonQuery))
    }

    func invitations(to record: UUID) async throws -> [InvitationState] {
        try await list("invitations", .get("records", record.text, "invitations"), NativeInvitation.decode)
    }

    func openEmergency(_ record: UUID, hours: Int) async throws -> OpenedEmergency {
        let body: JSONValue = ["reason": .string(reason ?? ""), "hours": .integer(hours)]
        return try await client.send(.write(.post, "records", record.text, "emergency-access", body: body))
            .read { opened throws(ModelError) in
                OpenedEmergency(
                    position: try opened.number("position"),
                    record: try opened.id("record"),
                    expires: try opened.instant("expires")
                )
            }
    }

    func notices() async throws -> [Notice] {
        try await list("notices", .get("notices")) { item throws(ModelError) in
            var opened = try item.stamp("openedAt", by: "account")
            opened.position = try item.number("position")
            var emergency = Emergency(
                account: try item.id("account"),
                expires: try item.instant("expires"),
                opened: opened,
                reason: try item.required("reason")
            )
            emergency.acknowledged = try item.optionalStamp("acknowledgedAt", by: "acknowledgedBy")
            cacheName(try item.text("name"), of: emergency.account)
            return Notice(
                record: try item.id("record"),
                displayName: try item.required("displayName"),
                emergency: emergency
            )
        }
    }

    func acknowledgeNotice(_ position: UInt64) async throws -> WriteResult {
        try await write(.write(.post, "notices", String(position), "acknowledge", query: reasonQuery))
    }

    func addOwner(_ account: UUID, to record: UUID) async throws -> WriteResult {
        try await write(.write(.put, "records", record.text, "owners", account.text, query: reasonQuery))
    }

    func removeOwner(_ account: UUID, from record: UUID) async throws -> WriteResult {
        try await write(.write(.delete, "records", record.text, "owners", account.text, query: reasonQuery))
    }

    func owners(of record: UUID, asOf: AsOf?) async throws -> [UUID] {
        try await list("owners", .get("records", record.text, "owners", query: [("asOf", asOf?.parameter)])) {
            item throws(ModelError) in
            let account = try item.id("account")
            cacheName(try item.text("name"), of: account)
            return account
        }
    }

    func transfer(_ record: UUID, to account: UUID) async throws -> WriteResult {
        let body: JSONValue = ["to": .string(account.text)]
        return try await write(.write(.post, "records", record.text, "transfer", query: reasonQuery, body: body))
    }
}

// Accounts
extension RemoteJournal {
    func addAccount(_ profile: AccountProfile) async throws -> WriteResult {
        let body: JSONValue = [
            "name": .string(profile.name), "email": .string(profile.email), "kind": .string(profile.kind.name),
        ]
        return try await write(.write(.post, "accounts", query: reasonQuery, body: body))
    }

    func accounts() async throws -> [AccountState] {
        var accounts = try await listAccounts()
        for index in accounts.indices {
            let tokens = try await list("tokens", .get("accounts", accounts[index].id.text, "tokens")) {
                item throws(ModelError) in try TokenState(decoding: item)
            }
            for (order, token) in tokens.enumerated() {
                var token = token
                // The service lists tokens in the order of issue, but without their positions in the log.
                token.issued.position = UInt64(order)
                accounts[index].tokens[token.id] = token
            }
        }
        return accounts
    }

    /// Returns the accounts without their tokens.
    func listAccounts() async throws -> [AccountState] {
        try await list("accounts", .get("accounts")) { item throws(ModelError) in
            let account = AccountState(
                id: try item.id("id"),
                profile: AccountProfile(
                    name: try item.required("name"),
                    email: try item.text("email") ?? "",
                    kind: try AccountKind(named: item.required("kind"))
                ),
                added: try item.stamp("addedAt")
            )
            cacheName(account.name, of: account.id)
            return account
        }
    }

    func setPassword(
        of account: UUID,
        to password: String,
        current: String?,
        revoking: Revocation
    ) async throws -> WriteResult {
        var members: [JSONValue.Member] = [.init("password", .string(password))]
        if let current { members.append(.init("current", .string(current))) }
        switch revoking {
        case .nothing: break
        case .everything: members.append(.init("revoke", ["all"]))
        case .these(let ids): members.append(.init("revoke", .array(ids.map { .string($0.text) })))
        }
        return try await write(once(.put, ["accounts", account.text, "password"], .object(members)))
    }

    func credentials(of account: UUID) async throws -> (tokens: [TokenState], identities: [IdentityState]) {
        let now = now
        let tokens = try await list("tokens", .get("accounts", account.text, "tokens")) { item throws(ModelError) in
            try TokenState(decoding: item)
        }
        return (tokens.filter { $0.isValid(at: now) }, try await identities(of: account))
    }

    func issueToken(to account: UUID, scope: TokenScope, until: Day?, current: String?) async throws -> IssuedToken {
        var members: [JSONValue.Member] = [.init("scope", .string(scope.description))]
        if let current { members.append(.init("current", .string(current))) }
        if let until { members.append(.init("expires", .string(until.description))) }
        return try await client.send(once(.post, ["accounts", account.text, "tokens"], .object(members)))
            .read { issued throws(ModelError) in
                IssuedToken(
                    secret: try issued.required("token"),
                    id: try issued.id("id"),
                    position: try issued.number("position")
                )
            }
    }

    func revokeToken(_ token: UUID, of account: UUID) async throws -> WriteResult {
        try await write(.write(.delete, "accounts", account.text, "tokens", token.text, query: reasonQuery))
    }

    func identities(of account: UUID) async throws -> [IdentityState] {
        try await list("identities", .get("accounts", account.text, "identities")) {
            item throws(ModelError) in try IdentityState(decoding: item)
        }
    }

    func linkIdentity(
        issuer: String,
        subject: String,
        to account: UUID,
        current: String?
    ) async throws -> WriteResult {
        var members: [JSONValue.Member] = [.init("issuer", .string(issuer)), .init("subject", .string(subject))]
        if let current { members.append(.init("current", .string(current))) }
        return try await write(
            .write(.post, "accounts", account.text, "identities", query: reasonQuery, body: .object(members))
        )
    }

    func unlinkIdentity(_ identity: UUID, of account: UUID) async throws -> WriteResult {
        try await write(.write(.delete, "accounts", account.text, "identities", identity.text, query: reasonQuery))
    }
}

extension RemoteJournal {
    /// Creates a request whose answer contains a secret, and which therefore must not be sent twice.
    private func once(_ method: ServiceRequest.Method, _ path: [String], _ body: JSONValue) -> ServiceRequest {
        var request = ServiceRequest(method: method, path: path, body: .json(body))
        if let reason { request.query = [("reason", reason)] }
        return request
    }

    /// Returns a list that the service sends without paging.
    private func list<Item>(
        _ name: String,
        _ request: ServiceRequest,
        _ read: (NativeObject) throws(ModelError) -> Item
    ) async throws -> [Item] {
        try await client.send(request)
            .read { document throws(ModelError) in
                var items: [Item] = []
                for item in try document.objects(name) { items.append(try read(item)) }
                return items
            }
    }
}

extension TokenState {
    fileprivate init(decoding item: NativeObject) throws(ModelError) {
        let token = Token(
            id: try item.id("id"),
            scope: try TokenScope(parsing: item.required("scope")),
            expires: try item.optionalInstant("expires"),
            digest: []
        )
        self.init(token: token, issued: try item.stamp("issuedAt"), revoked: try item.optionalStamp("revokedAt"))
    }
}

extension IdentityState {
    fileprivate init(decoding item: NativeObject) throws(ModelError) {
        let identity = AccountIdentity(
            id: try item.id("id"),
            issuer: try item.required("issuer"),
            subject: try item.required("subject")
        )
        self.init(identity: identity, linked: try item.stamp("linkedAt"))
    }
}
