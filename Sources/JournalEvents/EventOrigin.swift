package import FoundationEssentials
package import HealthModel

/// The actor, source, correlation and reason of a request, stored in the header and payload of each of its events.
package struct EventOrigin: Hashable, Sendable {
    package var actor: UUID
    package var source: EventSource
    /// The id that all events of one request share.
    package var correlation: UUID
    package var reason: String

    package init(actor: UUID, source: EventSource, correlation: UUID, reason: String = "") {
        self.actor = actor
        self.source = source
        self.correlation = correlation
        self.reason = reason
    }
}
