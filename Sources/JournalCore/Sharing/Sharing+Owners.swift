internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Sharing {
    /// Makes a person an additional owner of a record.
    package func addOwner(
        _ account: UUID,
        to record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeOwners(of: record, account, .add(account), caller)
    }

    /// Removes an owner of a record: the caller or another one, but never the last one.
    package func removeOwner(
        _ account: UUID,
        from record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeOwners(of: record, account, .remove(account), caller)
    }

    /// Transfers a record: its new owner becomes the only one, and all other access to it ends.
    package func transfer(
        _ record: UUID,
        to account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeOwners(of: record, account, .transfer(to: account), caller)
    }

    /// Returns the owners of a record, now or as of a moment, in the order in which they became owners.
    package func owners(
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .audit(.caregivers), on: record)
            let position = try journal.log.position(asOf: moment)
            guard let header = try journal.medicalRecords.header(of: record, asOf: position) else {
                throw JournalError(.notFound, "the record did not exist at that time")
            }
            try await journal.access.trace(caller, admission, Shown(sections: [], asOf: moment == nil ? nil : position))
            return header.owners
        }
    }

    private func changeOwners(
        of record: UUID,
        _ account: UUID,
        _ command: OwnerCommand,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        var result = try await journal.changing(caller) { change in
            let action: Action =
                switch command {
                case .add: .manage
                case .remove: .revoke
                case .transfer: .transfer
                }
            let admission = try await journal.access.admit(caller, to: action, on: record)
            if case .remove = command {} else { try requirePerson(account, "only a person can own a record") }
            let recordVersion = try journal.log.version(of: record)
            let (stream, grantsVersion, grants) = try currentGrants(of: record)
            let head = try journal.log.head()
            var events = try decide(
                command,
                journal.medicalRecords.header(of: record, asOf: head),
                grants,
                now: journal.now
            )
            if case .practice(let practice) = admission.right, !events.record.isEmpty {
                let members = try journal.practiceStates.members(of: practice)
                guard members.state.members[account] == nil else {
                    throw JournalError(
                        .conflict,
                        field: "account",
                        "a member of the practice cannot take over a record that the practice keeps"
                    )
                }
                change.expect(try journal.practiceStates.memberStream(of: practice), .exact(members.version))
                // A practice that hands the record over goes on treating the animal, until the owner ends that.
                events.grants.append(.caregiverGranted(account: practice, terms: .ofPractice))
            }
            // Changes of grants come before the change of owners.
            try change.add(events.grants, in: .stream(stream, of: record))
            try change.add(events.record, in: .own(record))
            for case let withdrawn as InvitationWithdrawn in events.grants.map(\.data) {
                try releaseCode(of: withdrawn.invitation, grants, record, &change)
            }
            // Ensures that no one is granted access or invited while the owners change.
            change.expect(stream, .exact(grantsVersion))
            change.expect(record, .exact(recordVersion))
            return .existing(at: head, record: record, account: account)
        }
        result.account = account
        return result
    }

    func requirePerson(_ account: UUID, _ otherwise: Message) throws {
        guard try journal.accounts.usableAccount(account).kind == .person else {
            throw JournalError(.conflict, field: "account", otherwise)
        }
    }

    /// Returns the grants and invitations of a record from their own stream, with the version to expect when changing
    /// them.
    func currentGrants(of record: UUID) throws -> (stream: UUID, version: UInt64, state: GrantsState) {
        let stream = try journal.grantStream(of: record)
        var state = GrantsState()
        let events = try journal.log.recordedEvents(of: stream)
        for event in events { evolve(&state, event) }
        return (stream, UInt64(events.count), state)
    }
}
