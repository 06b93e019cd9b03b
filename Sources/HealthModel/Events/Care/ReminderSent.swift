/// A reminder was sent to a channel of an account.
///
/// It is appended after the reminder was sent: after a crash in between, the reminder is sent twice rather than never.
package struct ReminderSent: EventData {
    package var sent: SentReminder

    package static var type: EventType { EventType(code: 81) }

    package static let definition = EventDefinition(
        "reminder.sent",
        .care,
        "Reminder sent",
        { account, channel, cause, plan, about, number, at in
            ReminderSent(
                sent: SentReminder(
                    account: account,
                    channel: channel,
                    cause: cause,
                    plan: plan,
                    about: about,
                    number: number,
                    at: at
                )
            )
        },
        EventField(1, "account", \.sent.account, .json),
        EventField(2, "channel", \.sent.channel),
        EventField(3, "cause", \.sent.cause),
        EventField(4, "plan", \.sent.plan),
        EventField(5, "about", \.sent.about),
        EventField(6, "number", \.sent.number),
        EventField(7, "at", \.sent.at)
    )

    package var summary: EventSummary { "\(sent.cause.name) \(sent.about) to \(sent.account)" }
}

extension JournalEvent {
    package static func reminderSent(_ sent: SentReminder) -> JournalEvent { JournalEvent(ReminderSent(sent: sent)) }
}
