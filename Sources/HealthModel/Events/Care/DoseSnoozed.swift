/// The reminders of a planned dose were postponed.
package struct DoseSnoozed: EventData {
    package var snooze: Snooze

    package static var type: EventType { EventType(code: 80) }

    package static let definition = EventDefinition(
        "dose.snoozed",
        .care,
        "Reminder postponed",
        { plan, slot, until in DoseSnoozed(snooze: Snooze(plan: plan, slot: slot, until: until)) },
        EventField(1, "plan", \.snooze.plan),
        EventField(2, "slot", \.snooze.slot),
        EventField(3, "until", \.snooze.until)
    )

    package var summary: EventSummary { "\(snooze.slot) until \(snooze.until)" }
}

extension JournalEvent {
    package static func doseSnoozed(_ snooze: Snooze) -> JournalEvent { JournalEvent(DoseSnoozed(snooze: snooze)) }
}

extension Slot: EventValue {
    package static var fieldType: FieldType { .text(maximum: Limits.slot) }
    package var fieldValue: FieldValue? { .text(description) }

    package init?(fieldValue: FieldValue?) {
        guard case .text(let text)? = fieldValue, let slot = try? Slot(parsing: text) else { return nil }
        self = slot
    }
}
