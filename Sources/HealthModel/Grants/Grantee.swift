/// Whom a grant gives access: an account, or all that treat animals in a practice.
package enum Grantee: Hashable, Sendable {
    case person
    /// An account that a program uses.
    case tool
    case practice

    /// The maximum number of them that have an open grant on one record.
    var maximum: Int {
        switch self {
        case .person: Limits.activeCaregivers
        case .tool: Limits.contributingTools
        case .practice: Limits.practicesWithAccess
        }
    }

    var plural: String {
        switch self {
        case .person: "caregivers"
        case .tool: "tools"
        case .practice: "practices"
        }
    }
}

extension GrantTerms {
    /// The terms on which a practice goes on treating an animal whose record it hands over to the owner.
    package static let ofPractice = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
}
