/// A record was read.
package struct RecordRead: EventData {
    package var access: Access

    package static let definition = EventDefinition(50, "access.read", "Read", access: \.access, RecordRead.init)

    package var summary: EventSummary { "\(.record): \(access.text)" }
}

extension JournalEvent {
    package static func recordRead(_ access: Access) -> JournalEvent { JournalEvent(RecordRead(access: access)) }
}
