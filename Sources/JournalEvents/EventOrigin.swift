package import FoundationEssentials
package import HealthModel

/// Who has something done, through which door, and why: what goes into the header and the payload of each event.
package struct EventOrigin: Hashable, Sendable {
    package var actor: UUID
    package var source: EventSource
    /// The same for all events of one request.
    package var correlation: UUID
    package var reason: String

    package init(actor: UUID, source: EventSource, correlation: UUID, reason: String = "") {
        self.actor = actor
        self.source = source
        self.correlation = correlation
        self.reason = reason
    }
}
