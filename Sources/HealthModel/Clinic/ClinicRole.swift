/// What a member of a practice does there.
package enum ClinicRole: String, CaseIterable, Hashable, Sendable, Comparable {
    case veterinarian
    case nurse
    case receptionist
    case manager

    package var name: String { rawValue }

    /// Whether the role treats patients.
    package var isClinical: Bool { self == .veterinarian || self == .nurse }

    package static func < (left: ClinicRole, right: ClinicRole) -> Bool { left.rawValue < right.rawValue }
}

extension ClinicRole: EventChoice, EventListElement {}
