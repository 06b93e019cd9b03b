/// The plan of a medication or a supplement was changed from a moment on; before that moment, it is as it was.
///
/// The content's `lastChange` states the moment and the kind of change.
package struct PlanChanged: EntryContentEvent {
    /// The complete new content.
    package var content: EntryContent

    package static var type: EventType { EventType(code: 34) }

    package static let definition = EventDefinition(
        "plan.changed",
        "Plan changed",
        effect: .replaces,
        content: PlanChanged.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static func planChanged(_ content: EntryContent) -> JournalEvent {
        JournalEvent(PlanChanged(content: content))
    }
}
