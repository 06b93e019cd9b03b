package import FoundationEssentials

/// A device of the account may no longer send changes.
package struct DeviceRemoved: EventData {
    package var device: UUID

    package static var type: EventType { EventType(code: 95) }

    package static let definition = EventDefinition(
        "device.removed",
        .account,
        "Device removed",
        DeviceRemoved.init,
        EventField(1, "device", \.device)
    )

    package var summary: EventSummary { "device \(device) of \(.account)" }
}

extension JournalEvent {
    package static func deviceRemoved(_ device: UUID) -> JournalEvent { JournalEvent(DeviceRemoved(device: device)) }
}
