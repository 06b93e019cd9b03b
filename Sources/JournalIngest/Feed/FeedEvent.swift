package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// An event of the log as a caller may see it.
package struct FeedEvent: Hashable, Sendable {
    package let position: UInt64
    package let id: UUID
    package let type: EventType
    package let source: EventSource?
    package let recordedAt: Instant
    package let actor: UUID
    package let stream: UUID
    /// The record, the account or the journal that the event is about; nil for an event of another tool.
    package let subject: UUID?
    package let entry: UUID?
    package let kind: Kind?
    package let reason: String
    /// The event's data; nil if its type carries no data, or if the data was erased.
    package let data: JSONValue?
    /// Whether the event's data was erased for good.
    package let isErased: Bool

    package init(
        position: UInt64,
        id: UUID,
        type: EventType,
        source: EventSource?,
        recordedAt: Instant,
        actor: UUID,
        stream: UUID,
        subject: UUID?,
        entry: UUID?,
        kind: Kind?,
        reason: String,
        data: JSONValue?,
        isErased: Bool
    ) {
        self.position = position
        self.id = id
        self.type = type
        self.source = source
        self.recordedAt = recordedAt
        self.actor = actor
        self.stream = stream
        self.subject = subject
        self.entry = entry
        self.kind = kind
        self.reason = reason
        self.data = data
        self.isErased = isErased
    }
}

/// One page of a feed.
package struct FeedPage: Hashable, Sendable {
    package var events: [FeedEvent]
    /// The last position that was examined; the next page begins after it.
    package var through: UInt64
    /// Whether the log has more events after that position.
    package var hasMore: Bool
}

extension FeedEvent {
    /// The event as a CloudEvent 1.0 in the JSON format.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("specversion", .string("1.0")), .init("id", .string(id.text)),
            .init("source", .string(source?.name ?? "unknown")), .init("type", .string(type.name)),
            .init("time", .string(recordedAt.description)),
        ]
        if let subject { members.append(.init("subject", .string(subject.text))) }
        members += [
            .init("position", .integer(position)), .init("stream", .string(stream.text)),
            .init("actor", .string(actor.text)),
        ]
        if let entry { members.append(.init("entry", .string(entry.text))) }
        if let kind { members.append(.init("kind", .string(kind.name))) }
        if !reason.isEmpty { members.append(.init("reason", .string(reason))) }
        if isErased { members.append(.init("erased", .bool(true))) }
        if let data {
            members += [.init("datacontenttype", .string("application/json")), .init("data", data)]
        }
        return .object(members)
    }
}
