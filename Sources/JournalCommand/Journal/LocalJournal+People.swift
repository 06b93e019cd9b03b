import FoundationEssentials
import HealthJournal
import HealthModel

// Caregivers and owners
extension LocalJournal {
    func grant(
        _ terms: GrantTerms,
        to account: UUID,
        on record: UUID,
        replacing position: UInt64?
    ) async throws -> WriteResult {
        let replaced = position.map { GrantReplacement.given(at: $0) } ?? .none
        return try await journal.grant(terms, to: account, on: record, replacing: replaced, caller)
    }

    func revoke(_ account: UUID, on record: UUID) async throws -> WriteResult {
        try await journal.revoke(account, on: record, caller)
    }

    func grants(of record: UUID, asOf: AsOf?) async throws -> [Grant] {
        try await journal.grants(of: record, asOf: asOf, caller)
    }

    func invite(_ terms: GrantTerms, to record: UUID, days: Int) async throws -> NewInvitation {
        try await journal.invite(terms, to: record, days: days, caller)
    }

    func previewInvitation(_ code: String) async throws -> InvitationPreview {
        try await journal.previewInvitation(code, caller)
    }

    func acceptInvitation(_ code: String, replacing position: UInt64?) async throws -> WriteResult {
        let replaced = position.map { GrantReplacement.given(at: $0) } ?? .none
        return try await journal.acceptInvitation(code, replacing: replaced, caller)
    }

    func withdrawInvitation(_ invitation: UUID, of record: UUID) async throws -> WriteResult {
        try await journal.withdrawInvitation(invitation, of: record, caller)
    }

    func invitations(to record: UUID) async throws -> [InvitationState] {
        try await journal.invitations(to: record, caller)
    }

    func openEmergency(_ record: UUID, hours: Int) async throws -> OpenedEmergency {
        try await journal.openEmergency(record, hours: hours, caller)
    }

    func notices() async throws -> [Notice] { try await journal.notices(caller) }

    func acknowledgeNotice(_ position: UInt64) async throws -> WriteResult {
        try await journal.acknowledgeNotice(position, caller)
    }

    func addOwner(_ account: UUID, to record: UUID) async throws -> WriteResult {
        try await journal.addOwner(account, to: record, caller)
    }

    func removeOwner(_ account: UUID, from record: UUID) async throws -> WriteResult {
        try await journal.removeOwner(account, from: record, caller)
    }

    func owners(of record: UUID, asOf: AsOf?) async throws -> [UUID] {
        try await journal.owners(of: record, asOf: asOf, caller)
    }

    func transfer(_ record: UUID, to account: UUID) async throws -> WriteResult {
        try await journal.transfer(record, to: account, caller)
    }
}

// Accounts
extension LocalJournal {
    func addAccount(_ profile: AccountProfile) async throws -> WriteResult {
        try await journal.addAccount(profile, caller)
    }

    func accounts() async throws -> [AccountState] { try await journal.accounts(caller) }

    func setPassword(
        of account: UUID,
        to password: String,
        current: String?,
        revoking: Revocation
    ) async throws -> WriteResult {
        try await journal.setPassword(of: account, to: password, current: current, revoking: revoking, caller)
    }

    func credentials(of account: UUID) async throws -> (tokens: [TokenState], identities: [IdentityState]) {
        try await journal.credentials(of: account, caller)
    }

    func issueToken(to account: UUID, scope: TokenScope, until: Day?, current: String?) async throws -> IssuedToken {
        let issued = try await journal.issueToken(
            to: account,
            scope: scope,
            expires: until.map { $0.end(in: journal.zone) },
            current: current,
            caller
        )
        return IssuedToken(secret: issued.secret, id: issued.id, position: issued.position)
    }

    func revokeToken(_ token: UUID, of account: UUID) async throws -> WriteResult {
        try await journal.revokeToken(token, of: account, caller)
    }

    func identities(of account: UUID) async throws -> [IdentityState] {
        try await journal.identities(of: account, caller)
    }

    func linkIdentity(
        issuer: String,
        subject: String,
        to account: UUID,
        current: String?
    ) async throws -> WriteResult {
        try await journal.linkIdentity(issuer: issuer, subject: subject, to: account, current: current, caller)
    }

    func unlinkIdentity(_ identity: UUID, of account: UUID) async throws -> WriteResult {
        try await journal.unlinkIdentity(identity, of: account, caller)
    }
}
