internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import PracticeDirectory

/// A membership of a practice that is active today.
struct ActiveMembership: Hashable, Sendable {
    let practice: UUID
    let roles: Set<ClinicRole>
    /// The day of the practice's zone.
    let today: Day
}

extension Journal {
    /// Returns the practices that a caller is a member of today.
    func memberships(of caller: Caller) throws -> [ActiveMembership] {
        guard replica == nil, Gate.hasRecords(caller.kind) else { return [] }
        return try practiceDirectory.practices(asOf: log.head())
            .compactMap { practice in
                let today = try clock(of: self.practice(practice).state).day(at: now)
                let roles = try members(of: practice).state.roles(of: caller.account, on: today)
                return roles.isEmpty ? nil : ActiveMembership(practice: practice, roles: roles, today: today)
            }
    }

    /// Authorizes an action on a record by the access that a practice of the caller has to it; nil if none permits it.
    func memberAdmission(of caller: Caller, to action: Action, on record: UUID) throws -> Admission? {
        for membership in try memberships(of: caller) {
            guard case .found(let access) = try recordAccess(of: membership.practice, to: record) else { continue }
            let decision = Gate.decide(action, by: caller, as: membership, permission: access.permission)
            if case .allowed(let right, let scope) = decision {
                return Admission(record: record, action: action, right: right, scope: scope, access: access)
            }
        }
        return nil
    }
}
