/// The kind of subject that a record is about.
package enum Subject: UInt8, Sendable {
    case human = 1
    case animal = 2

    /// The name in JSON and on the command line.
    package var name: String { String(describing: self) }
}
