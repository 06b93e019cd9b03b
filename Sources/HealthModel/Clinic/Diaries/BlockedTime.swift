package import FoundationEssentials

/// A time in which a room or a device cannot be used.
package struct BlockedTime: Hashable, Sendable {
    package var id: UUID
    package var span: TimeSpan

    package init(id: UUID, span: TimeSpan) {
        (self.id, self.span) = (id, span)
    }
}
