/// The role of a person in a practice; the raw values are stored.
package enum ClinicRole: String, CaseIterable, Hashable, Sendable {
    case veterinarian
    case nurse
    case receptionist
    case manager

    /// Whether the role examines and treats patients.
    package var isClinical: Bool { self == .veterinarian || self == .nurse }
}
