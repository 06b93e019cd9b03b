/// The category of an event; the raw value is a stable code.
package enum EventCategory: UInt16, CaseIterable, Sendable {
    case journal = 1
    case account = 2
    case record = 3
    case entry = 4
    case grant = 5
    case access = 6
    case claim = 7
    case external = 8
    /// What concerns doses and changes no entry: reminders and their postponement.
    case care = 9
    /// Practices with their members and specialists.
    case practice = 10
    /// Appointments, and what else concerns a patient of a practice.
    case appointment = 11
    /// What takes up the time of a specialist, a room or a patient.
    case diary = 12

    /// The stable name in audit trails and on the command line.
    package var name: String {
        switch self {
        case .journal: "journal"
        case .account: "account"
        case .record: "record"
        case .entry: "entry"
        case .grant: "grant"
        case .access: "access"
        case .claim: "claim"
        case .external: "external"
        case .care: "care"
        case .practice: "practice"
        case .appointment: "appointment"
        case .diary: "diary"
        }
    }
}
