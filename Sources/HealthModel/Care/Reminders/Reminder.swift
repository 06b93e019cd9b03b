package import FoundationEssentials

/// Why a reminder is sent.
package enum ReminderCause: String, EventChoice, Sendable {
    case doseDue = "dose.due"
    case doseMissed = "dose.missed"
    case stockLow = "stock.low"
    case interactionFound = "interaction.found"

    package var name: String { rawValue }
}

/// What a reminder is about; it may be repeated.
package struct ReminderSubject: Hashable, Sendable {
    package var cause: ReminderCause
    /// The entry of the plan; for an interaction, that of the finding.
    package var plan: UUID
    /// The name of the planned dose; for a low stock, that of the entry that set its level; for an interaction, that of
    /// the finding.
    package var about: String

    package init(_ cause: ReminderCause, plan: UUID, about: String) {
        self.cause = cause
        self.plan = plan
        self.about = about
    }
}

/// A reminder that is to be sent now.
package struct Reminder: Hashable, Sendable {
    package var subject: ReminderSubject
    package var account: UUID
    package var channel: ReminderChannel
    /// How often the channel got a reminder of the subject before.
    package var number: Int
    /// The planned dose; nil for a low stock and an interaction.
    package var due: Due?
    /// When it is of no more use to deliver the reminder; nil if it has no such moment.
    package var ends: Instant?
    /// Whether it is sent before others, and in quiet hours too: it is about a critical dose or interaction.
    package var isCritical: Bool
    /// The moment from which it was due, outside quiet hours; nil if it is due since it was first computed.
    package var since: Instant?
    /// The moment from which it is not sent any more; nil if it has no such moment.
    package var lapses: Instant?

    package init(
        _ subject: ReminderSubject,
        account: UUID,
        channel: ReminderChannel,
        number: Int,
        due: Due? = nil,
        ends: Instant? = nil,
        isCritical: Bool = false,
        since: Instant? = nil,
        lapses: Instant? = nil
    ) {
        self.subject = subject
        self.account = account
        self.channel = channel
        self.number = number
        self.due = due
        self.ends = ends
        self.isCritical = isCritical
        self.since = since
        self.lapses = lapses
    }

    /// The id of the reminder, from which a receiver can tell whether it got it before.
    package var id: UUID {
        UUID(nameBased: channel.id, "\(subject.cause.name)\n\(subject.plan.text)\n\(subject.about)\n\(number)")
    }

    /// The id that all reminders of one subject on the channel share: a later one replaces an earlier one.
    package var topic: UUID {
        UUID(nameBased: channel.id, "\(subject.cause.name)\n\(subject.plan.text)\n\(subject.about)")
    }

    /// The record of its sending.
    package func sent(at instant: Instant) -> SentReminder {
        SentReminder(
            account: account,
            channel: channel.id,
            cause: subject.cause,
            plan: subject.plan,
            about: subject.about,
            number: number,
            at: instant
        )
    }
}

/// A reminder that was sent.
package struct SentReminder: Hashable, Sendable {
    package var account: UUID
    package var channel: UUID
    package var cause: ReminderCause
    package var plan: UUID
    package var about: String
    package var number: Int
    /// The time for which it was due when it was sent.
    package var at: Instant

    package init(
        account: UUID,
        channel: UUID,
        cause: ReminderCause,
        plan: UUID,
        about: String,
        number: Int,
        at: Instant
    ) {
        self.account = account
        self.channel = channel
        self.cause = cause
        self.plan = plan
        self.about = about
        self.number = number
        self.at = at
    }
}

/// The reminders that were sent, by channel and subject, each with its times in ascending order.
package struct SentReminders: Hashable, Sendable {
    private struct Key: Hashable {
        let channel: UUID
        let subject: ReminderSubject
    }

    private var times: [Key: [Instant]] = [:]

    package init() {}

    package mutating func add(_ sent: SentReminder) {
        let subject = ReminderSubject(sent.cause, plan: sent.plan, about: sent.about)
        times[Key(channel: sent.channel, subject: subject), default: []].append(sent.at)
    }

    package func times(_ subject: ReminderSubject, on channel: UUID) -> [Instant] {
        (times[Key(channel: channel, subject: subject)] ?? []).sorted()
    }
}
