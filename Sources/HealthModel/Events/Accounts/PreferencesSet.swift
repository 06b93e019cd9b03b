/// The preferences of the account were replaced.
package struct PreferencesSet: EventData {
    package var preferences: AccountPreferences

    package static var type: EventType { EventType(code: 90) }

    package static let definition = EventDefinition(
        "account.preferencesSet",
        .account,
        "Preferences changed",
        sets: "preferences",
        {
            PreferencesSet(
                preferences: AccountPreferences(
                    notificationsEnabled: $0,
                    voiceInputEnabled: $1,
                    timeZone: $2,
                    language: $3,
                    reminderFrequency: $4,
                    mealTimes: AccountPreferences.MealTimes(breakfast: $5, lunch: $6, dinner: $7, bedtime: $8),
                    followUps: AccountPreferences.FollowUps(count: $9, minutes: $10),
                    quietFrom: $11,
                    quietUntil: $12,
                    namesInReminders: $13
                )
            )
        },
        EventField(1, "notificationsEnabled", \.preferences.notificationsEnabled),
        EventField(2, "voiceInputEnabled", \.preferences.voiceInputEnabled),
        EventField(3, "timeZone", \.preferences.timeZone),
        EventField(4, "language", \.preferences.language),
        EventField(5, "reminderFrequency", \.preferences.reminderFrequency),
        EventField(6, "breakfast", \.preferences.mealTimes.breakfast),
        EventField(7, "lunch", \.preferences.mealTimes.lunch),
        EventField(8, "dinner", \.preferences.mealTimes.dinner),
        EventField(9, "bedtime", \.preferences.mealTimes.bedtime),
        EventField(10, "followUps", \.preferences.followUps.count),
        EventField(11, "followUpMinutes", \.preferences.followUps.minutes),
        EventField(12, "quietFrom", \.preferences.quietFrom),
        EventField(13, "quietUntil", \.preferences.quietUntil),
        EventField(14, "namesInReminders", \.preferences.namesInReminders)
    )

    package var summary: EventSummary { "the preferences of \(.account)" }
}

extension JournalEvent {
    package static func preferencesSet(_ preferences: AccountPreferences) -> JournalEvent {
        JournalEvent(PreferencesSet(preferences: preferences))
    }
}
