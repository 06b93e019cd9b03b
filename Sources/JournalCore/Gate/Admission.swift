package import CaregiverPermissions
package import FoundationEssentials
package import HealthModel

/// An authorized action, with the right that permits it and the part of the record that the caller may see.
///
/// Only the functions of the gate in this file make one from a decision. What reads the contents of a record asks for one,
/// so that nothing can be read of a record on which the gate did not decide.
package struct Admission: Sendable {
    package let record: UUID
    package let action: Action
    package let right: AccessRight
    package let scope: AccessScope
    /// The state of the record and the permission that the gate decided on, if they were read for it.
    package let access: RecordAccess?

    fileprivate init(
        _ record: UUID,
        _ action: Action,
        _ right: AccessRight,
        _ scope: AccessScope,
        _ access: RecordAccess?
    ) {
        (self.record, self.action, self.right, self.scope, self.access) = (record, action, right, scope, access)
    }

    package func sees(_ kind: Kind) -> Bool { scope.kinds.contains(kind) }

    package func sees(_ entry: EntryState) -> Bool {
        entry.record == record && sees(entry.kind) && scope.entries.map { $0.contains(entry.id) } ?? true
    }

    /// The sections in which the caller may see at least some kinds.
    package var sections: Set<Section> { scope.sections.union(scope.kinds.map(\.section)) }

    /// Returns an admission by which no contents can be read, for recording data of a record that was shown by another
    /// right.
    package static func withoutContents(_ record: UUID, _ action: Action, _ right: AccessRight) -> Admission {
        Admission(record, action, right, AccessScope([]), nil)
    }
}

extension Gate {
    /// Decides on an action of a caller on a record, from the record's state and the caller's permission.
    package static func admit(
        _ action: Action,
        by caller: Caller,
        _ access: RecordAccess,
        now: Instant,
        today: Day
    ) -> Result<Admission, Denial> {
        let decision = decide(action, by: caller, permission: access.permission, now: now, today: today)
        return admission(decision, action, on: access.header.id, access)
    }

    /// Decides on an action of a member of a practice on a record, from the record's state and the practice's
    /// permission.
    package static func admit(
        _ action: Action,
        by caller: Caller,
        as membership: ActiveMembership,
        _ access: RecordAccess
    ) -> Result<Admission, Denial> {
        let decision = decide(action, by: caller, as: membership, permission: access.permission)
        return admission(decision, action, on: access.header.id, access)
    }

    /// Decides on an action of a caller on a record with the caller's permission.
    package static func admit(
        _ action: Action,
        on record: UUID,
        by caller: Caller,
        permission: Permission,
        now: Instant,
        today: Day
    ) -> Result<Admission, Denial> {
        admission(decide(action, by: caller, permission: permission, now: now, today: today), action, on: record, nil)
    }

    /// Decides on an action of a member of a practice on a record with the practice's permission.
    package static func admit(
        _ action: Action,
        on record: UUID,
        by caller: Caller,
        as membership: ActiveMembership,
        permission: Permission
    ) -> Result<Admission, Denial> {
        admission(decide(action, by: caller, as: membership, permission: permission), action, on: record, nil)
    }

    /// Decides whether a member of a practice may read the entries that the practice wrote in a record, also after an owner
    /// ended its access.
    ///
    /// A practice answers for what it wrote; in its name, a veterinarian or a manager does.
    /// The entries are looked for only if the role permits that.
    package static func admit(
        toReadWritten find: () throws -> Set<UUID>,
        in record: UUID,
        by caller: Caller,
        as membership: ActiveMembership
    ) throws -> Result<Admission, Denial> {
        let action = Action.read(nil, .read)
        func decide() throws -> Decision {
            guard hasRecords(caller.kind) else { return .denied("only a person's account can work in a practice") }
            guard caller.scope.admits(action) else { return .denied(TokenScope.refusal) }
            guard !membership.roles.isDisjoint(with: [.veterinarian, .manager]) else {
                return .denied("only a veterinarian or a manager of the practice may read what it wrote")
            }
            let written = try find()
            guard !written.isEmpty else { return .denied("the practice wrote nothing in this record") }
            var scope = AccessScope.whole
            (scope.profile, scope.entries) = (.name, written)
            return .allowed(.practice(membership.practice), scope)
        }
        return try admission(decide(), action, on: record, nil)
    }

    private static func admission(
        _ decision: Decision,
        _ action: Action,
        on record: UUID,
        _ access: RecordAccess?
    ) -> Result<Admission, Denial> {
        switch decision {
        case .allowed(let right, let scope): .success(Admission(record, action, right, scope, access))
        case .denied(let why): .failure(Denial(action, on: record, reason: why))
        }
    }
}
