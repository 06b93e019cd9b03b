/// The preferences of the account were replaced.
package struct PreferencesSet: EventData {
    package var notificationsEnabled = true
    package var voiceInputEnabled = false
    /// The IANA identifier of the zone in which the account's holder lives; empty for the journal's.
    package var timeZone = ""
    /// A BCP 47 language tag; empty for that of the browser.
    package var language = ""
    package var reminderFrequency = ReminderFrequency.custom
    package var mealTimes = MealTimes()
    /// How often a reminder that nobody answers is repeated, and after how many minutes.
    package var followUps = FollowUps()
    /// The times of day between which no reminder is sent; nil without such hours.
    package var quietFrom: WallTime?
    package var quietUntil: WallTime?
    /// Whether reminders contain the names of medication.
    package var namesInReminders = false

    package enum ReminderFrequency: String, EventChoice {
        /// A new plan is prefilled with three meal times.
        case threeDaily = "three_daily"
        case custom

        package var name: String { rawValue }
    }

    package struct MealTimes: Hashable, Sendable {
        package var breakfast: WallTime? = WallTime(minutes: 8 * 60)
        package var lunch: WallTime? = WallTime(minutes: 12 * 60 + 30)
        package var dinner: WallTime? = WallTime(minutes: 18 * 60 + 30)
        package var bedtime: WallTime? = WallTime(minutes: 22 * 60)
    }

    package struct FollowUps: Hashable, Sendable {
        package var count = 0
        package var minutes = 15
    }

    package static var type: EventType { EventType(code: 90) }

    package static let definition = EventDefinition(
        "account.preferencesSet",
        .account,
        "Preferences changed",
        replacesPrevious: true,
        {
            PreferencesSet(
                notificationsEnabled: $0,
                voiceInputEnabled: $1,
                timeZone: $2,
                language: $3,
                reminderFrequency: $4,
                mealTimes: MealTimes(breakfast: $5, lunch: $6, dinner: $7, bedtime: $8),
                followUps: FollowUps(count: $9, minutes: $10),
                quietFrom: $11,
                quietUntil: $12,
                namesInReminders: $13
            )
        },
        EventField(1, "notificationsEnabled", \.notificationsEnabled),
        EventField(2, "voiceInputEnabled", \.voiceInputEnabled),
        EventField(3, "timeZone", \.timeZone),
        EventField(4, "language", \.language),
        EventField(5, "reminderFrequency", \.reminderFrequency),
        EventField(6, "breakfast", \.mealTimes.breakfast),
        EventField(7, "lunch", \.mealTimes.lunch),
        EventField(8, "dinner", \.mealTimes.dinner),
        EventField(9, "bedtime", \.mealTimes.bedtime),
        EventField(10, "followUps", \.followUps.count),
        EventField(11, "followUpMinutes", \.followUps.minutes),
        EventField(12, "quietFrom", \.quietFrom),
        EventField(13, "quietUntil", \.quietUntil),
        EventField(14, "namesInReminders", \.namesInReminders)
    )

    package var summary: EventSummary { "the preferences of \(.account)" }
}

extension JournalEvent {
    package static func preferencesSet(_ preferences: PreferencesSet) -> JournalEvent { JournalEvent(preferences) }
}
