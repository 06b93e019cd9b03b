internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import PracticeDirectory

/// A membership of a practice that is active today.
struct ActiveMembership: Hashable, Sendable {
    let practice: UUID
    let roles: Set<ClinicRole>
    /// The day of the journal's zone, by which grants end.
    let today: Day
}

extension Journal {
    /// Returns the practices that a caller is a member of today.
    func memberships(of caller: Caller) throws -> [ActiveMembership] {
        guard replica == nil, Gate.hasRecords(caller.kind) else { return [] }
        return try practiceDirectory.practices(asOf: log.head())
            .compactMap { practice in
                let members = try members(of: practice).state
                guard members.members[caller.account] != nil else { return nil }
                // A membership ends by the practice's clock.
                let day = try clock(of: self.practice(practice).state).day(at: now)
                let roles = members.roles(of: caller.account, on: day)
                return roles.isEmpty ? nil : ActiveMembership(practice: practice, roles: roles, today: today)
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
            let decision = Gate.decide(action, by: caller, as: membership, permission: access.permission)
            switch decision {
            case .allowed(let right, let scope):
                if let widest, widest.scope.kinds.count >= scope.kinds.count { continue }
                widest = Admission(record: record, action: action, right: right, scope: scope, access: access)
            case .denied(let why):
                if access.permission != .none { denial = Denial(action, on: record, reason: why) }
            }
        }
        return widest.map { .admitted($0) } ?? denial.map { .refused($0) }
    }
}
