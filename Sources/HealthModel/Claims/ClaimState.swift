package import FoundationEssentials

/// Who holds a value that may stand only once in a journal, as a microchip number or an account's name.
///
/// Each such value has a stream of its own, so that two claims of it meet at the stream's expected version.
package struct ClaimState: Hashable, Sendable {
    package var holder: UUID?

    package init(holder: UUID? = nil) {
        self.holder = holder
    }
}
