package import FoundationEssentials

/// A change of an entry that was made on a device and is sent later.
package struct SyncCommand: Hashable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case add, correct, change, retract, restore, log
        /// Postpones the reminders of a planned dose; the entry is the plan.
        case snooze
        /// Decides between two versions of the entry.
        case settle
    }

    /// Makes it safe to send the change again.
    package var id: String
    package var device: UUID
    /// Ascends with each change of the device.
    package var seq: UInt64
    /// The time by the device's clock.
    package var madeAt: Instant
    package var record: UUID
    package var entry: UUID
    package var kind: Kind
    package var action: Action
    /// The log position of the state of the entry that the device knew; nil if it did not know the entry.
    package var base: UInt64?
    /// The whole content; only for the actions that state one.
    package var content: EntryContent?
    /// The postponed reminders; only for `snooze`.
    package var snooze: Snooze?
    /// The decision; only for `settle`.
    package var settlement: DivergenceSettled?
    package var reason: String

    package init(
        id: String,
        device: UUID,
        seq: UInt64,
        madeAt: Instant,
        record: UUID,
        entry: UUID,
        kind: Kind,
        action: Action,
        base: UInt64? = nil,
        content: EntryContent? = nil,
        snooze: Snooze? = nil,
        settlement: DivergenceSettled? = nil,
        reason: String = ""
    ) {
        self.id = id
        self.device = device
        self.seq = seq
        self.madeAt = madeAt
        self.record = record
        self.entry = entry
        self.kind = kind
        self.action = action
        self.base = base
        self.content = content
        self.snooze = snooze
        self.settlement = settlement
        self.reason = reason
    }

    /// The maximum length of an id, in UTF-8 bytes.
    package static let idLength = 100
    /// The maximum number of changes in one request.
    package static let batch = 1_000
    /// How wrong the clock of a device may be, in microseconds: 20 years.
    package static let clockError: Int64 = 20 * 366 * 86_400_000_000
    /// The maximum size of one request, in bytes.
    package static let batchBytes = 8 << 20
}

/// What became of a change that a device sent.
package enum SyncOutcome: String, CaseIterable, Sendable {
    /// It applies as it was made.
    case taken
    /// The same change was sent before.
    case already
    /// It was combined with changes that the device did not know, without contradicting one.
    case merged
    /// It contradicts a change that the device did not know; both versions are kept.
    case diverged
    /// It was not accepted and remains on the device.
    case refused
}

/// What a change that a device sent does.
package struct SyncDecision: Hashable, Sendable {
    package var outcome: SyncOutcome
    package var events: [JournalEvent]
    /// The names of the fields in which the versions disagree.
    package var fields: [String]

    package init(_ outcome: SyncOutcome, _ events: [JournalEvent], fields: [String] = []) {
        self.outcome = outcome
        self.events = events
        self.fields = fields
    }
}
