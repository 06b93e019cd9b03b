internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords
internal import PracticeDirectory

extension Journal.Sharing {
    /// Returns the grants of a record, including revoked and expired ones.
    package func grants(
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [Grant] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .audit(.caregivers), on: record)
            let position = try journal.log.position(asOf: moment)
            let grants = try journal.permissions.grants(of: record, asOf: position).sorted
            try await journal.access.trace(caller, admission, Shown(sections: [], asOf: moment == nil ? nil : position))
            return grants
        }
    }

    /// Grants an account or a practice access to parts of a record, or changes the terms of its grant if `replacing`
    /// permits it.
    package func grant(
        _ terms: GrantTerms,
        to account: UUID,
        on record: UUID,
        replacing replaced: GrantReplacement = .any,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeGrants(
            of: record,
            account,
            .grant(account: account, terms: terms),
            replacing: replaced,
            caller
        )
    }

    /// Revokes a grant, effective from the account's next request on.
    package func revoke(
        _ account: UUID,
        on record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeGrants(of: record, account, .revoke(account: account), caller)
    }

    private func changeGrants(
        of record: UUID,
        _ account: UUID,
        _ command: GrantCommand,
        replacing replaced: GrantReplacement = .any,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let action: Action = if case .revoke = command { .revoke } else { .manage }
            _ = try await journal.access.admit(caller, to: action, on: record)
            let grantee = try grantee(account)
            if case .grant = command, grantee == nil {
                throw JournalError(
                    .conflict,
                    field: "account",
                    "access can be granted only to a person, a tool or a practice"
                )
            }
            let stream = try journal.grantStream(of: record)
            let version = try journal.log.version(of: stream)
            let recordVersion = try journal.log.version(of: record)
            let head = try journal.log.head()
            let header = try journal.medicalRecords.header(of: record, asOf: head)
            let grants = try journal.permissions.grants(of: record, asOf: head)
            let events = try decide(
                command,
                grants,
                owners: header?.owners ?? [],
                grantees: grantees(of: grants).merging([account: grantee ?? .person]) { known, _ in known },
                isClosed: header?.isClosed ?? false,
                today: journal.today
            )
            if case .grant(_, let terms) = command, !events.isEmpty {
                try requireReplaceable(grants[account], by: terms, replaced)
            }
            try change.add(events, in: .stream(stream, of: record), expecting: .exact(version))
            // Ensures that no access is granted to a record that is being closed.
            if case .grant = command { change.expect(record, .exact(recordVersion)) }
            return .existing(at: head, record: record, account: account)
        }
    }

    /// Throws if the account has an open grant and `replaced` does not permit replacing it.
    package func requireReplaceable(
        _ grant: Grant?,
        by terms: GrantTerms,
        _ replaced: GrantReplacement,
        options: String = "--replace or --add"
    ) throws(JournalError) {
        let existing = grant.flatMap { $0.isOpen(on: journal.today) ? $0 : nil }
        switch replaced {
        case .any:
            return
        case .given(let position):
            guard existing?.given.position == position else { throw .stale }
        case .none:
            guard let existing else { return }
            throw JournalError(
                .conflict,
                field: "grant",
                """
                the account already has a grant (\(existing.terms.summary)), which would be replaced by \
                (\(terms.summary)); to replace it, give the position of the grant, \(existing.given.position): \
                If-Match over HTTP, \(options) on the command line
                """
            )
        }
    }

    /// Returns those who have a grant, and what they are.
    package func grantees(of grants: GrantsState) throws -> [UUID: Grantee] {
        try grants.grants.keys.reduce(into: [:]) { $0[$1] = try grantee($1) }
    }

    /// Returns what a grant to an id would give access; nil if nothing can be granted to it.
    private func grantee(_ id: UUID) throws -> Grantee? {
        if try journal.practiceDirectory.practices(asOf: journal.log.head()).contains(id) { return .practice }
        let account = try journal.accounts.account(id)
        if account.removed != nil { return nil }
        return switch account.kind {
        case .person: .person
        case .tool: .tool
        case .administrator, .auditor: nil
        }
    }
}

/// The existing grant that a new one may replace.
package enum GrantReplacement: Hashable, Sendable {
    /// None: the request fails if the account already has an open grant on other terms.
    case none
    /// The grant that was given at this position, which the caller has seen.
    case given(at: UInt64)
    /// Any existing grant.
    case any
}
