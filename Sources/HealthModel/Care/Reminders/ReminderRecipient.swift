package import FoundationEssentials

/// What an account chose for its reminders.
package struct ReminderPreferences: Hashable, Sendable {
    package var isEnabled = true
    /// How often an unanswered reminder is repeated, and after how many minutes.
    package var followUps = 0
    package var followUpMinutes = 15
    /// The times of day between which no reminder is sent, maybe across midnight; nil without such hours.
    package var quietFrom: WallTime?
    package var quietUntil: WallTime?

    package init() {}

    package init(_ preferences: AccountPreferences) {
        isEnabled = preferences.notificationsEnabled
        (followUps, followUpMinutes) = (preferences.followUps.count, preferences.followUps.minutes)
        (quietFrom, quietUntil) = (preferences.quietFrom, preferences.quietUntil)
    }
}

/// An account that gets reminders about a record.
package struct ReminderRecipient: Hashable, Sendable {
    package var account: UUID
    package var role: Role
    /// What the account may read, and so may be reminded of.
    package var topics: Set<Topic>
    package var channels: [ReminderChannel]
    package var preferences: ReminderPreferences
    /// The clock by which the quiet hours are read.
    package var clock: PersonClock

    package enum Role: Hashable, Sendable {
        /// Gets reminders of the due doses.
        case owner
        /// Is notified if a critical dose is missed.
        case caregiver
    }

    package enum Topic: Hashable, Sendable {
        /// Planned doses and stocks.
        case care
        /// Findings about interactions.
        case interactions
    }

    package init(
        account: UUID,
        role: Role,
        topics: Set<Topic> = [.care, .interactions],
        channels: [ReminderChannel],
        preferences: ReminderPreferences,
        clock: PersonClock
    ) {
        self.account = account
        self.role = role
        self.topics = topics
        self.channels = channels
        self.preferences = preferences
        self.clock = clock
    }

    /// Returns the end of the quiet hours that an instant is in; nil if it is in none.
    func quietEnd(at now: Instant) -> Instant? {
        guard let from = preferences.quietFrom, let until = preferences.quietUntil, from != until else { return nil }
        let minute = Instant.microsecondsPerSecond * 60
        var end = now
        // The clock may be set back before the hours end, and then shows a part of them again.
        for _ in 0..<4 {
            guard let time = clock.wall(at: end).time,
                from < until ? from <= time && time < until : from <= time || time < until
            else { break }
            let left = (until.minutes - time.minutes + 1_440) % 1_440
            let start = (end.microseconds / minute) * minute
            end = Instant(microseconds: start).adding(minutes: left)
        }
        return end == now ? nil : end
    }
}
