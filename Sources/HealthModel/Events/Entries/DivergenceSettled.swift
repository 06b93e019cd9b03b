/// A person decided between the versions of an entry; the choice is recorded as a correction if it changes the shown
/// version.
package struct DivergenceSettled: EventData {
    /// The position of the event that kept the other version.
    package var position: UInt64
    package var choice: Choice

    package init(position: UInt64, choice: Choice) {
        self.position = position
        self.choice = choice
    }

    package enum Choice: String, EventChoice {
        /// The shown version stays.
        case keep
        /// The other version is shown.
        case take
        /// Both are right: of a dose, they are two doses; of a meal, all foods were eaten.
        case both

        package var name: String { rawValue }
    }

    package static var type: EventType { EventType(code: 36) }

    package static let definition = EventDefinition(
        "divergence.settled",
        .entry,
        "Versions settled",
        effect: .annotates,
        DivergenceSettled.init,
        EventField(1, "position", \.position),
        EventField(2, "choice", \.choice)
    )

    package var summary: EventSummary { "entry of \(.record), \(choice.name)" }
}

extension JournalEvent {
    package static func divergenceSettled(_ position: UInt64, _ choice: DivergenceSettled.Choice) -> JournalEvent {
        JournalEvent(DivergenceSettled(position: position, choice: choice))
    }
}
