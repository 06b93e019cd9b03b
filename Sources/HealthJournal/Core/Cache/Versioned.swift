/// A state with the version of the stream that it is folded from.
struct Versioned<State> {
    var state: State
    var version: UInt64
}

extension Versioned: Sendable where State: Sendable {}
