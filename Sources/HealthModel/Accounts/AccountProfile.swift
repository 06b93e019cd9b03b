/// What an account says of its holder.
package struct AccountProfile: Hashable, Sendable {
    /// Unique in a journal; what `--as` takes.
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
