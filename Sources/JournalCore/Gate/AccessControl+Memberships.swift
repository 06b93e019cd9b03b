internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import PracticeDirectory

/// A membership of a practice that is active today.
package struct ActiveMembership: Hashable, Sendable {
    package let practice: UUID
    package let roles: Set<ClinicRole>
    /// By which emergency views end.
    package let now: Instant
    /// The day of the journal's zone, by which grants end.
    package let today: Day

    package init(
        practice: UUID,
        roles: Set<ClinicRole>,
        now: Instant,
        today: Day
    ) {
        self.practice = practice
        self.roles = roles
        self.now = now
        self.today = today
    }
}

extension Journal.AccessControl {
    /// Returns the practices that a caller is a member of today.
    package func memberships(of caller: Caller) throws -> [ActiveMembership] {
        guard journal.replica == nil, Gate.hasRecords(caller.kind) else { return [] }
        return try journal.practiceDirectory.practices(asOf: journal.log.head())
            .compactMap { practice in
                let members = try journal.practiceStates.members(of: practice).state
                guard members.members[caller.account] != nil else { return nil }
                // A membership ends by the practice's clock.
                let day = try journal.practiceStates.clock(of: journal.practiceStates.practice(practice).state)
                    .day(at: journal.now)
                let roles = members.roles(of: caller.account, on: day)
                return roles.isEmpty
                    ? nil : ActiveMembership(practice: practice, roles: roles, now: journal.now, today: journal.today)
            }
    }

    /// Decides on an action on a record by the access that the practices of the caller have to it; nil if none has any.
    ///
    /// If several permit it, the one by which most can be seen counts.
    func memberDecision(of caller: Caller, on action: Action, record: UUID) throws -> AdmissionDecision? {
        var widest: Admission?
        var denial: Denial?
        for membership in try memberships(of: caller) {
            guard case .found(let access) = try recordAccess(of: membership.practice, to: record) else { continue }
            switch Gate.admit(action, by: caller, as: membership, access) {
            case .success(let admission):
                if let widest, widest.scope.kinds.count >= admission.scope.kinds.count { continue }
                widest = admission
            case .failure(let refused):
                if access.permission != .none { denial = refused }
            }
        }
        return widest.map { .admitted($0) } ?? denial.map { .refused($0) }
    }

    /// Authorizes an action on a record by the access that one practice has to it; nil if it is not permitted.
    ///
    /// Other rights of the caller to the record, such as those of its owner, do not count: the data found becomes the
    /// practice's.
    package func admission(
        of caller: Caller,
        to action: Action,
        on record: UUID,
        in practice: PracticeAdmission
    ) throws -> Admission? {
        let membership = ActiveMembership(
            practice: practice.id,
            roles: practice.roles,
            now: journal.now,
            today: journal.today
        )
        guard !practice.roles.isEmpty, case .found(let access) = try recordAccess(of: practice.id, to: record) else {
            return nil
        }
        return try? Gate.admit(action, by: caller, as: membership, access).get()
    }
}
