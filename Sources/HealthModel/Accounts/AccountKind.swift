/// The kind of an account, by who acts through it.
package enum AccountKind: UInt8, CaseIterable, Sendable {
    case person = 1
    /// Another program, which only appends.
    case tool = 2
    /// Reads history and never changes anything.
    case auditor = 3
    /// Operates the service (accounts, backups, health) and has no access to records.
    case administrator = 4

    /// The name on the command line, in JSON and in the API.
    package var name: String { String(describing: self) }

    /// Creates the kind with a name from the command line, JSON or the API; throws for an unknown name.
    package init(named name: String) throws(ModelError) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: "kind", "must be one of \(names)")
        }
        self = kind
    }
}
