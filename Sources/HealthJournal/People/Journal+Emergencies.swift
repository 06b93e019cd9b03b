internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A notice that an account opened the emergency view of one of the caller's own records.
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

extension Journal {
    /// The default time for which an emergency view stays open, in hours.
    package static let emergencyHours = 4

    /// Opens the emergency view of a record to a caregiver, whatever sections the grant covers.
    ///
    /// The caller's reason is recorded. The record's owner sees the event among the notices.
    package func openEmergency(
        _ record: UUID,
        hours: Int = Journal.emergencyHours,
        _ caller: Caller
    ) async throws(JournalError) -> OpenedEmergency {
        let result = try await once(caller) {
            let admission = try await admit(caller, to: .emergency, on: record)
            guard admission.right != .owner else {
                throw JournalError(.conflict, "an owner already has access to the whole record")
            }
            let (grantStream, version, grants) = try currentGrants(of: record)
            var change = try Change(self, caller)
            let command = EmergencyCommand.open(account: caller.account, hours: hours, reason: caller.reason)
            for event in try decide(command, grants, now: now, today: today) {
                try change.add(event, stream: try accessStream(of: record), subject: record)
            }
            // Ensures that a grant that is being revoked opens nothing.
            change.expect(grantStream, .exact(version))
            return WriteResult(position: try await change.commit()?.last ?? 0, record: record)
        }
        return try await retrying {
            guard let opened = try permissions.emergencies(of: record, asOf: result.position).last,
                opened.opened.position == result.position
            else { throw JournalError(.failed, "the emergency view was opened, but its event cannot be found") }
            return OpenedEmergency(position: result.position, record: record, expires: opened.expires)
        }
    }

    /// Returns each opening of the emergency view of a record that the caller owns, newest first.
    package func notices(_ caller: Caller) async throws(JournalError) -> [Notice] {
        try await retrying {
            let head = try log.head()
            var notices: [Notice] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            for own in try permissions.records(of: caller.account, asOf: head) where own.permission.isOwner {
                let action = Action.audit(.access)
                let decision = Gate.decide(
                    action,
                    by: caller,
                    permission: own.permission,
                    now: now,
                    today: today
                )
                guard case .allowed(let right, let scope) = decision else { continue }
                let emergencies = try permissions.emergencies(of: own.record, asOf: head)
                guard !emergencies.isEmpty, let header = try headerUnlessErased(own.record, asOf: head) else {
                    continue
                }
                notices += emergencies.map {
                    Notice(record: own.record, displayName: header.displayName, emergency: $0)
                }
                let admission = Admission(record: own.record, action: action, right: right, scope: scope)
                reads.append((admission, Shown(sections: [])))
            }
            try await trace(caller, reads)
            return notices.sorted { $0.position > $1.position }
        }
    }

    /// Records that an owner has acknowledged an emergency.
    package func acknowledgeNotice(_ position: UInt64, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let missing = JournalError(.notFound, field: "notice", "there is no such notice")
            let head = try log.head()
            guard position > 0, position <= head else { throw missing }
            let header = try log.event(at: position).header
            guard header.type == EmergencyOpened.type.rawValue,
                // Other callers get the same error as for a missing notice: they must not learn who opened what.
                try permissions.permission(of: caller.account, on: header.subject, asOf: head).isOwner
            else { throw missing }
            let record = header.subject
            _ = try await admit(caller, to: .manage, on: record)
            let stream = try accessStream(of: record)
            var state = GrantsState()
            state.emergencies = try permissions.emergencies(of: record, asOf: head)
            var change = try Change(self, caller)
            // Concurrent acknowledgements append two events, of which the first counts.
            for event in try decide(.acknowledge(position), state, now: now, today: today) {
                try change.add(event, stream: stream, subject: record)
            }
            let result = try await change.commit()
            return WriteResult(
                position: result?.last ?? state.emergencies.first { $0.opened.position == position }?.acknowledged?
                    .position ?? head,
                record: record,
                isChanged: result != nil
            )
        }
    }
}
