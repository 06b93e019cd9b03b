extension AccountPreferences: FieldDescribed {
    private typealias Own = AccountPreferences

    private static let notifications = Field(1, "notificationsEnabled", "Reminders and notices", .flag)
    private static let voiceInput = Field(2, "voiceInputEnabled", "Voice input", .flag)
    private static let zone = Field(3, "timeZone", "Time zone", .zone)
    private static let language = Field(
        4,
        "language",
        "Language",
        .text(maximum: Limits.languageTag),
        format: .languageTag
    )
    private static let frequency = Field(5, "reminderFrequency", "New plans", ReminderFrequency.fieldType)

    private static let breakfast = Field(1, "breakfast", "Breakfast", .wallTime)
    private static let lunch = Field(2, "lunch", "Lunch", .wallTime)
    private static let dinner = Field(3, "dinner", "Dinner", .wallTime)
    private static let bedtime = Field(4, "bedtime", "Bedtime", .wallTime)
    private static let meals = Field(6, "mealTimes", "Meal times", .group([breakfast, lunch, dinner, bedtime]))

    private static let count = Field(1, "count", "Number", .integer(0...5))
    private static let minutes = Field(2, "minutes", "Minutes between them", .integer(5...120))
    private static let repeats = Field(7, "followUps", "Repeated reminders", .group([count, minutes]))

    private static let from = Field(1, "from", "From", .wallTime)
    private static let to = Field(2, "to", "To", .wallTime)
    private static let quiet = Field(8, "quiet", "Quiet hours", .group([from, to]))

    private static let detail = Field(9, "detail", "Text of reminders", .choice(["neutral", "names"]))

    package static let fields = [
        notifications, voiceInput, zone, language, frequency, meals, repeats, quiet, detail,
    ]

    package init(values: FieldValues) {
        self.init()
        notificationsEnabled = values.flag(Own.notifications) ?? notificationsEnabled
        voiceInputEnabled = values.flag(Own.voiceInput) ?? voiceInputEnabled
        timeZone = values.text(Own.zone) ?? ""
        language = values.text(Own.language) ?? ""
        reminderFrequency = ReminderFrequency(fieldValue: values[Own.frequency]) ?? reminderFrequency
        if let group = values.group(Own.meals) {
            mealTimes = MealTimes(
                breakfast: group.wallTime(Own.breakfast),
                lunch: group.wallTime(Own.lunch),
                dinner: group.wallTime(Own.dinner),
                bedtime: group.wallTime(Own.bedtime)
            )
        }
        let repeated = values.group(Own.repeats)
        followUps.count = repeated?.integer(Own.count).flatMap { Int(exactly: $0) } ?? followUps.count
        followUps.minutes = repeated?.integer(Own.minutes).flatMap { Int(exactly: $0) } ?? followUps.minutes
        quietFrom = values.group(Own.quiet)?.wallTime(Own.from)
        quietUntil = values.group(Own.quiet)?.wallTime(Own.to)
        namesInReminders = values.text(Own.detail) == "names"
    }

    package var values: FieldValues {
        var meals = FieldValues()
        meals[Own.breakfast] = mealTimes.breakfast.fieldValue
        meals[Own.lunch] = mealTimes.lunch.fieldValue
        meals[Own.dinner] = mealTimes.dinner.fieldValue
        meals[Own.bedtime] = mealTimes.bedtime.fieldValue
        var repeated = FieldValues()
        repeated[Own.count] = followUps.count.fieldValue
        repeated[Own.minutes] = followUps.minutes.fieldValue
        var quiet = FieldValues()
        quiet[Own.from] = quietFrom.fieldValue
        quiet[Own.to] = quietUntil.fieldValue
        var values = FieldValues()
        values[Own.notifications] = .flag(notificationsEnabled)
        values[Own.voiceInput] = .flag(voiceInputEnabled)
        values[Own.zone] = .text(timeZone)
        values[Own.language] = .text(language)
        values[Own.frequency] = reminderFrequency.fieldValue
        values[Own.meals] = .group(meals)
        values[Own.repeats] = .group(repeated)
        values[Own.quiet] = .group(quiet)
        values[Own.detail] = .text(namesInReminders ? "names" : "neutral")
        return values
    }

    package func check() throws(ModelError) {
        switch (quietFrom, quietUntil) {
        case (nil, nil): break
        case (let from?, let to?) where from != to: break
        case (nil, _): throw ModelError(.invalid, field: "quiet.from", "is required with quiet.to")
        case (_, nil): throw ModelError(.invalid, field: "quiet.to", "is required with quiet.from")
        default: throw ModelError(.invalid, field: "quiet.to", "must differ from quiet.from")
        }
    }
}
