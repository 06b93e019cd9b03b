package import FoundationEssentials

/// An event as read from the log: the input of `evolve`.
package struct RecordedEvent: Hashable, Sendable {
    package var stamp: Stamp
    /// The record, the account, the stream of another tool or the journal that the event is about.
    package var subject: UUID
    package var stream: UUID
    package var entry: UUID?
    package var type: EventType
    package var event: JournalEvent
    package var reason: String
    /// When and where the change was made, if a device sent it later.
    package var origin: ChangeOrigin?
    /// The time of the machine's clock, if the recorded time is later; see `clock` in journal.proto.
    ///
    /// It is stored in the encrypted payload. It is no part of `stamp`, which is the same whether it is read from a
    /// header or from the whole event.
    package var clock: Instant?

    package init(
        stamp: Stamp,
        subject: UUID,
        stream: UUID,
        entry: UUID? = nil,
        event: JournalEvent,
        reason: String = "",
        origin: ChangeOrigin? = nil,
        clock: Instant? = nil
    ) {
        self.stamp = stamp
        self.subject = subject
        self.stream = stream
        self.entry = entry
        self.type = event.type
        self.event = event
        self.reason = reason
        self.origin = origin
        self.clock = clock
    }
}
