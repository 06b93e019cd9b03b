package import HealthModel

/// What somebody wants to do with a record.
package enum Action: Hashable, Sendable {
    /// Look at entries of some kinds, and the profile. `nil` asks for whatever may be seen.
    case read(Set<Kind>?, AccessAction)
    /// Add entries to a section, or change those that the caller added.
    case contribute(Section, ownEntry: Bool)
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
        case .contribute: .contribute
        case .manage: .manage
        case .erase: .erase
        case .emergency: .emergency
        }
    }

    /// The sections that are asked for by name.
    var sections: [Section] {
        switch self {
        case .read(let kinds, _): Set((kinds ?? []).map(\.section)).sorted { $0.rawValue < $1.rawValue }
        case .contribute(let section, _): [section]
        case .manage, .erase, .emergency, .audit: []
        }
    }
}
