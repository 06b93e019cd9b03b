internal import CaregiverPermissions
package import HealthModel

/// The one place where it is decided who may do what.
///
/// A pure function of what is known now.
package enum Gate {
    /// What was decided.
    package enum Verdict: Hashable, Sendable {
        /// By what right, and to which sections.
        case allowed(AccessRight, Set<Section>)
        /// Why not, in words for the one who asked. Says nothing of the record.
        case denied(String)
    }

    /// Decides on an action of a caller who stands to the record as `permission` says, on a day.
    static func decide(_ action: Action, by caller: Caller, permission: Permission, today: Day) -> Verdict {
        guard caller.scope.admits(action) else { return .denied(TokenScope.refusal) }
        let all = Set(Section.allCases)
        switch (caller.kind, permission, action) {
        case (_, _, .follow):
            return .allowed(.role(caller.kind), [])
        case (.tool, _, .append), (.tool, _, .see(sentByCaller: true)):
            return .allowed(.role(.tool), [])
        case (.tool, .caregiver(let grant), .contribute(_, .adding)):
            return decide(action, grant, today)
        case (.tool, _, .contribute(_, .adding)):
            return .denied("this tool has no grant to contribute to the record")
        case (.tool, _, _):
            return .denied("a tool may only append events")
        case (.auditor, _, .audit):
            return .allowed(.role(.auditor), all)
        case (.auditor, _, .append), (.auditor, _, .contribute):
            return .denied("an auditor never changes anything")
        case (.auditor, _, _):
            return .denied("an auditor may look at histories, and at nothing else")
        case (.person, .owner, _):
            return .allowed(.owner, all)
        case (.person, _, .append):
            return .denied("only the account \(Journal.ownerName) and tools may do that")
        case (.person, .none, _):
            return .denied("this account has no grant for the record")
        case (.person, .caregiver(let grant), _):
            return decide(action, grant, today)
        }
    }

    private static func decide(_ action: Action, _ grant: Grant, _ today: Day) -> Verdict {
        guard grant.isActive(on: today) else { return .denied("this account's grant is not active") }
        let right = AccessRight.grant(position: grant.given.position)
        let sections = grant.terms.sections
        switch action {
        case .read(let asked, _):
            guard grant.terms.verbs.contains(.read) else { return .denied("the grant does not let this account read") }
            guard let asked else { return .allowed(right, sections) }
            guard !asked.isEmpty, asked.isSubset(of: sections) else {
                return .denied("the grant does not cover that section")
            }
            return .allowed(right, asked)
        case .contribute(let kind, let contribution):
            guard grant.terms.verbs.contains(.contribute), sections.contains(kind.section) else {
                return .denied("the grant does not let this account add to that section")
            }
            guard contribution != .changingOthers else {
                return .denied("the grant lets this account change only what it added itself")
            }
            return .allowed(right, [kind.section])
        case .append, .follow, .see, .manage, .erase:
            return .denied("only an owner of the record may do that")
        case .audit:
            return .denied("only an owner of the record or an auditor may see that")
        }
    }
}
