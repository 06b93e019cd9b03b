package import CaregiverPermissions
internal import FoundationEssentials
package import HealthModel

/// The authorization gate: the one place that decides who may do what.
///
/// A pure function of the given state.
package enum Gate {
    /// The result of a decision.
    package enum Decision: Hashable, Sendable {
        /// The right that permits the action, and the part of the record that the caller may see.
        case allowed(AccessRight, AccessScope)
        /// The reason for the refusal, as a message for the caller.
        ///
        /// Contains nothing about the record.
        case denied(Message)
    }

    /// Decides whether a caller may perform an action.
    ///
    /// For an action on a record, `permission` is the caller's permission on that record. For any other action, it is
    /// the permission on the journal itself, which the account `owner` (`Journal.ownerName`) owns. `today`
    /// is the day of `now` in the journal's time zone.
    package static func decide(
        _ action: Action,
        by caller: Caller,
        permission: Permission,
        now: Instant,
        today: Day
    ) -> Decision {
        guard caller.scope.admits(action) else { return .denied(TokenScope.refusal) }
        if caller.isSubscriptionOver, action.needsSubscription { return .denied(subscriptionRefusal) }
        if let refusal = refusal(of: action, by: caller, isOwner: permission.isOwner) { return .denied(refusal) }
        switch (caller.kind, action) {
        case (_, .createRecord), (_, .importRecords), (_, .acceptInvitation), (_, .administer), (_, .acceptState),
            (_, .account):
            return .allowed(.role(caller.kind), AccessScope([]))
        case (.tool, .append):
            return .allowed(.role(.tool), AccessScope([]))
        case (.tool, .contribute(_, .adding)):
            guard let grant = permission.grant else {
                return .denied("this tool has no grant to contribute to the record")
            }
            return decide(action, grant, nil, now: now, today: today)
        case (.tool, _):
            return .denied("a tool may only append events")
        case (_, .follow):
            return .allowed(.role(caller.kind), AccessScope([]))
        case (.administrator, .oversee), (.auditor, .oversee):
            return .allowed(.role(caller.kind), AccessScope([]))
        case (.administrator, .append):
            return .denied("an administrator may not append events of other tools")
        case (.administrator, _):
            return .denied("an administrator has no access to records")
        case (.auditor, .audit):
            return .allowed(.role(.auditor), .whole)
        case (.auditor, .append), (.auditor, .contribute):
            return .denied("an auditor may not change anything")
        case (.auditor, _):
            return .denied("an auditor may read histories only")
        case (.person, .sync):
            return .allowed(.role(caller.kind), AccessScope([]))
        case (.person, .append) where !permission.isOwner:
            return .denied("only the account \(Journal.ownerName) and tools may do that")
        case (.person, _):
            if permission.isOwner { return .allowed(.owner, .owned) }
            guard let grant = permission.grant else { return .denied("this account has no grant for the record") }
            // The emergency view depends on the grant: it ends when the grant no longer permits it.
            let emergency =
                grant.opensEmergency(on: today) ? permission.emergency.flatMap { $0.isOpen(at: now) ? $0 : nil } : nil
            return decide(action, grant, emergency, now: now, today: today)
        }
    }

    /// The reason for which a change by an account without a valid subscription is refused.
    static let subscriptionRefusal: Message =
        "the subscription of this account is over: it can read, export and erase its data and end access to it, not change it"

    private static func decide(
        _ action: Action,
        _ grant: Grant,
        _ emergency: Emergency?,
        now: Instant,
        today: Day
    ) -> Decision {
        let right = AccessRight.grant(position: grant.given.position)
        if case .emergency = action {
            if grant.revoked != nil { return .denied("this account's grant was revoked") }
            guard grant.opensEmergency(on: today) else {
                return .denied("this account's grant has ended, and no longer permits the emergency view")
            }
            return .allowed(right, AccessScope([]))
        }
        let usual =
            grant.isActive(on: today)
            ? decide(action, grant.terms, right) : Decision.denied("this account's grant is not active")
        return emergency.map { widened(usual, to: action, by: $0, now: now) } ?? usual
    }

    /// Extends a decision by what an open emergency view permits.
    package static func widened(
        _ usual: Decision,
        to action: Action,
        by emergency: Emergency,
        now: Instant
    ) -> Decision {
        if case .readPast = action, case .denied = usual {
            return .denied("the emergency view shows only the current state, not the history")
        }
        guard case .read(let asked, let access) = action, access == .read || access == .list else { return usual }
        // The emergency right is used only if the request needs more than the grant itself covers.
        let scope = if case .allowed(_, let scope) = usual { scope } else { AccessScope([]) }
        if let asked {
            if case .allowed = usual { return usual }
            guard !asked.isEmpty, asked.isSubset(of: Emergency.kinds) else { return usual }
            return .allowed(.emergency(position: emergency.opened.position), scope.inEmergency().narrowed(to: asked))
        }
        guard !Emergency.kinds.isSubset(of: scope.kinds) else { return usual }
        return .allowed(.emergency(position: emergency.opened.position), scope.inEmergency(recent: now))
    }

    /// Decides on an action under the terms of a grant that is active.
    package static func decide(_ action: Action, _ terms: GrantTerms, _ right: AccessRight) -> Decision {
        let scope = AccessScope(terms.sections)
        switch action {
        case .read(let asked, _), .readPast(let asked, _):
            guard terms.verbs.contains(.read) else { return .denied("the grant does not permit reading") }
            guard let asked else { return .allowed(right, scope) }
            guard !asked.isEmpty, asked.isSubset(of: scope.kinds) else {
                return .denied("the grant does not cover that section")
            }
            return .allowed(right, scope.narrowed(to: asked))
        case .contribute(let kind, let contribution):
            guard terms.verbs.contains(.contribute), terms.sections.contains(kind.section) else {
                return .denied("the grant does not permit adding to that section")
            }
            guard contribution != .changingOthers else {
                return .denied("the grant permits changing only what this account added itself")
            }
            return .allowed(right, AccessScope([kind.section]))
        case .audit:
            return .denied("only an owner of the record or an auditor may see that")
        case .editProfile, .transfer, .manage, .revoke, .erase, .emergency, .createRecord, .importRecords,
            .acceptInvitation, .append, .follow,
            .sync, .see, .oversee, .administer, .acceptState, .account:
            return .denied("only an owner of the record may do that")
        }
    }

    // MARK: - The journal and its accounts

    /// Returns why an action on the journal or on an account is refused; nil if it is permitted, or is another action.
    private static func refusal(of action: Action, by caller: Caller, isOwner: Bool) -> Message? {
        switch action {
        case .createRecord: hasRecords(caller.kind) ? nil : "only a person's account can own a record"
        case .importRecords: hasRecords(caller.kind) ? nil : "only a person's account can import a record"
        case .acceptInvitation: hasRecords(caller.kind) ? nil : "only a person can be a caregiver"
        case .acceptState: isOwner ? nil : "only the account \(Journal.ownerName) may do that"
        case .administer: refusal(ofAdministering: caller, isOwner)
        case .account(let action, .own): refusal(ofOwn: action, by: caller, isOwner)
        case .account(let action, .other(let kind, let isNew)):
            refusal(ofAdministering: caller, isOwner)
                ?? refusal(of: action, on: kind, isNew: isNew, by: caller, isOwner)
        case .read, .readPast, .contribute, .editProfile, .transfer, .manage, .revoke, .erase, .emergency, .audit,
            .append, .follow, .sync,
            .see, .oversee:
            nil
        }
    }

    private static func refusal(ofAdministering caller: Caller, _ isOwner: Bool) -> Message? {
        guard caller.kind != .administrator, !isOwner else { return nil }
        return "only the account \(Journal.ownerName) or an administrator may do that"
    }

    private static func refusal(ofOwn action: AccountAction, by caller: Caller, _ isOwner: Bool) -> Message? {
        if caller.kind == .tool { return "a tool may only append events" }
        switch action {
        case .setSubscription: return refusal(ofAdministering: caller, isOwner)
        case .linkIdentity(isProven: false) where !isOwner:
            return "prove that the identity is yours: send a token of the provider as \"token\""
        case .manageDevices: return hasRecords(caller.kind) ? nil : "only a person's account has devices"
        case .remove: return "an account cannot remove itself: ask whoever runs the journal"
        case .linkIdentity, .manageCredentials, .setPassword, .issueToken, .readSettings, .changeSettings,
            .importData:
            return nil
        }
    }

    /// Returns why a caller who runs the journal is refused an action on another account.
    ///
    /// An administrator sees no health data, and must therefore not get a credential to act as a person or an auditor.
    /// From the account that the `init` command created nothing is hidden, because its holder has the master key.
    private static func refusal(
        of action: AccountAction,
        on kind: AccountKind,
        isNew: Bool,
        by caller: Caller,
        _ isOwner: Bool
    ) -> Message? {
        let wouldSeeMore = !isOwner && (kind == .person || kind == .auditor)
        return switch action {
        case .manageCredentials, .setSubscription: nil
        case .readSettings, .changeSettings: "only the account itself may do that"
        case .issueToken: wouldSeeMore ? "only the account itself may do that" : nil
        case .linkIdentity, .importData: isOwner ? nil : "only the account itself may do that"
        case .manageDevices: "only the account itself may do that"
        case .remove:
            isOwner || hasRecords(kind) || kind == .tool
                ? nil : "only the account \(Journal.ownerName) may remove an auditor or an administrator"
        case .setPassword:
            wouldSeeMore && !(kind == .person && isNew)
                ? "an administrator may only set the first password of a person without credentials and records so far"
                : nil
        }
    }

    /// Reports whether accounts of a kind can own records or have access to them by grants.
    package static func hasRecords(_ kind: AccountKind) -> Bool { kind == .person }

    /// Decides whether a caller may know that a record was erased, when and why.
    ///
    /// These are auditors, the account that the `init` command created, and the account that is `responsible`: the one
    /// that erased the record, or created it if no event names the former. All other callers get the same answers as if
    /// they had never had access.
    static func mayKnowOfErasure(_ caller: Caller, responsible: UUID?, isJournalOwner: Bool) -> Bool {
        guard caller.scope.admits(.audit(.access)) else { return false }
        return switch caller.kind {
        case .tool, .administrator: false
        case .auditor: true
        case .person: isJournalOwner || caller.account == responsible
        }
    }
}
