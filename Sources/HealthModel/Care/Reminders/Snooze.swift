package import FoundationEssentials

/// The postponement of the reminders of a planned dose.
package struct Snooze: Hashable, Sendable {
    package var plan: UUID
    package var slot: Slot
    package var until: Instant

    package init(plan: UUID, slot: Slot, until: Instant) {
        self.plan = plan
        self.slot = slot
        self.until = until
    }
}

/// Returns the event that postpones the reminders of a planned dose; throws if that is refused.
///
/// `status` is the dose as it is now. An equal postponement changes nothing.
package func decide(_ snooze: Snooze, _ status: SlotStatus, now: Instant) throws(ModelError) -> [JournalEvent] {
    guard status.state.isToTake || status.state == .later else {
        throw ModelError(.conflict, field: "slot", "only a dose that is open or ahead can be postponed")
    }
    guard snooze.until > now else { throw ModelError(.invalid, field: "until", "must be in the future") }
    guard let closes = status.closes, status.due.slot.waits || snooze.until < closes else {
        throw ModelError(.invalid, field: "until", "the dose is missed by then: choose an earlier time")
    }
    return status.snoozedUntil == snooze.until ? [] : [.doseSnoozed(snooze)]
}
