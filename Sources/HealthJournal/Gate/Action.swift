package import HealthModel

/// What somebody wants to do with a record.
package enum Action: Hashable, Sendable {
    /// Look at entries of some kinds, and the profile. `nil` asks for whatever may be seen.
    case read(Set<Kind>?, AccessAction)
    /// Add entries of a kind, or change those that are there.
    case contribute(Kind, Contribution)
    /// Keep events of other tools in streams of a category. Concerns no record.
    case append(category: String)
    /// Follow the events of the log; which of them is then asked for each. Concerns no record.
    case follow
    /// See the events that other tools sent. Concerns no record.
    case see
    /// See what happens to the journal itself and to its accounts. Concerns no record.
    case oversee
    /// Change the profile, close the record, grant and revoke.
    case manage
    /// Make all of it unreadable for good.
    case erase
    /// Open the emergency view.
    case emergency
    /// See who was let in, who looked, and what was changed by whom.
    case audit(AccessAction)

    /// The word under which the trail keeps it.
    var access: AccessAction {
        switch self {
        case .read(_, let access), .audit(let access): access
        case .contribute, .append: .contribute
        case .manage: .manage
        case .erase: .erase
        case .follow, .see, .oversee: .events
        case .emergency: .emergency
        }
    }

    /// The sections that are asked for by name.
    var sections: [Section] {
        switch self {
        case .read(let kinds, _): Set((kinds ?? []).map(\.section)).sorted { $0.rawValue < $1.rawValue }
        case .contribute(let kind, _): [kind.section]
        case .append, .follow, .see, .oversee, .manage, .erase, .emergency, .audit: []
        }
    }
}

/// What becomes of a record's entries when somebody contributes.
package enum Contribution: Hashable, Sendable {
    case adding
    /// The entry is one that the caller added.
    case changingOwn
    case changingOthers
}
