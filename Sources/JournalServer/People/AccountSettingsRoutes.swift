import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the caller's own profile and preferences, and for the subscriptions of accounts.
struct AccountSettingsRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/accounts/me/profile",
            id: "getAccountProfile",
            summary: "Get the profile of the caller's account",
            tag: .accounts,
            answers: [.json("AccountProfile", "The profile.")],
            problems: [.refused],
            handler: profile
        ),
        Operation(
            method: .put,
            path: "/v1/accounts/me/profile",
            id: "setAccountProfile",
            summary: "Replace the profile of the caller's account",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "AccountProfile", examples: profileExamples),
            answers: [.written],
            problems: [.refused, .conflict, .subscriptionExpired],
            handler: setProfile
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/me/preferences",
            id: "getPreferences",
            summary: "Get the preferences of the caller's account",
            tag: .accounts,
            answers: [.json("Preferences", "The preferences.")],
            problems: [.refused],
            handler: preferences
        ),
        Operation(
            method: .put,
            path: "/v1/accounts/me/preferences",
            id: "setPreferences",
            summary: "Replace the preferences of the caller's account; an absent one is the default",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Preferences", examples: preferencesExamples),
            answers: [.written],
            problems: [.refused, .conflict, .subscriptionExpired],
            handler: setPreferences
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/{account}/subscription",
            id: "getSubscription",
            summary: "Get the subscription of an account",
            tag: .accounts,
            answers: [.json("Subscription", "The subscription.")],
            handler: subscription
        ),
        Operation(
            method: .put,
            path: "/v1/accounts/{account}/subscription",
            id: "setSubscription",
            summary: "Replace the subscription of an account",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Subscription", examples: subscriptionExamples),
            answers: [.written],
            problems: [.conflict],
            handler: setSubscription
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("AccountProfile", SettingsDocument<AccountDetails>.schema),
        .init("Preferences", SettingsDocument<AccountPreferences>.schema),
        .init("Subscription", SettingsDocument<Subscription>.schema),
    ]

    private func profile(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        Response(SettingsDocument(try await journal.details(context.requireCaller())).json)
    }

    private func setProfile(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (details, caller): (AccountDetails, Caller) = try await read(request, context, query)
        return try await journal.setDetails(details, caller).response()
    }

    private func preferences(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        Response(SettingsDocument(try await journal.preferences(context.requireCaller())).json)
    }

    private func setPreferences(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (preferences, caller): (AccountPreferences, Caller) = try await read(request, context, query)
        return try await journal.setPreferences(preferences, caller).response()
    }

    private func subscription(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let subscription = try await journal.subscription(of: context.account(), context.requireCaller())
        return Response(SettingsDocument(subscription).json)
    }

    private func setSubscription(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let account = try context.account()
        let (subscription, caller): (Subscription, Caller) = try await read(request, context, query)
        return try await journal.setSubscription(subscription, of: account, caller).response()
    }

    /// Reads the settings that a request sends, and its caller.
    private func read<Settings: FieldDescribed>(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> (Settings, Caller) {
        let document = try await request.json(SettingsDocument<Settings>.names)
        let object = try NativeObject(document.value(without: ""))
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return (try SettingsDocument(object).settings, caller)
    }
}

extension AccountSettingsRoutes {
    private static let profileExamples: [Example] = [
        ("anna", ["displayName": "Anna Berg", "email": "anna@example.org"])
    ]

    private static let preferencesExamples: [Example] = [
        (
            "anna",
            [
                "timeZone": "Europe/Zurich", "language": "de-CH",
                "mealTimes": ["breakfast": "07:30", "lunch": "12:00"],
                "followUps": ["count": 2, "minutes": 10], "quiet": ["from": "22:00", "to": "06:30"],
            ]
        )
    ]

    private static let subscriptionExamples: [Example] = [
        ("trial", ["status": "trial", "trialEnd": "2199-01-01T00:00:00Z"])
    ]
}
