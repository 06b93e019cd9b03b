package import FoundationEssentials

/// A planned dose about which reminders may be due.
package struct ReminderDose: Hashable, Sendable {
    package var plan: UUID
    package var status: SlotStatus
    /// Whether reminders are sent in quiet hours too, and caregivers are notified if the dose is missed.
    package var isCritical: Bool

    package init(plan: UUID, status: SlotStatus, isCritical: Bool) {
        self.plan = plan
        self.status = status
        self.isCritical = isCritical
    }
}

/// The reminders that are to be sent at one moment, and when to ask again.
package struct ReminderRound: Hashable, Sendable {
    package var reminders: [Reminder] = []
    /// The first moment after this one at which a reminder may be due; nil if there is none among the given doses.
    package var next: Instant?

    package init() {}

    package mutating func add(_ other: ReminderRound) {
        reminders += other.reminders
        wake(at: other.next)
    }

    package mutating func wake(at instant: Instant?) {
        guard let instant else { return }
        next = next.map { min($0, instant) } ?? instant
    }
}

/// Decides which reminders are due.
///
/// Pure: the same doses, sent reminders and moment always give the same reminders. A reminder is sent first and recorded
/// afterwards, so it is returned again until it is among those that were sent.
package enum ReminderPlan {
    /// How long after a missed dose notifications about it are sent, in minutes.
    ///
    /// A service that was stopped for longer sends no notifications about doses that were missed meanwhile.
    package static let missedMinutes = 60

    /// Returns the reminders about planned doses that a recipient is to get at a moment.
    package static func round(
        about doses: some Sequence<ReminderDose>,
        to recipient: ReminderRecipient,
        sent: SentReminders,
        now: Instant
    ) -> ReminderRound {
        var round = ReminderRound()
        guard recipient.preferences.isEnabled, recipient.topics.contains(.care) else { return round }
        for dose in doses {
            for channel in recipient.channels {
                if recipient.role == .owner { remind(of: dose, on: channel, recipient, sent, now, &round) }
                if tellsIfMissed(dose, channel, recipient) { tell(of: dose, on: channel, recipient, sent, now, &round) }
            }
        }
        return round
    }

    /// Returns the reminders about stocks that are low, one for each level: `levels` contains the entry that set it.
    package static func round(
        aboutLow levels: [(plan: UUID, entry: UUID)],
        to recipient: ReminderRecipient,
        sent: SentReminders,
        now: Instant
    ) -> ReminderRound {
        var round = ReminderRound()
        guard recipient.preferences.isEnabled, recipient.role == .owner, recipient.topics.contains(.care) else {
            return round
        }
        for level in levels {
            let subject = ReminderSubject(.stockLow, plan: level.plan, about: level.entry.text)
            for channel in recipient.channels where channel.kind == .webhook {
                tellOnce(subject, on: channel, recipient, sent, now, isUrgent: false, &round)
            }
        }
        return round
    }

    /// How long after a serious finding reminders of it are sent, in minutes; longer than any quiet hours.
    package static let findingMinutes = 1_440

    /// Returns the reminders about serious findings of interactions, one for each on every channel.
    package static func round(
        aboutFindings findings: [(entry: UUID, isCritical: Bool)],
        to recipient: ReminderRecipient,
        sent: SentReminders,
        now: Instant
    ) -> ReminderRound {
        var round = ReminderRound()
        guard recipient.preferences.isEnabled, recipient.topics.contains(.interactions) else { return round }
        for finding in findings {
            let subject = ReminderSubject(.interactionFound, plan: finding.entry, about: finding.entry.text)
            for channel in recipient.channels {
                tellOnce(subject, on: channel, recipient, sent, now, isUrgent: finding.isCritical, &round)
            }
        }
        return round
    }

    private static func tellOnce(
        _ subject: ReminderSubject,
        on channel: ReminderChannel,
        _ recipient: ReminderRecipient,
        _ sent: SentReminders,
        _ now: Instant,
        isUrgent: Bool,
        _ round: inout ReminderRound
    ) {
        guard sent.times(subject, on: channel.id).isEmpty else { return }
        if !isUrgent, let end = recipient.quietEnd(at: now) {
            round.wake(at: end)
        } else {
            round.reminders.append(
                Reminder(subject, account: recipient.account, channel: channel, number: 0, isCritical: isUrgent)
            )
        }
    }

    /// Returns the moment from which a reminder is due that was to be sent at `moment`: the end of the quiet hours that
    /// the moment is in, unless the dose is critical.
    private static func since(_ moment: Instant, _ dose: ReminderDose, _ recipient: ReminderRecipient) -> Instant {
        dose.isCritical ? moment : recipient.quietEnd(at: moment) ?? moment
    }

    private static func remind(
        of dose: ReminderDose,
        on channel: ReminderChannel,
        _ recipient: ReminderRecipient,
        _ sent: SentReminders,
        _ now: Instant,
        _ round: inout ReminderRound
    ) {
        let status = dose.status
        guard status.state.isToTake || status.state == .later, var closes = status.closes else { return }
        // An overdue dose stays due.
        if status.due.slot.waits { closes = Instant(microseconds: .max) }
        let start = max(status.due.due, status.snoozedUntil ?? status.due.due)
        let subject = ReminderSubject(.doseDue, plan: dose.plan, about: status.due.slot.description)
        let times = sent.times(subject, on: channel.id)
        // Postponing begins anew, as does a dose that became due later because the person changed the time zone.
        let recent = times.filter { $0 >= start }
        let preferences = recipient.preferences
        guard recent.count <= preferences.followUps else { return }
        var moment = recent.last.map { $0.adding(minutes: preferences.followUpMinutes) } ?? start
        if moment <= now, !dose.isCritical, let end = recipient.quietEnd(at: now) { moment = end }
        guard moment < closes else { return }
        guard moment <= now, status.state.isToTake else { return round.wake(at: moment) }
        round.reminders.append(
            Reminder(
                subject,
                account: recipient.account,
                channel: channel,
                number: times.count,
                due: status.due,
                ends: status.due.slot.waits ? nil : closes,
                isCritical: dose.isCritical,
                since: since(moment, dose, recipient),
                lapses: status.due.slot.waits ? nil : closes
            )
        )
        let next = now.adding(minutes: preferences.followUpMinutes)
        if recent.count < preferences.followUps, next < closes { round.wake(at: next) }
    }

    /// Whether a channel is notified of a missed dose: a caregiver's, if the dose is critical, and a webhook.
    private static func tellsIfMissed(
        _ dose: ReminderDose,
        _ channel: ReminderChannel,
        _ recipient: ReminderRecipient
    ) -> Bool {
        recipient.role == .caregiver ? dose.isCritical : channel.kind == .webhook
    }

    private static func tell(
        of dose: ReminderDose,
        on channel: ReminderChannel,
        _ recipient: ReminderRecipient,
        _ sent: SentReminders,
        _ now: Instant,
        _ round: inout ReminderRound
    ) {
        guard let closes = dose.status.closes else { return }
        switch dose.status.state {
        case .open, .later: round.wake(at: closes)
        case .missed, .overdue:
            let last = closes.adding(minutes: missedMinutes)
            let subject = ReminderSubject(.doseMissed, plan: dose.plan, about: dose.status.due.slot.description)
            guard now < last, sent.times(subject, on: channel.id).isEmpty else { return }
            if !dose.isCritical, let end = recipient.quietEnd(at: now) {
                if end < last { round.wake(at: end) }
                return
            }
            round.reminders.append(
                Reminder(
                    subject,
                    account: recipient.account,
                    channel: channel,
                    number: 0,
                    due: dose.status.due,
                    isCritical: dose.isCritical,
                    since: since(closes, dose, recipient),
                    lapses: last
                )
            )
        case .taken, .partly, .skipped, .paused, .beforeKept, .decide: return
        }
    }
}
