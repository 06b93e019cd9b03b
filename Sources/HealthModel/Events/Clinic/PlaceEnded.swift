package import FoundationEssentials

/// A practice does not use a room or a device any more.
package struct PlaceEnded: EventData {
    package var place: UUID

    package init(place: UUID) {
        self.place = place
    }

    package static var type: EventType { EventType(code: 139) }

    package static let definition = EventDefinition(
        "place.ended",
        .practice,
        "Room ended",
        PlaceEnded.init,
        EventField(1, "place", \.place)
    )

    package var summary: EventSummary { "room \(place)" }
}
