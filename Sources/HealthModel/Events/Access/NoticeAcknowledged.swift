/// An owner acknowledged that the emergency view was opened.
package struct NoticeAcknowledged: EventData {
    /// The position of the `EmergencyOpened` event.
    package var position: UInt64

    package static var type: EventType { EventType(code: 53) }

    package static let definition = EventDefinition(
        "notice.acknowledged",
        .access,
        "Emergency notice acknowledged",
        NoticeAcknowledged.init,
        EventField(1, "notice", \.position, .json)
    )

    package var summary: EventSummary { "emergency at position \(position) of \(.record)" }
}

extension JournalEvent {
    package static func noticeAcknowledged(position: UInt64) -> JournalEvent {
        JournalEvent(NoticeAcknowledged(position: position))
    }
}
