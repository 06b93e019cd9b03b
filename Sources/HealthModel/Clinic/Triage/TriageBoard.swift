package import FoundationEssentials

/// A patient that waits on the triage board of a practice.
package struct TriageBoardEntry: Hashable, Sendable {
    package var id: UUID
    /// The level that counts: that of a person, or else the computed one; yellow until the first assessment.
    package var level: UrgencyLevel
    package var arrivedAt: Instant
    /// When the level was last assessed or set; nil before the first assessment.
    package var assessedAt: Instant?

    package init(id: UUID, level: UrgencyLevel, arrivedAt: Instant, assessedAt: Instant?) {
        self.id = id
        self.level = level
        self.arrivedAt = arrivedAt
        self.assessedAt = assessedAt
    }

    /// Creates the entry of a patient that has not been assessed yet.
    package static func begun(id: UUID, arrivedAt: Instant) -> TriageBoardEntry {
        TriageBoardEntry(id: id, level: .yellow, arrivedAt: arrivedAt, assessedAt: nil)
    }
}

extension TriageBoardEntry {
    /// The minutes after arrival within which a patient is assessed.
    package static let assessedWithinMinutes = 5

    /// When the patient is to be seen, or to be assessed if that was not done yet.
    package var dueAt: Instant {
        arrivedAt.adding(minutes: assessedAt == nil ? Self.assessedWithinMinutes : level.seenWithinMinutes)
    }

    /// After this moment the patient is overdue.
    package var overdueAt: Instant {
        arrivedAt.adding(minutes: assessedAt == nil ? Self.assessedWithinMinutes : level.overdueAfterMinutes)
    }

    /// When staff look at the waiting patient again; nil if it must not wait, or before the first assessment.
    package var lookAgainAt: Instant? {
        guard let assessedAt, let minutes = level.lookAgainMinutes else { return nil }
        return assessedAt.adding(minutes: minutes)
    }

    /// Returns what the board shows about the waiting time at a moment.
    package func status(at now: Instant) -> Status {
        Status(isDue: now >= dueAt, isOverdue: now > overdueAt, isLookAgainDue: lookAgainAt.map { now >= $0 } ?? false)
    }

    /// What the board shows about a waiting time; it changes no level and no order.
    package struct Status: Hashable, Sendable {
        package var isDue: Bool
        package var isOverdue: Bool
        package var isLookAgainDue: Bool
    }

    /// The place of a patient on the board.
    package var order: Order { Order(level: level, dueAt: dueAt, arrivedAt: arrivedAt, id: id) }

    /// The order of the board: by level, due time, arrival and id.
    ///
    /// The level comes first, so that an overdue green patient never passes an orange one.
    package struct Order: Hashable, Comparable, Sendable {
        let level: UrgencyLevel
        let dueAt: Instant
        let arrivedAt: Instant
        let id: UUID

        package static func < (left: Order, right: Order) -> Bool {
            if left.level != right.level { return left.level < right.level }
            if left.dueAt != right.dueAt { return left.dueAt < right.dueAt }
            if left.arrivedAt != right.arrivedAt { return left.arrivedAt < right.arrivedAt }
            return left.id < right.id
        }
    }
}

extension Sequence<TriageBoardEntry> {
    /// The entries in the order of the board.
    package var inBoardOrder: [TriageBoardEntry] { sorted { $0.order < $1.order } }
}
