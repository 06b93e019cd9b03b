/// A state with the version of the stream that it is folded from.
package struct Versioned<State> {
    package var state: State
    package var version: UInt64

    package init(state: State, version: UInt64) {
        self.state = state
        self.version = version
    }
}

extension Versioned: Sendable where State: Sendable {}
