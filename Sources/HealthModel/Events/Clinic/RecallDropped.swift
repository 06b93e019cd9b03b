package import FoundationEssentials

/// A patient need not come again.
package struct RecallDropped: EventData {
    package var recall: UUID

    package init(recall: UUID) {
        self.recall = recall
    }

    package static var type: EventType { EventType(code: 148) }

    package static let definition = EventDefinition(
        "recall.dropped",
        .appointment,
        "Recall dropped",
        RecallDropped.init,
        EventField(1, "recall", \.recall)
    )

    package var summary: EventSummary { "of \(.record)" }
}
