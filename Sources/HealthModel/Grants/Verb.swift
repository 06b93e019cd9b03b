/// An operation that a grant permits.
package enum Verb: UInt8, NamedCode, Sendable {
    case read = 1
    case contribute = 2

    package static let field = "verbs"

    package var name: String {
        switch self {
        case .read: "read"
        case .contribute: "contribute"
        }
    }
}
