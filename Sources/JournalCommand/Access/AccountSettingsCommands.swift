import ArgumentParser
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Shows or changes the profile of the acting account.
struct AccountSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the profile of the acting account: its displayed name, e-mail address and picture.",
        discussion: """
            Example:  healthjournal account set displayName="Anna Berg" email=anna@example.org
            Without values, the profile is printed. An empty value clears the field. The address of the picture \
            (pictureAddress) is kept and never fetched.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var settings: SettingsArguments

    func run() async throws {
        try await settings.run(
            options,
            "changed the profile",
            show: { try await $0.perform(AccountSettingsEndpoints.profile) },
            change: { try await $0.perform(AccountSettingsEndpoints.setProfile, $1) }
        )
    }
}

/// Shows or changes the preferences of the acting account.
struct AccountPreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Show or change the preferences of the acting account.",
        discussion: """
            Example:  healthjournal account preferences timeZone=Europe/Zurich mealTimes.breakfast=07:30
            Example:  healthjournal account preferences quiet.from=22:00 quiet.to=06:30 followUps.count=2 detail=names
            Without values, the preferences are printed. An empty value restores the default.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var settings: SettingsArguments

    func run() async throws {
        try await settings.run(
            options,
            "changed the preferences",
            show: { try await $0.perform(AccountSettingsEndpoints.preferences) },
            change: { try await $0.perform(AccountSettingsEndpoints.setPreferences, $1) }
        )
    }
}

/// Shows or changes the subscription of an account.
struct AccountSubscriptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Show or change the subscription of an account.",
        discussion: """
            Example:  healthjournal account subscription anna status=trial trialEnd=2026-12-31T23:00:00Z
            Example:  healthjournal account subscription anna status=active type=annual trialEnd=
            Without values, the subscription is printed. It binds only in a service with --require-subscription: an \
            account whose subscription is over can then read, export and erase its data, but not change it.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var account: AccountArgument

    @OptionGroup var settings: SettingsArguments

    func run() async throws {
        try await settings.run(
            options,
            "changed the subscription",
            show: { session in
                let account = try await account.id(in: session)
                do {
                    return try await session.perform(AccountSettingsEndpoints.subscription, account)
                } catch let error as JournalError where error.code == .notFound && !settings.values.isEmpty {
                    // The first one of the account must state its status.
                    guard settings.values.contains(where: { $0.hasPrefix("status=") || $0.hasPrefix("--status") })
                    else {
                        throw JournalError(.invalid, field: "status", "is required")
                    }
                    return Subscription(status: .active)
                }
            },
            change: { try await $0.perform(AccountSettingsEndpoints.setSubscription, account.id(in: $0), $1) }
        )
    }
}

/// The values of a command that prints settings or changes some of them.
struct SettingsArguments: ParsableArguments {
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The fields and their new values.", valueName: "FIELD=VALUE")
    )
    var values: [String] = []

    /// Prints the settings, or changes the named fields and prints the result.
    func run<Settings: FieldDescribed>(
        _ options: CommonOptions,
        _ message: String,
        show: (Session) async throws -> Settings,
        change: (Session, Settings) async throws -> WriteResult
    ) async throws {
        let assignments = try TypedField.all(values)
        try await Session.run(options) { session in
            var settings = try await show(session)
            if assignments.isEmpty { return session.output.settings(settings) }
            for (name, value) in try assignments.named(among: Settings.fields.leaves.map(\.name)) {
                let isTime = Settings.fields.path(named: name)?.fields.last?.type == .wallTime
                try settings.set(name, text: isTime ? WallTime.withTwoDigits(value) : value)
            }
            session.output.result(try await change(session, settings), message)
        }
    }
}

extension Output {
    /// Prints settings with the names by which they are changed.
    fileprivate func settings<Settings: FieldDescribed>(_ settings: Settings) {
        if isJSON { return json(SettingsDocument(settings).json) }
        var table = TextTable([.init("FIELD"), .init("VALUE")])
        for path in Settings.fields.leaves { table.add([path.name, settings.values[path]?.text ?? ""]) }
        self.table(table, ifEmpty: "there are no settings")
    }
}
