/// The name, e-mail address and kind of an account.
package struct AccountProfile: Hashable, Sendable {
    /// The name of the account: unique within a journal, and the argument of `--as`.
    package var name: String
    package var email: String
    package var kind: AccountKind

    package init(name: String, email: String = "", kind: AccountKind = .person) {
        self.name = name
        self.email = email
        self.kind = kind
    }

    package func validate() throws(ModelError) {
        if name.isEmpty { throw ModelError(.invalid, field: "name", "is required") }
        try TextCheck.check(name, field: "name", maximum: Limits.line)
        try TextCheck.check(email, field: "email", maximum: Limits.email)
    }
}

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
