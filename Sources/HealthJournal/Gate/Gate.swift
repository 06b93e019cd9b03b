internal import CaregiverPermissions
package import HealthModel

/// The one place where it is decided who may do what.
///
/// A pure function of what is known now.
package enum Gate {
    /// What was decided.
    package enum Verdict: Hashable, Sendable {
        /// By what right, and to how much of the record.
        case allowed(AccessRight, Sight)
        /// Why not, in words for the one who asked. Says nothing of the record.
        case denied(String)
    }

    /// Decides on an action of a caller who stands to the record as `permission` says, at a moment that lies in a day of
    /// the journal's zone.
    static func decide(
        _ action: Action,
        by caller: Caller,
        permission: Permission,
        now: Instant,
        today: Day
    ) -> Verdict {
        guard caller.scope.admits(action) else { return .denied(TokenScope.refusal) }
        switch (caller.kind, action) {
        case (.tool, .append):
            return .allowed(.role(.tool), Sight([]))
        case (.tool, .contribute(_, .adding)):
            guard let grant = permission.grant else {
                return .denied("this tool has no grant to contribute to the record")
            }
            return decide(action, grant, nil, today)
        case (.tool, _):
            return .denied("a tool may only append events")
        case (_, .follow):
            return .allowed(.role(caller.kind), Sight([]))
        case (.administrator, .oversee), (.auditor, .oversee):
            return .allowed(.role(caller.kind), Sight([]))
        case (.administrator, .append):
            return .denied("an administrator appends nothing of others")
        case (.administrator, _):
            return .denied("an administrator runs the journal, and sees nobody's record")
        case (.auditor, .audit):
            return .allowed(.role(.auditor), .whole)
        case (.auditor, .append), (.auditor, .contribute):
            return .denied("an auditor never changes anything")
        case (.auditor, _):
            return .denied("an auditor may look at histories, and at nothing else")
        case (.person, .append) where !permission.isOwner:
            return .denied("only the account \(Journal.ownerName) and tools may do that")
        case (.person, _):
            if permission.isOwner { return .allowed(.owner, .whole) }
            guard let grant = permission.grant else { return .denied("this account has no grant for the record") }
            // An emergency rests on the trust that the grant stands for, and ends with it.
            let emergency = grant.revoked == nil ? permission.emergency.flatMap { $0.isOpen(at: now) ? $0 : nil } : nil
            return decide(action, grant, emergency, today)
        }
    }

    private static func decide(_ action: Action, _ grant: Grant, _ emergency: Emergency?, _ today: Day) -> Verdict {
        let right = AccessRight.grant(position: grant.given.position)
        if case .emergency = action {
            return grant.revoked == nil ? .allowed(right, Sight([])) : .denied("this account's grant was revoked")
        }
        let usual =
            grant.isActive(on: today)
            ? decide(action, grant, right) : Verdict.denied("this account's grant is not active")
        guard let emergency, case .read(let asked, let access) = action, access == .read || access == .list else {
            return usual
        }
        // What the grant shows anyway is not shown by the emergency, unless more is asked for with it.
        let sight = if case .allowed(_, let sight) = usual { sight } else { Sight([]) }
        if let asked {
            if case .allowed = usual { return usual }
            guard !asked.isEmpty, asked.isSubset(of: Emergency.kinds) else { return usual }
            return .allowed(.emergency(position: emergency.opened.position), sight.inEmergency().narrowed(to: asked))
        }
        guard !Emergency.kinds.isSubset(of: sight.kinds) else { return usual }
        return .allowed(.emergency(position: emergency.opened.position), sight.inEmergency())
    }

    private static func decide(_ action: Action, _ grant: Grant, _ right: AccessRight) -> Verdict {
        let sight = Sight(grant.terms.sections)
        switch action {
        case .read(let asked, _):
            guard grant.terms.verbs.contains(.read) else { return .denied("the grant does not let this account read") }
            guard let asked else { return .allowed(right, sight) }
            guard !asked.isEmpty, asked.isSubset(of: sight.kinds) else {
                return .denied("the grant does not cover that section")
            }
            return .allowed(right, sight.narrowed(to: asked))
        case .contribute(let kind, let contribution):
            guard grant.terms.verbs.contains(.contribute), grant.terms.sections.contains(kind.section) else {
                return .denied("the grant does not let this account add to that section")
            }
            guard contribution != .changingOthers else {
                return .denied("the grant lets this account change only what it added itself")
            }
            return .allowed(right, Sight([kind.section]))
        case .append, .follow, .see, .oversee, .manage, .erase, .emergency:
            return .denied("only an owner of the record may do that")
        case .audit:
            return .denied("only an owner of the record or an auditor may see that")
        }
    }
}
