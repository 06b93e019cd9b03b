package import FoundationEssentials

/// A channel for the reminders of an account was removed.
package struct ChannelRemoved: EventData {
    package var channel: UUID

    package static var type: EventType { EventType(code: 93) }

    package static let definition = EventDefinition(
        "channel.removed",
        .account,
        "Channel for reminders removed",
        ChannelRemoved.init,
        EventField(1, "channel", \.channel, .json)
    )

    package var summary: EventSummary { "channel \(channel) of \(.account)" }
}

extension JournalEvent {
    package static func channelRemoved(_ channel: UUID) -> JournalEvent {
        JournalEvent(ChannelRemoved(channel: channel))
    }
}
