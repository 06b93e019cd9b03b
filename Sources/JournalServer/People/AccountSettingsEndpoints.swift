package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
import Interchange

/// The caller's own profile and preferences, and the subscriptions of accounts.
package enum AccountSettingsEndpoints: OperationGroup {
    package static let profile = Endpoint(
        .get,
        "/v1/accounts/me/profile",
        id: "getAccountProfile",
        "Get the profile of the caller's account",
        tag: .accounts,
        returns: .settings("AccountProfile", "The profile."),
        problems: [.refused]
    ) { journal, caller in
        try await journal.accounts.details(caller)
    }

    package static let setProfile = Endpoint(
        .put,
        "/v1/accounts/me/profile",
        id: "setAccountProfile",
        "Replace the profile of the caller's account",
        tag: .accounts,
        takes: .settings(
            AccountDetails.self,
            "AccountProfile",
            example: ("anna", ["displayName": "Anna Berg", "email": "anna@example.org"] as JSONValue)
        ),
        returns: .written,
        problems: [.refused, .conflict, .subscriptionExpired]
    ) { journal, caller, details in
        try await journal.accounts.setDetails(details, caller)
    }

    package static let preferences = Endpoint(
        .get,
        "/v1/accounts/me/preferences",
        id: "getPreferences",
        "Get the preferences of the caller's account",
        tag: .accounts,
        returns: .settings("Preferences", "The preferences."),
        problems: [.refused]
    ) { journal, caller in
        try await journal.accounts.preferences(caller)
    }

    package static let setPreferences = Endpoint(
        .put,
        "/v1/accounts/me/preferences",
        id: "setPreferences",
        "Replace the preferences of the caller's account; an absent one is the default",
        tag: .accounts,
        takes: .settings(AccountPreferences.self, "Preferences", example: ("anna", preferencesExample)),
        returns: .written,
        problems: [.refused, .conflict, .subscriptionExpired]
    ) { journal, caller, preferences in
        try await journal.accounts.setPreferences(preferences, caller)
    }

    package static let subscription = Endpoint(
        .get,
        "/v1/accounts/{account}/subscription",
        id: "getSubscription",
        "Get the subscription of an account",
        tag: .accounts,
        takes: .account,
        returns: .settings("Subscription", "The subscription.")
    ) { journal, caller, account in
        try await journal.accounts.subscription(of: account, caller)
    }

    package static let setSubscription = Endpoint(
        .put,
        "/v1/accounts/{account}/subscription",
        id: "setSubscription",
        "Replace the subscription of an account",
        tag: .accounts,
        takes: .account,
        .settings(
            Subscription.self,
            "Subscription",
            example: ("trial", ["status": "trial", "trialEnd": "2199-01-01T00:00:00Z"] as JSONValue)
        ),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, account, subscription in
        try await journal.accounts.setSubscription(subscription, of: account, caller)
    }

    static let operations = [
        Operation(profile), Operation(setProfile), Operation(preferences), Operation(setPreferences),
        Operation(subscription), Operation(setSubscription),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("AccountProfile", SettingsDocument<AccountDetails>.schema),
        .init("Preferences", SettingsDocument<AccountPreferences>.schema),
        .init("Subscription", SettingsDocument<Subscription>.schema),
    ]

    private static let preferencesExample: JSONValue = [
        "timeZone": "Europe/Zurich", "language": "de-CH", "mealTimes": ["breakfast": "07:30", "lunch": "12:00"],
        "followUps": ["count": 2, "minutes": 10], "quiet": ["from": "22:00", "to": "06:30"],
    ]
}
