package import FoundationEssentials

/// A patient came again, so that its recall is done.
package struct RecallMet: EventData {
    package var recall: UUID

    package init(recall: UUID) {
        self.recall = recall
    }

    package static var type: EventType { EventType(code: 147) }

    package static let definition = EventDefinition(
        "recall.met",
        .appointment,
        "Recall met",
        RecallMet.init,
        EventField(1, "recall", \.recall)
    )

    package var summary: EventSummary { "of \(.record)" }
}
