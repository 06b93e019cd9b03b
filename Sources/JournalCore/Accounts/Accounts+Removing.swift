internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords
internal import PracticeDirectory

extension Journal.Accounts {
    /// Removes an account: ends its credentials, its access to records, its memberships and its calendars, in one append.
    ///
    /// The log and the history of records still say under its name what the account did. No other account ever gets the
    /// name: a grant to that name would otherwise reach another person. Throws `conflict` if the account is that of the
    /// journal's owner, the only owner of a record, or the last manager of a practice.
    package func removeAccount(_ account: UUID, _ caller: Caller) async throws(JournalError) -> WriteResult {
        let result = try await journal.once(caller) {
            if let replica = journal.replica { throw replica.onlineOnly("accounts are removed at the service") }
            try await journal.access.admit(caller, to: action(.remove, ofAccount: account, caller))
            if try journal.access.isOwner(account) {
                throw JournalError(.conflict, field: "account", "the journal always has its owner")
            }
            // Read before the state, so that a change in between is detected.
            let version = try journal.log.version(of: account)
            let state = try self.account(account)
            let calendars = try lastingAccess(of: state).calendars
            return try await changeAccount(account, .remove, caller) { change throws in
                change.expect(account, .exact(version))
                try endAccess(of: account, &change)
                for practice in try journal.practiceDirectory.practices(asOf: journal.log.head()) {
                    try endMembership(of: account, in: practice, &change)
                }
                for calendar in calendars {
                    try journal.sharing.unlinkCalendar(calendar.state.id, of: calendar.subject, &change)
                }
                for identity in state.identities.values {
                    let claimed = identity.identity.claimed
                    try journal.claimOnce(.release(holder: account), on: .identity, claimed, field: "subject", &change)
                }
            }
        }
        // A change that was decided before the removal may have given the account access at the same moment; later ones
        // are refused (see `Change.commit`).
        try await journal.retrying {
            var change = try Change(besides: journal, caller)
            try endAccess(of: account, isRemoved: true, &change)
            for practice in try journal.practiceDirectory.practices(asOf: journal.log.head()) {
                do {
                    try endMembership(of: account, in: practice, &change)
                } catch let error as ModelError where error.code == .conflict {
                    // The practice would be left without a member who manages it: it keeps this one, whose account can
                    // no longer be used.
                }
            }
            _ = try await change.commit()
        }
        return result
    }

    /// Ends an account's access to all records, and withdraws its invitations.
    ///
    /// Throws `conflict` if it is the only owner of a record, unless it is removed already.
    private func endAccess(of account: UUID, isRemoved: Bool = false, _ change: inout Change) throws {
        var isOnlyOwner = false
        for record in try journal.permissions.records(of: account, asOf: journal.log.head()).map(\.record)
        where try journal.erasure.tombstone(of: record) == nil {
            let version = try journal.log.version(of: record)
            let (stream, grantsVersion, grants) = try journal.sharing.currentGrants(of: record)
            let header = try journal.medicalRecords.header(of: record, asOf: journal.log.head())
            if header?.owners == [account] {
                isOnlyOwner = true
                continue
            }
            var events: (record: [JournalEvent], grants: [JournalEvent]) = ([], [])
            if header?.owners.contains(account) == true {
                events = try decide(OwnerCommand.remove(account), header, grants, now: journal.now)
            }
            if let grant = grants[account], grant.revoked == nil {
                events.grants.append(.caregiverRevoked(account: account))
            }
            try change.add(events.grants, in: .stream(stream, of: record))
            try change.add(events.record, in: .own(record))
            for case let withdrawn as InvitationWithdrawn in events.grants.map(\.data) {
                try journal.sharing.releaseCode(of: withdrawn.invitation, grants, record, &change)
            }
            change.expect(stream, .exact(grantsVersion))
            change.expect(record, .exact(version))
        }
        guard isRemoved || !isOnlyOwner else {
            throw JournalError(
                .conflict,
                field: "account",
                "the account is the only owner of a record: add an owner, transfer or erase what it owns first"
            )
        }
    }

    private func endMembership(of account: UUID, in practice: UUID, _ change: inout Change) throws {
        let members = try journal.practiceStates.members(of: practice)
        guard members.state.members[account] != nil else { return }
        let stream = try journal.practiceStates.memberStream(of: practice)
        try change.add(
            decide(MemberCommand.revoke(account: account), members.state),
            in: .stream(stream, of: practice),
            expecting: .exact(members.version)
        )
    }
}
