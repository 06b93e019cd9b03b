/// The kind of subject that a record is about.
package enum Subject: UInt8, NamedCode, Sendable {
    case human = 1
    case animal = 2

    package static let field = "subject"

    package var name: String {
        switch self {
        case .human: "human"
        case .animal: "animal"
        }
    }
}
