/// A reader of bytes that others wrote, fed with whatever the fuzzer thinks of.
///
/// A target runs through when the bytes were read or refused; it traps when the reader does, and when what was read does not
/// hold what a reader of it may rely on.
package struct FuzzTarget: Sendable {
    package let name: String
    private let feed: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ feed: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.feed) = (name, feed)
    }

    package func run(_ bytes: [UInt8]) { feed(bytes) }

    /// All of them, the one place where they are listed.
    package static let all = logTargets + backupTargets + proofTargets + documentTargets

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Stops the fuzzer: the bytes at hand are a case worth keeping.
func require(_ condition: Bool, _ what: StaticString) {
    precondition(condition, "\(what)")
}
