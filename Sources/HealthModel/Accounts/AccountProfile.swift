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
