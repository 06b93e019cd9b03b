package import FoundationEssentials

/// A dose that was taken or skipped: the typed form of an entry of the kind `dose`.
package struct LoggedDose: Hashable, Sendable {
    /// The id of the entry.
    package var id: UUID
    package var plan: UUID
    /// The planned dose that it is; nil for a dose outside the plan.
    package var slot: Slot?
    package var status: Status
    /// When it was taken, or when it was decided to skip it.
    package var at: Instant
    /// In the unit of the plan; nil if it was skipped or the plan has no amount.
    package var amount: ExactDecimal?
    /// The amount that the plan stated when the dose was logged.
    package var plannedAmount: ExactDecimal?
    package var reason: Reason?
    /// When the planned dose was due that it fills or repeats; nil for a dose outside the plan.
    package var planned: Instant?

    /// Whether it was taken in addition to a planned dose that was logged already.
    package var isRepeated: Bool { slot == nil && planned != nil }

    package init(
        id: UUID,
        plan: UUID,
        slot: Slot? = nil,
        status: Status,
        at: Instant,
        amount: ExactDecimal? = nil,
        plannedAmount: ExactDecimal? = nil,
        reason: Reason? = nil,
        planned: Instant? = nil
    ) {
        self.id = id
        self.plan = plan
        self.slot = slot
        self.status = status
        self.at = at
        self.amount = amount
        self.plannedAmount = plannedAmount
        self.reason = reason
        self.planned = planned
    }

    package enum Status: String, CaseIterable, Hashable, Sendable {
        case taken
        case skipped
    }

    /// Why a dose was skipped.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        case forgot, sideEffect, outOfStock, feltWell, unwell, advised, travel, other
    }
}
