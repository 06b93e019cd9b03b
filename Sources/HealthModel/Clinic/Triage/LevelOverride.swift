/// Whether a person may set another level than the one that counts now.
package enum OverrideDecision: Hashable, Sendable {
    case allowed
    case refused(Refusal)

    /// Why a level may not be set; the raw values are stored.
    package enum Refusal: String, CaseIterable, Hashable, Sendable {
        case sameLevel
        case reasonTooShort
        /// Only clinical staff may change a level.
        case notClinical
        /// Only a veterinarian may set this level.
        case needsVeterinarian
    }

    /// The minimum length of a reason, in characters; spaces at its ends and repeated spaces do not count.
    package static let minimumReason = 10
}

/// Returns whether a person with a role may set the level `to` where the level `from` counts.
///
/// All clinical staff may set a more urgent level. A nurse may set a level that is one step less urgent, but not for a
/// red patient; a veterinarian may set any level. Each change needs a reason.
package func mayOverride(
    from: UrgencyLevel,
    to: UrgencyLevel,
    by role: ClinicRole,
    reason: String
) -> OverrideDecision {
    guard role.isClinical else { return .refused(.notClinical) }
    guard from != to else { return .refused(.sameLevel) }
    let isSmallStep = to.rawValue == from.rawValue + 1 && from != .red
    guard to < from || isSmallStep || role == .veterinarian else { return .refused(.needsVeterinarian) }
    let words = reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard words.count >= OverrideDecision.minimumReason else { return .refused(.reasonTooShort) }
    return .allowed
}

/// Returns whether a person with several roles may set a level: if one of the roles may.
///
/// If none may, the refusal is that of the most powerful role.
package func mayOverride(
    from: UrgencyLevel,
    to: UrgencyLevel,
    by roles: Set<ClinicRole>,
    reason: String
) -> OverrideDecision {
    // In the order in which the roles are declared, a later role may do no more here than an earlier one.
    guard let role = ClinicRole.allCases.first(where: roles.contains) else { return .refused(.notClinical) }
    return mayOverride(from: from, to: to, by: role, reason: reason)
}
