/// The preferences of an account's holder, for reminders and for clients.
package struct AccountPreferences: Hashable, Sendable {
    package var notificationsEnabled: Bool
    package var voiceInputEnabled: Bool
    /// The IANA identifier of the zone in which the account's holder lives; empty for the journal's.
    package var timeZone: String
    /// A BCP 47 language tag; empty for that of the browser.
    package var language: String
    package var reminderFrequency: ReminderFrequency
    package var mealTimes: MealTimes
    /// How often an unanswered reminder is repeated, and after how many minutes.
    package var followUps: FollowUps
    /// The times of day between which no reminder is sent; nil without such hours.
    ///
    /// They may span midnight.
    package var quietFrom: WallTime?
    package var quietUntil: WallTime?
    /// Whether reminders contain the names of medication.
    package var namesInReminders: Bool

    package enum ReminderFrequency: String, EventChoice {
        /// A new plan is prefilled with three meal times.
        case threeDaily = "three_daily"
        case custom

        package var name: String { rawValue }
    }

    /// The times of the meals; nil for a meal that has no time.
    package struct MealTimes: Hashable, Sendable {
        package var breakfast: WallTime? = WallTime(minutes: 8 * 60)
        package var lunch: WallTime? = WallTime(minutes: 12 * 60 + 30)
        package var dinner: WallTime? = WallTime(minutes: 18 * 60 + 30)
        package var bedtime: WallTime? = WallTime(minutes: 22 * 60)

        package init() {}

        init(breakfast: WallTime?, lunch: WallTime?, dinner: WallTime?, bedtime: WallTime?) {
            (self.breakfast, self.lunch, self.dinner, self.bedtime) = (breakfast, lunch, dinner, bedtime)
        }
    }

    package struct FollowUps: Hashable, Sendable {
        package var count: Int
        package var minutes: Int

        package init(count: Int = 0, minutes: Int = 15) {
            (self.count, self.minutes) = (count, minutes)
        }
    }

    package init(
        notificationsEnabled: Bool = true,
        voiceInputEnabled: Bool = true,
        timeZone: String = "",
        language: String = "",
        reminderFrequency: ReminderFrequency = .custom,
        mealTimes: MealTimes = MealTimes(),
        followUps: FollowUps = FollowUps(),
        quietFrom: WallTime? = nil,
        quietUntil: WallTime? = nil,
        namesInReminders: Bool = false
    ) {
        self.notificationsEnabled = notificationsEnabled
        self.voiceInputEnabled = voiceInputEnabled
        self.timeZone = timeZone
        self.language = language
        self.reminderFrequency = reminderFrequency
        self.mealTimes = mealTimes
        self.followUps = followUps
        self.quietFrom = quietFrom
        self.quietUntil = quietUntil
        self.namesInReminders = namesInReminders
    }
}

extension AccountPreferences {
    /// Reports whether a time of day is in the quiet hours: from `quietFrom` on, and before `quietUntil`.
    package func isQuiet(at time: WallTime) -> Bool {
        guard let quietFrom, let quietUntil else { return false }
        return quietFrom < quietUntil
            ? quietFrom <= time && time < quietUntil : quietFrom <= time || time < quietUntil
    }
}
