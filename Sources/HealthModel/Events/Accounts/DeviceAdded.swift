package import FoundationEssentials

/// A device of the account was registered, so that it may send changes that were made on it.
package struct DeviceAdded: EventData {
    package var device: UUID
    /// The name by which its holder recognizes it, such as "phone".
    package var name: String

    package static var type: EventType { EventType(code: 94) }

    package static let definition = EventDefinition(
        "device.added",
        .account,
        "Device added",
        DeviceAdded.init,
        EventField(1, "device", \.device),
        EventField(2, "name", \.name)
    )

    package var summary: EventSummary { "device \(device) of \(.account)" }
}

extension JournalEvent {
    package static func deviceAdded(_ device: UUID, name: String) -> JournalEvent {
        JournalEvent(DeviceAdded(device: device, name: name))
    }
}
