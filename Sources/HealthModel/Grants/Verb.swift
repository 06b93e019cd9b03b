/// An operation that a grant permits.
package enum Verb: UInt8, CaseIterable, Sendable {
    case read = 1
    case contribute = 2

    /// The name on the command line, in JSON and in the API.
    package var name: String { String(describing: self) }

    /// Creates the verb with a name from the command line, JSON or the API; throws for an unknown name.
    package init(named name: String) throws(ModelError) {
        guard let verb = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: "verbs", "there is no such verb; the verbs are \(names)")
        }
        self = verb
    }
}
