/// A part of a record to which a caregiver can be given access.
package enum Section: UInt8, NamedCode, Sendable {
    case myhealth = 1
    case doctorlist = 2
    case groups = 3
    case conflicts = 4

    package static let field = "sections"

    package var name: String {
        switch self {
        case .myhealth: "myhealth"
        case .doctorlist: "doctorlist"
        case .groups: "groups"
        case .conflicts: "conflicts"
        }
    }

    package var word: String {
        switch self {
        case .myhealth: "health"
        case .doctorlist: "doctors"
        case .groups: "groups"
        case .conflicts: "interactions"
        }
    }
}
