internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A new invitation, with the code that is shown only once.
package struct NewInvitation: Hashable, Sendable {
    package let code: String
    package let id: UUID
    package let expires: Instant
    package let position: UInt64

    package init(code: String, id: UUID, expires: Instant, position: UInt64) {
        self.code = code
        self.id = id
        self.expires = expires
        self.position = position
    }
}

extension Journal.Sharing {
    /// The default lifetime of an invitation, in days.
    package static let invitationDays = 7

    /// Creates an invitation code with which one person becomes a caregiver of a record.
    package func invite(
        _ terms: GrantTerms,
        to record: UUID,
        days: Int = Self.invitationDays,
        _ caller: Caller
    ) async throws(JournalError) -> NewInvitation {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            guard (1...Limits.invitationDays).contains(days) else {
                throw JournalError(.invalid, field: "days", "must be between 1 and \(Limits.invitationDays)")
            }
            let recordVersion = try journal.log.version(of: record)
            let (stream, version, grants) = try currentGrants(of: record)
            let code = journal.accounts.secret(.invitation, bits: 128, for: caller)
            if let given = try journal.eventGiven(to: caller), let invited = given.event.data as? CaregiverInvited {
                let invitation = invited.invitation
                try journal.accounts.requireRepeatable(code, digest: invitation.digest, given: given.stamp)
                return NewInvitation(
                    code: code.text,
                    id: invitation.id,
                    expires: invitation.expires,
                    position: given.stamp.position
                )
            }
            let now = journal.now
            let invitation = Invitation(
                id: UUID.timeOrdered(at: journal.log.now()),
                digest: code.digest,
                terms: terms,
                expires: Instant(microseconds: now.microseconds + Int64(days) * 86_400_000_000)
            )
            let isClosed = try journal.medicalRecords.header(of: record, asOf: journal.log.head())?.isClosed ?? false
            var change = try Change(journal, caller)
            try change.add(
                decide(.invite(invitation), grants, isClosed: isClosed, now: now, today: journal.today),
                in: .stream(stream, of: record),
                expecting: .exact(version)
            )
            change.expect(record, .exact(recordVersion))
            // The digest is claimed like any unique value, so that a code leads to exactly one record.
            try journal.claimOnce(.claim(holder: record), on: .invitation, code.digest.hex, field: "code", &change)
            let written = try await change.commit(answering: .created(record: record))
            return NewInvitation(
                code: code.text,
                id: invitation.id,
                expires: invitation.expires,
                position: written.version
            )
        }
    }

    /// Accepts an invitation: the caller becomes a caregiver on its terms, and the code is used up.
    ///
    /// A grant that the caller already has is replaced only if `replacing` permits it; otherwise the code stays unused.
    /// The error is the same, whatever the reason why a code does not work.
    package func acceptInvitation(
        _ code: String,
        replacing replaced: GrantReplacement = .none,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        var result = try await journal.changing(caller) { change in
            let digest = Secret.digest(of: code)
            let record = try await record(ofCode: digest, caller)
            let recordVersion = try journal.log.version(of: record)
            let (stream, version, grants) = try currentGrants(of: record)
            let header = try journal.medicalRecords.header(of: record, asOf: journal.log.head())
            let grantees = try grantees(of: grants)
            let events: [JournalEvent]
            do throws(ModelError) {
                events = try decide(
                    .accept(digest: digest, by: caller.account),
                    grants,
                    owners: header?.owners ?? [],
                    grantees: grantees,
                    isClosed: header?.isClosed ?? true,
                    now: journal.now,
                    today: journal.today
                )
            } catch {
                guard error == .noInvitation else { throw error }
                throw try await failedInvitation(caller)
            }
            for case let granted as CaregiverGranted in events.map(\.data) {
                try requireReplaceable(grants[caller.account], by: granted.terms, replaced, options: "--replace")
            }
            try change.add(events, in: .stream(stream, of: record), expecting: .exact(version))
            change.expect(record, .exact(recordVersion))
            try journal.claimOnce(.release(holder: record), on: .invitation, digest.hex, field: "code", &change)
            return .created(record: record)
        }
        result.account = caller.account
        return result
    }

    /// Withdraws an invitation, so that its code no longer works.
    package func withdrawInvitation(
        _ id: UUID,
        of record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .revoke, on: record)
            let (stream, version, grants) = try currentGrants(of: record)
            try change.add(
                decide(.withdraw(id), grants, now: journal.now, today: journal.today),
                in: .stream(stream, of: record),
                expecting: .exact(version)
            )
            if !change.isEmpty { try releaseCode(of: id, grants, record, &change) }
            return .existing(at: try journal.log.head(), record: record)
        }
    }

    /// Returns the invitations to a record, including used and expired ones, in the order in which they were created.
    package func invitations(to record: UUID, _ caller: Caller) async throws(JournalError) -> [InvitationState] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .audit(.caregivers), on: record)
            let made = try currentGrants(of: record).state.invitations.values
                .sorted {
                    $0.made.position < $1.made.position
                }
            try await journal.access.trace(caller, admission, Shown(sections: []))
            return made
        }
    }

    /// Releases the claim on an invitation's code.
    func releaseCode(of id: UUID, _ grants: GrantsState, _ record: UUID, _ change: inout Change) throws {
        guard let digest = grants.invitations[id]?.invitation.digest else { return }
        try journal.claimOnce(.release(holder: record), on: .invitation, digest.hex, field: "code", &change)
    }

    /// Returns the terms of an invitation, and the grant of the caller that accepting it would replace.
    ///
    /// Does not use the code up.
    package func previewInvitation(
        _ code: String,
        _ caller: Caller
    ) async throws(JournalError) -> InvitationPreview {
        try await journal.retrying {
            let digest = Secret.digest(of: code)
            let record = try await record(ofCode: digest, caller)
            let grants = try currentGrants(of: record).state
            guard let found = grants.invitations.values.first(where: { $0.invitation.digest == digest }),
                found.isOpen(at: journal.now)
            else { throw try await failedInvitation(caller) }
            return InvitationPreview(
                record: record,
                terms: found.invitation.terms,
                replaced: grants[caller.account].flatMap { $0.isOpen(on: journal.today) ? $0 : nil }
            )
        }
    }

    /// Returns the record that a code belongs to; refuses unknown codes, and callers who may not use one.
    private func record(ofCode digest: [UInt8], _ caller: Caller) async throws -> UUID {
        try await journal.access.admit(caller, to: .acceptInvitation)
        guard let record = try holder(ofCode: digest) else { throw try await failedInvitation(caller) }
        return record
    }

    private func holder(ofCode digest: [UInt8]) throws -> UUID? {
        var claim = ClaimState()
        for event in try journal.log.recordedEvents(of: journal.claim(.invitation, digest.hex)) {
            evolve(&claim, event)
        }
        // A code of an erased record gives no access.
        return try claim.holder.flatMap { try journal.erasure.tombstone(of: $0) == nil ? $0 : nil }
    }

    private func failedInvitation(_ caller: Caller) async throws -> JournalError {
        let error = ModelError.noInvitation
        _ = try await journal.access.refusal(of: caller, .invitation, reason: error.text)
        return JournalError(error)
    }
}

extension [UInt8] {
    /// The bytes as hex digits.
    package var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// What accepting an invitation would do for the account that holds its code.
package struct InvitationPreview: Hashable, Sendable {
    package let record: UUID
    /// The terms that the invitation grants.
    package let terms: GrantTerms
    /// The account's own grant on the record, which accepting replaces; nil if it has no open grant.
    package let replaced: Grant?

    package init(record: UUID, terms: GrantTerms, replaced: Grant?) {
        self.record = record
        self.terms = terms
        self.replaced = replaced
    }
}
