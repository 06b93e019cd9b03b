package import FoundationEssentials

/// A patient is to come again.
package struct RecallSet: EventData {
    package var recall: UUID
    package var service: UUID
    package var due: Day
    package var group: String

    package init(recall: UUID, service: UUID, due: Day, group: String) {
        self.recall = recall
        self.service = service
        self.due = due
        self.group = group
    }

    package static var type: EventType { EventType(code: 146) }

    package static let definition = EventDefinition(
        "recall.set",
        .appointment,
        "Recall set",
        RecallSet.init,
        EventField(1, "recall", \.recall),
        EventField(2, "service", \.service),
        EventField(3, "due", \.due),
        EventField(4, "group", \.group)
    )

    package var summary: EventSummary { "of \(.record)" }
}
