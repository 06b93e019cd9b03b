internal import CaregiverPermissions
internal import FoundationEssentials
internal import HealthModel

extension Gate {
    /// The kinds of entries that a nurse of a practice may add to a record.
    static let nurseKinds: Set<Kind> = [MeasuredValue.kind, Weight.kind, Blood.kind, Document.kind]

    /// Decides whether a member of a practice may perform an action on a record, by the access that the practice has.
    ///
    /// `permission` is the practice's. Either an owner of the record granted the practice access, or the practice is the
    /// record's custodian: it created the record of an animal that no person owns yet. The role of the
    /// caller that permits most decides.
    static func decide(
        _ action: Action,
        by caller: Caller,
        as membership: ActiveMembership,
        permission: Permission
    ) -> Decision {
        guard hasRecords(caller.kind) else { return .denied("only a person's account can work in a practice") }
        guard caller.scope.admits(action) else { return .denied(TokenScope.refusal) }
        if caller.isSubscriptionOver, action.needsSubscription { return .denied(subscriptionRefusal) }
        let right = AccessRight.practice(membership.practice)
        let usual = usualDecision(action, as: membership, permission, right)
        // The view that a practice opened by the microchip number; it needs no grant.
        guard let emergency = permission.emergency, emergency.isOpen(at: membership.now),
            membership.roles.contains(where: \.isClinical)
        else { return usual }
        return widened(usual, to: action, by: emergency, now: membership.now)
    }

    private static func usualDecision(
        _ action: Action,
        as membership: ActiveMembership,
        _ permission: Permission,
        _ right: AccessRight
    ) -> Decision {
        let order: [ClinicRole] = [.veterinarian, .nurse, .manager, .receptionist]
        for role in order where membership.roles.contains(role) {
            let decision =
                permission.isOwner
                ? decideAsCustodian(action, role, right)
                : permission.grant.flatMap {
                    $0.isActive(on: membership.today) ? decide(action, role, $0.terms, right) : nil
                }
            if let decision, case .allowed = decision { return decision }
        }
        guard permission.isOwner || permission.grant?.isActive(on: membership.today) == true else {
            return .denied("the practice has no access to the record")
        }
        return .denied("the practice's access to the record does not permit that in this account's role")
    }

    /// Decides on an action in a record that the practice keeps.
    private static func decideAsCustodian(_ action: Action, _ role: ClinicRole, _ right: AccessRight) -> Decision? {
        switch (role, action) {
        case (.veterinarian, .read), (.veterinarian, .readPast), (.veterinarian, .contribute), (.veterinarian, .audit):
            return .allowed(right, .kept)
        // No member gives others access to it: that is for the owner to whom it is handed over.
        case (.veterinarian, .editProfile), (.manager, .editProfile), (.receptionist, .editProfile),
            (.veterinarian, .transfer), (.manager, .transfer), (.receptionist, .transfer), (.manager, .erase):
            return .allowed(right, .profileAlone)
        case (.manager, .audit(.access)), (.manager, .audit(.caregivers)):
            return .allowed(right, AccessScope([]))
        case (.manager, .read(let kinds, _)), (.receptionist, .read(let kinds, _)):
            return kinds ?? [] == [] ? .allowed(right, .profileAlone) : nil
        case (.nurse, _):
            return decide(action, role, GrantTerms(sections: [.myhealth], verbs: [.read, .contribute]), right)
        default:
            return nil
        }
    }

    /// Decides on an action in a record to which an owner granted the practice access.
    ///
    /// Only those who treat animals see entries.
    private static func decide(
        _ action: Action,
        _ role: ClinicRole,
        _ granted: GrantTerms,
        _ right: AccessRight
    ) -> Decision? {
        guard role.isClinical else { return nil }
        var terms = granted
        if role == .nurse {
            terms.sections.formIntersection([.myhealth])
            if case .contribute(let kind, _) = action, !nurseKinds.contains(kind) { return nil }
        }
        return terms.sections.isEmpty ? nil : decide(action, terms, right)
    }
}
