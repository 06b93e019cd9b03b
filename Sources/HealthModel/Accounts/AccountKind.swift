/// The kind of an account, by who acts through it.
package enum AccountKind: UInt8, NamedCode, Sendable {
    case person = 1
    /// Another program, which only appends.
    case tool = 2
    /// Reads history and never changes anything.
    case auditor = 3
    /// Operates the service (accounts, backups, health) and has no access to records.
    case administrator = 4

    package static let field = "kind"

    package var name: String {
        switch self {
        case .person: "person"
        case .tool: "tool"
        case .auditor: "auditor"
        case .administrator: "administrator"
        }
    }
}
