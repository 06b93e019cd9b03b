package import FoundationEssentials

/// A room or a device of a practice was added or replaced.
package struct PlaceSet: EventData {
    package var place: UUID
    package var profile: PlaceProfile

    package init(place: UUID, profile: PlaceProfile) {
        self.place = place
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 138) }

    package static let definition = EventDefinition(
        "place.set",
        .practice,
        "Room set",
        sets: .each("place", by: "place"),
        PlaceSet.init,
        EventField(1, "place", \.place),
        EventField(2, "profile", \.profile)
    )

    package var summary: EventSummary { "room \(place)" }
}
