/// A specialist works again.
package struct SpecialistReturned: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 129) }

    package static let definition = EventDefinition(
        "specialist.returned",
        .practice,
        "Specialist returned",
        { SpecialistReturned() }
    )

    package var summary: EventSummary { "a specialist" }
}
