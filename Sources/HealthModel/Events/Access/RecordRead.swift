/// A record was read.
package struct RecordRead: AccessEvent {
    package var access: Access

    package static var type: EventType { EventType(code: 50) }

    package static let definition = EventDefinition("access.read", "Read", access: RecordRead.init)

    package var summary: EventSummary { "\(.record): \(access.text)" }
}

extension JournalEvent {
    package static func recordRead(_ access: Access) -> JournalEvent { JournalEvent(RecordRead(access: access)) }
}
