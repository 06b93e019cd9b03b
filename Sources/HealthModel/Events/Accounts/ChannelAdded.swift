/// A channel for the reminders of an account was added.
package struct ChannelAdded: EventData {
    package var channel: ReminderChannel

    package static var type: EventType { EventType(code: 92) }

    package static let definition = EventDefinition(
        "channel.added",
        .account,
        "Channel for reminders added",
        { id, kind, address, showsNames, secret in
            ChannelAdded(
                channel: ReminderChannel(id: id, kind: kind, address: address, showsNames: showsNames, secret: secret)
            )
        },
        EventField(1, "channel", \.channel.id, .json),
        EventField(2, "kind", \.channel.kind),
        // The address of a channel often works like a password.
        EventField(3, "address", \.channel.address, .stored),
        EventField(4, "names", \.channel.showsNames),
        EventField(5, "secret", \.channel.secret, .stored)
    )

    package var summary: EventSummary { "\(channel.kind.name) of \(.account)" }
}

extension JournalEvent {
    package static func channelAdded(_ channel: ReminderChannel) -> JournalEvent {
        JournalEvent(ChannelAdded(channel: channel))
    }
}
