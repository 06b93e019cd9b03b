package import FoundationEssentials

/// A patient waits for a time.
package struct WaitAdded: EventData {
    package var practice: UUID
    package var profile: WaitProfile

    package init(practice: UUID, profile: WaitProfile) {
        self.practice = practice
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 152) }

    package static let definition = EventDefinition(
        "wait.added",
        .appointment,
        "Put on the waiting list",
        WaitAdded.init,
        EventField(1, "practice", \.practice),
        EventField(2, "profile", \.profile)
    )

    package var summary: EventSummary { "of \(.record)" }
}
