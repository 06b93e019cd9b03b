package import FoundationEssentials

/// A specialist is available after all.
package struct AbsenceRemoved: EventData {
    package var absence: UUID

    package init(absence: UUID) {
        self.absence = absence
    }

    package static var type: EventType { EventType(code: 127) }

    package static let definition = EventDefinition(
        "absence.removed",
        .practice,
        "Absence removed",
        AbsenceRemoved.init,
        EventField(1, "absence", \.absence)
    )

    package var summary: EventSummary { "absence \(absence)" }
}
