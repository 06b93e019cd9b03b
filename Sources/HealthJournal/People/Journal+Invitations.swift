internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// An invitation that was made, with the code that is shown this once.
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

extension Journal {
    /// How long an invitation is good for, in days, unless something else is asked for.
    package static let invitationDays = 7

    /// Makes a code by which one person becomes a caregiver of a record.
    package func invite(
        _ terms: GrantTerms,
        to record: UUID,
        days: Int = Journal.invitationDays,
        _ caller: Caller
    ) async throws(JournalError) -> NewInvitation {
        try await retrying {
            _ = try await admit(caller, to: .manage, on: record)
            guard (1...Limits.invitationDays).contains(days) else {
                throw JournalError(.invalid, field: "days", "must lie between 1 and \(Limits.invitationDays)")
            }
            let recordVersion = try log.version(of: record)
            let (stream, version, grants) = try currentGrants(of: record)
            let code = Secret(.invitation, bits: 128)
            let now = now
            let invitation = Invitation(
                id: UUID.timeOrdered(at: log.now()),
                digest: code.digest,
                terms: terms,
                expires: Instant(microseconds: now.microseconds + Int64(days) * 86_400_000_000)
            )
            let isClosed = try records.header(of: record, asOf: log.head())?.isClosed ?? false
            var change = try Change(self, caller)
            for event in try decide(.invite(invitation), grants, isClosed: isClosed, now: now, today: today) {
                try change.add(event, stream: stream, subject: record, expecting: .exact(version))
            }
            change.expect(record, .exact(recordVersion))
            // Held like any value that stands once: so the code leads to its record, and to it alone.
            try claimOnce(.claim(holder: record), on: .invitation, code.digest.hex, field: "code", &change)
            guard let result = try await change.commit() else {
                throw JournalError(.failed, "there is nothing to append")
            }
            return NewInvitation(
                code: code.text,
                id: invitation.id,
                expires: invitation.expires,
                position: result.first
            )
        }
    }

    /// Uses a code up: the caller becomes a caregiver, on the terms of the invitation.
    ///
    /// Whatever keeps a code from working, the answer is the same.
    package func acceptInvitation(_ code: String, _ caller: Caller) async throws(JournalError) -> WriteResult {
        var result = try await once(caller) {
            guard caller.kind == .person else {
                throw try await refusal(of: caller, .invitation, because: "only a person can be a caregiver")
            }
            try await requireScope(caller, to: .invitation)
            let digest = Secret.digest(of: code)
            guard let record = try holder(ofCode: digest) else {
                throw try await failedInvitation(caller)
            }
            let recordVersion = try log.version(of: record)
            let (stream, version, grants) = try currentGrants(of: record)
            let header = try records.header(of: record, asOf: log.head())
            var change = try Change(self, caller)
            let events: [JournalEvent]
            do throws(ModelError) {
                events = try decide(
                    .accept(digest: digest, by: caller.account),
                    grants,
                    owners: header?.owners ?? [],
                    isClosed: header?.isClosed ?? true,
                    now: now,
                    today: today
                )
            } catch {
                guard error == .noInvitation else { throw error }
                throw try await failedInvitation(caller)
            }
            for event in events {
                try change.add(event, stream: stream, subject: record, expecting: .exact(version))
            }
            change.expect(record, .exact(recordVersion))
            try claimOnce(.release(holder: record), on: .invitation, digest.hex, field: "code", &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, record: record)
        }
        result.account = caller.account
        return result
    }

    /// Makes a code of no use.
    package func withdrawInvitation(
        _ id: UUID,
        of record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: .manage, on: record)
            let (stream, version, grants) = try currentGrants(of: record)
            var change = try Change(self, caller)
            for event in try decide(.withdraw(id), grants, now: now, today: today) {
                try change.add(event, stream: stream, subject: record, expecting: .exact(version))
            }
            if !change.isEmpty { try releaseCode(of: id, grants, record, &change) }
            let result = try await change.commit()
            return WriteResult(position: try result?.last ?? log.head(), record: record, isChanged: result != nil)
        }
    }

    /// The invitations to a record, the used and the expired ones among them, in the order in which they were made.
    package func invitations(to record: UUID, _ caller: Caller) async throws(JournalError) -> [InvitationState] {
        try await retrying {
            let admission = try await admit(caller, to: .audit(.caregivers), on: record)
            let made = try currentGrants(of: record).state.invitations.values
                .sorted {
                    $0.made.position < $1.made.position
                }
            try await trace(caller, admission, Shown(sections: []))
            return made
        }
    }

    /// Gives up the claim of an invitation's code.
    func releaseCode(of id: UUID, _ grants: GrantsState, _ record: UUID, _ change: inout Change) throws {
        guard let digest = grants.invitations[id]?.invitation.digest else { return }
        try claimOnce(.release(holder: record), on: .invitation, digest.hex, field: "code", &change)
    }

    private func holder(ofCode digest: [UInt8]) throws -> UUID? {
        var claim = ClaimState()
        for event in try log.recordedEvents(of: self.claim(.invitation, digest.hex)) { evolve(&claim, event) }
        // Nobody is let in to what was erased.
        return try claim.holder.flatMap { try tombstone(of: $0) == nil ? $0 : nil }
    }

    private func failedInvitation(_ caller: Caller) async throws -> JournalError {
        let error = ModelError.noInvitation
        _ = try await refusal(of: caller, .invitation, because: error.message)
        return JournalError(error)
    }
}

extension [UInt8] {
    /// In hex digits.
    fileprivate var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
