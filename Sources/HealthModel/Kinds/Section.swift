/// A part of a record to which a caregiver can be given access.
package enum Section: UInt8, CaseIterable, Sendable {
    case myhealth = 1
    case doctorlist = 2
    case groups = 3
    case conflicts = 4

    /// The name on the command line, in JSON and in the API.
    package var name: String { String(describing: self) }
}
