package import FoundationEssentials

/// The holder of a value that must be unique within a journal, such as a microchip number or an account name.
///
/// Each such value has its own stream, so that one of two concurrent claims fails the check of the stream's expected
/// version.
package struct ClaimState: Hashable, Sendable {
    package var holder: UUID?

    package init(holder: UUID? = nil) {
        self.holder = holder
    }
}
