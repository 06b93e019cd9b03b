/// An access was refused.
package struct AccessDenied: AccessEvent {
    package var access: Access

    package static var type: EventType { EventType(code: 51) }

    package static let definition = EventDefinition("access.denied", "Refused", access: AccessDenied.init)

    package var summary: EventSummary { "\(.record): denied \(access.text)" }
}

extension JournalEvent {
    package static func accessDenied(_ access: Access) -> JournalEvent { JournalEvent(AccessDenied(access: access)) }
}
