/// Who acts through an account.
package enum AccountKind: UInt8, CaseIterable, Sendable {
    case person = 1
    /// Another program: it only appends.
    case tool = 2
    /// Reads history and never changes anything.
    case auditor = 3
    /// Runs the service: its accounts, its backups, its health. Sees nobody's record.
    case administrator = 4

    /// The name on the command line, in JSON and in the API.
    package var name: String { String(describing: self) }

    /// The kind of a name on the command line, in JSON or in the API.
    package init(named name: String) throws(ModelError) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: "kind", "must be one of \(names)")
        }
        self = kind
    }
}
