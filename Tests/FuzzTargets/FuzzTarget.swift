/// A parser of untrusted bytes, which the fuzzer calls with any input.
///
/// A target returns if the bytes were parsed or refused. It traps if the parser traps, or if the result violates an
/// invariant that callers rely on.
package struct FuzzTarget: Sendable {
    package let name: String
    private let feed: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ feed: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.feed) = (name, feed)
    }

    package func run(_ bytes: [UInt8]) { feed(bytes) }

    /// All targets; this is the only list of them.
    package static let all = logTargets + backupTargets + proofTargets + documentTargets

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Stops the fuzzer unless a condition holds; the current bytes are then a case worth keeping.
func require(_ condition: Bool, _ what: StaticString) {
    precondition(condition, "\(what)")
}
