import Testing

@testable import HealthModel

@Suite("Decisions about account settings")
struct AccountSettingsDeciderTests {
    private let anna = JournalEvent.accountAdded(AccountProfile(name: "anna", email: "old@example.org"))

    @Test("Settings replace the previous ones, and the same ones again change nothing")
    func replaces() throws {
        let details = AccountDetails(email: "new@example.org", displayName: "Anna")
        let preferences = AccountPreferences(timeZone: "Europe/Zurich", namesInReminders: true)
        let trial = Subscription(status: .trial, term: .monthly, trialEnd: Instant(microseconds: 5))
        #expect(try Given(anna).when(.setDetails(details)) == [.profileSet(details)])
        #expect(try Given(anna).when(.setPreferences(preferences)) == [.preferencesSet(preferences)])
        #expect(try Given(anna).when(.setSubscription(trial)) == [.subscriptionSet(trial)])
        let given = Given(anna, .profileSet(details), .preferencesSet(preferences), .subscriptionSet(trial))
        #expect(try given.when(.setDetails(details)).isEmpty)
        #expect(try given.when(.setPreferences(preferences)).isEmpty)
        #expect(try given.when(.setSubscription(trial)).isEmpty)
        #expect(try Given(anna).when(.setPreferences(AccountPreferences())).isEmpty)
    }

    @Test("The values of settings are the settings again")
    func values() throws {
        let preferences = AccountPreferences(
            notificationsEnabled: false,
            voiceInputEnabled: false,
            timeZone: "Asia/Kathmandu",
            language: "de-CH-1996",
            reminderFrequency: .threeDaily,
            mealTimes: AccountPreferences.MealTimes(
                breakfast: nil,
                lunch: WallTime(minutes: 1),
                dinner: nil,
                bedtime: nil
            ),
            followUps: AccountPreferences.FollowUps(count: 5, minutes: 120),
            quietFrom: WallTime(minutes: 1_320),
            quietUntil: WallTime(minutes: 0),
            namesInReminders: true
        )
        try preferences.validate(now: Instant(microseconds: 0))
        #expect(AccountPreferences(values: preferences.values) == preferences)
        #expect(AccountPreferences(values: FieldValues()) == AccountPreferences())
        let details = AccountDetails(email: "a", displayName: "b", pictureAddress: "c")
        #expect(AccountDetails(values: details.values) == details)
    }

    @Test(
        "A text that is not valid for a preference is refused, and the error names the field",
        arguments: [
            ("timeZone", "/etc/passwd"), ("language", "x"), ("language", "de_CH"), ("language", "de-"),
            ("reminderFrequency", "hourly"), ("mealTimes.lunch", "25:00"), ("followUps.count", "6"),
            ("followUps.minutes", "4"), ("followUps.minutes", "121"), ("detail", "all"),
            ("notificationsEnabled", "maybe"),
        ]
    )
    func refusesPreference(field: String, text: String) {
        var preferences = AccountPreferences()
        let error = refusal {
            try preferences.set(field, text: text)
            return try Given(anna).when(.setPreferences(preferences))
        }
        #expect(error?.code == .invalid)
        #expect(error?.field == field)
    }

    @Test("Quiet hours need both ends, which differ, and may span midnight")
    func quietHours() throws {
        let (ten, six) = (WallTime(minutes: 1_320), WallTime(minutes: 360))
        #expect(
            refusal { try Given(anna).when(.setPreferences(AccountPreferences(quietFrom: ten))) }?.field == "quiet.to"
        )
        #expect(
            refusal { try Given(anna).when(.setPreferences(AccountPreferences(quietUntil: ten))) }?.field
                == "quiet.from"
        )
        let same = AccountPreferences(quietFrom: ten, quietUntil: ten)
        #expect(refusal { try Given(anna).when(.setPreferences(same)) }?.field == "quiet.to")
        let night = AccountPreferences(quietFrom: ten, quietUntil: six)
        let day = AccountPreferences(quietFrom: six, quietUntil: ten)
        for (minutes, isNight) in [(1_319, false), (1_320, true), (0, true), (359, true), (360, false)] {
            let time = try #require(WallTime(minutes: minutes))
            #expect(night.isQuiet(at: time) == isNight)
            #expect(day.isQuiet(at: time) == !isNight)
            #expect(!AccountPreferences().isQuiet(at: time))
        }
    }

    @Test(
        "A profile that is too long or has line breaks is refused, and the error names the field",
        arguments: [
            (AccountDetails(email: String(repeating: "e", count: 255)), "email"),
            (AccountDetails(displayName: String(repeating: "d", count: 1_001)), "displayName"),
            (AccountDetails(pictureAddress: String(repeating: "p", count: 2_049)), "pictureAddress"),
            (AccountDetails(displayName: "a\nb"), "displayName"),
        ]
    )
    func refusesProfile(details: AccountDetails, field: String) {
        #expect(refusal { try Given(anna).when(.setDetails(details)) }?.field == field)
    }

    @Test("A subscription is over when it has expired or its trial has ended")
    func subscriptions() {
        let now = Instant(microseconds: 10)
        #expect(Subscription(status: .expired).isOver(at: now))
        #expect(Subscription(status: .trial, trialEnd: now).isOver(at: now))
        #expect(!Subscription(status: .trial, trialEnd: Instant(microseconds: 11)).isOver(at: now))
        #expect(!Subscription(status: .trial).isOver(at: now))
        #expect(!Subscription(status: .active, trialEnd: now).isOver(at: now))
    }
}
