/// An access was refused.
package struct AccessDenied: EventData {
    package var access: Access

    package static let definition = EventDefinition(51, "access.denied", "Refused", access: \.access, AccessDenied.init)

    package var summary: EventSummary { "\(.record): denied \(access.text)" }
}

extension JournalEvent {
    package static func accessDenied(_ access: Access) -> JournalEvent { JournalEvent(AccessDenied(access: access)) }
}
