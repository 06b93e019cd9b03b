package import FoundationEssentials

/// The plaintext metadata of an event, given by the caller of an append.
///
/// It contains no health data.
package struct EventHeader: Hashable, Sendable {
    package var stream: UUID
    /// The event's own id; a name-based id (version 5) is an idempotency key.
    package var id: UUID
    /// The subject whose data key seals the payload.
    package var subject: UUID
    package var type: UInt16
    package var schemaVersion: UInt16
    package var category: UInt16
    /// The kind of the entry, or 0.
    package var kind: UInt16 = 0
    package var actor: UUID
    package var correlation: UUID
    /// The event that caused this one; all zero if there is none.
    package var causation: UUID = .zero
    /// The entry that the event is about; all zero if there is none.
    package var entry: UUID = .zero
    package var occurred: Occurred?
    package var source: UInt16

    /// When the event happened in the real world: the day in UTC, and whether more than the day is known.
    package struct Occurred: Hashable, Sendable {
        package var daysSince1970: Int32
        package var isInstant: Bool

        package init(daysSince1970: Int32, isInstant: Bool) {
            self.daysSince1970 = daysSince1970
            self.isInstant = isInstant
        }
    }

    package init(
        stream: UUID,
        id: UUID,
        subject: UUID,
        type: UInt16,
        schemaVersion: UInt16,
        category: UInt16,
        actor: UUID,
        correlation: UUID,
        source: UInt16
    ) {
        self.stream = stream
        self.id = id
        self.subject = subject
        self.type = type
        self.schemaVersion = schemaVersion
        self.category = category
        self.actor = actor
        self.correlation = correlation
        self.source = source
    }
}

extension UUID {
    /// The id that means "none" in a frame.
    package static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Whether the id is name-based (version 5), which always means a client's idempotency key.
    package var isNameBased: Bool { uuid.6 >> 4 == 5 }
}
