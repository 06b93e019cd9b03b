internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A notice that an account, or a practice by the microchip number, opened the emergency view of one of the caller's own
/// records, or of one that the caller's practice keeps.
package struct Notice: Hashable, Sendable {
    package let record: UUID
    package let displayName: String
    package let emergency: Emergency

    package init(record: UUID, displayName: String, emergency: Emergency) {
        self.record = record
        self.displayName = displayName
        self.emergency = emergency
    }

    /// The position by which the notice is acknowledged.
    package var position: UInt64 { emergency.opened.position }
}

/// An open emergency view of a record.
package struct OpenedEmergency: Hashable, Sendable {
    package let position: UInt64
    package let record: UUID
    package let expires: Instant

    package init(position: UInt64, record: UUID, expires: Instant) {
        self.position = position
        self.record = record
        self.expires = expires
    }
}

extension Journal.Sharing {
    /// The default time for which an emergency view stays open, in hours.
    package static let emergencyHours = 4

    /// Opens the emergency view of a record to a caregiver, whatever sections the grant covers.
    ///
    /// The caller's reason is recorded. The record's owner sees the event among the notices.
    package func openEmergency(
        _ record: UUID,
        hours: Int = Self.emergencyHours,
        _ caller: Caller
    ) async throws(JournalError) -> OpenedEmergency {
        let result = try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .emergency, on: record)
            guard admission.right != .owner else {
                throw JournalError(.conflict, "an owner already has access to the whole record")
            }
            let (grantStream, version, grants) = try currentGrants(of: record)
            let command = EmergencyCommand.open(account: caller.account, hours: hours, reason: caller.reason)
            try change.add(
                decide(command, grants, now: journal.now, today: journal.today),
                in: .stream(journal.accessStream(of: record), of: record)
            )
            // Ensures that a grant that is being revoked opens nothing.
            change.expect(grantStream, .exact(version))
            return .created(record: record)
        }
        return try await opened(result)
    }

    /// Opens the emergency view of an animal to a practice that has read the number of its microchip.
    ///
    /// The caller is a veterinarian or a nurse of the practice. The reason is recorded, and the owners of the record see the
    /// event among the notices. An owner permits it (`RecordProfile.isOpenToEmergencies`), because everybody can create a
    /// practice. If no owner does, the answer is the same as for an unknown number, and the attempt is recorded. How often an
    /// account may try is limited as its refusals are.
    package func openEmergency(
        chip number: String,
        in practice: UUID,
        hours: Int = Self.emergencyHours,
        _ caller: Caller
    ) async throws(JournalError) -> OpenedEmergency {
        let result = try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .openEmergency, in: practice)
            if let wait = journal.refusals.spend(caller.account, now: journal.log.now()) {
                throw JournalError(.busy, "too many microchip numbers were tried; try again later", retryAfter: wait)
            }
            let command = EmergencyCommand.openByChip(practice: practice, hours: hours, reason: caller.reason)
            let events = try decide(command, GrantsState(), now: journal.now, today: journal.today)
            let record = try journal.holder(ofMicrochip: number)
            // The version is read before the header, so that an owner who forbids it in the meantime is heard.
            guard let record, case let version = try journal.log.version(of: record),
                let header = try journal.records.headerUnlessErased(record, asOf: journal.log.head()),
                header.profile.values.flag(RecordProfile.isOpenToEmergencies) == true
            else {
                let why: Message = "the emergency view is not opened by this microchip number"
                _ = try await journal.access.refusal(of: caller, .emergency, on: record, reason: why)
                throw JournalError(
                    .notFound,
                    field: "chip",
                    "no animal of this journal has this microchip number, or its owner does not permit this view"
                )
            }
            try change.add(events, in: .stream(journal.accessStream(of: record), of: record))
            change.expect(record, .exact(version))
            return .created(record: record)
        }
        return try await opened(result)
    }

    private func opened(_ result: WriteResult) async throws(JournalError) -> OpenedEmergency {
        try await journal.retrying {
            guard let record = result.record,
                let opened = try journal.permissions.emergencies(of: record, asOf: result.position).last,
                opened.opened.position == result.position
            else { throw JournalError(.failed, "the emergency view was opened, but its event cannot be found") }
            return OpenedEmergency(position: result.position, record: record, expires: opened.expires)
        }
    }

    /// Returns each opening of the emergency view of a record that the caller owns, or that is kept by a practice in which
    /// the caller is a manager or a veterinarian; newest first.
    ///
    /// What the practice that keeps the record opened itself is no notice.
    package func notices(_ caller: Caller) async throws(JournalError) -> [Notice] {
        try await journal.retrying {
            let head = try journal.log.head()
            var notices: [Notice] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            func add(_ record: UUID, besides keeper: UUID?, _ admit: () throws -> Admission?) throws {
                let emergencies = try journal.permissions.emergencies(of: record, asOf: head)
                    .filter { $0.account != keeper }
                guard !emergencies.isEmpty, let admission = try admit(),
                    let header = try journal.records.headerUnlessErased(record, asOf: head)
                else { return }
                notices += emergencies.map {
                    Notice(record: record, displayName: header.displayName, emergency: $0)
                }
                reads.append((admission, Shown(sections: [])))
            }
            let owned = try journal.permissions.records(of: caller.account, asOf: head).filter(\.permission.isOwner)
            for own in owned {
                try add(own.record, besides: nil) {
                    try? Gate.admit(
                        .audit(.access),
                        on: own.record,
                        by: caller,
                        permission: own.permission,
                        now: journal.now,
                        today: journal.today
                    )
                    .get()
                }
            }
            for membership in try journal.access.memberships(of: caller)
            where !membership.roles.isDisjoint(with: [.manager, .veterinarian]) {
                for kept in try journal.permissions.records(of: membership.practice, asOf: head)
                where kept.permission.isOwner && !owned.contains(where: { $0.record == kept.record }) {
                    try add(kept.record, besides: membership.practice) {
                        try keeperAdmission(of: caller, as: membership, to: .audit(.access), on: kept.record)
                    }
                }
            }
            try await journal.access.trace(caller, reads)
            return notices.sorted { $0.position > $1.position }
        }
    }

    /// Whether a caller gets the notices of a record as a member of the practice that keeps it.
    private func isNotified(_ caller: Caller, of record: UUID) throws -> Bool {
        try journal.access.memberships(of: caller)
            .contains { try keeperAdmission(of: caller, as: $0, to: .audit(.access), on: record) != nil }
    }

    /// Authorizes an action on a record by the practice that keeps it; nil if it does not, or if it is not permitted.
    private func keeperAdmission(
        of caller: Caller,
        as membership: ActiveMembership,
        to action: Action,
        on record: UUID
    ) throws -> Admission? {
        guard case .found(let access) = try journal.access.recordAccess(of: membership.practice, to: record),
            access.permission.isOwner
        else { return nil }
        return try? Gate.admit(action, by: caller, as: membership, access).get()
    }

    /// Records that an owner, or the practice that keeps the record, has acknowledged an emergency.
    package func acknowledgeNotice(_ position: UInt64, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let missing = JournalError(.notFound, field: "notice", "there is no such notice")
            let head = try journal.log.head()
            guard position > 0, position <= head else { throw missing }
            let header = try journal.log.event(at: position).header
            guard header.type == EmergencyOpened.type.rawValue,
                // Other callers get the same error as for a missing notice: they must not learn who opened what.
                case let record = header.subject,
                case let isOwner = try journal.permissions.permission(of: caller.account, on: record, asOf: head)
                    .isOwner,
                try isOwner || isNotified(caller, of: record)
            else { throw missing }
            // Who works for the practice that keeps the record may manage nothing else of it.
            _ = try await journal.access.admit(caller, to: isOwner ? .manage : .editProfile, on: record)
            let stream = try journal.accessStream(of: record)
            var state = GrantsState()
            state.emergencies = try journal.permissions.emergencies(of: record, asOf: head)
            // Concurrent acknowledgements append two events; the first one counts.
            try change.add(
                decide(.acknowledge(position), state, now: journal.now, today: journal.today),
                in: .stream(stream, of: record)
            )
            return .existing(
                at: state.emergencies.first { $0.opened.position == position }?.acknowledged?.position ?? head,
                record: record
            )
        }
    }
}
