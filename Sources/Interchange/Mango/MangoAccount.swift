package import HealthModel

/// A user's settings and caregivers, as documents contain them.
package struct MangoAccount: Hashable, Sendable {
    package var details: AccountDetails
    package var preferences: AccountPreferences
    package var subscription: Subscription?
    /// In the order of the document, or in the order in which they were granted access.
    package var caregivers: [MangoCaregiver]

    package init(
        details: AccountDetails = AccountDetails(),
        preferences: AccountPreferences = AccountPreferences(),
        subscription: Subscription? = nil,
        caregivers: [MangoCaregiver] = []
    ) {
        self.details = details
        self.preferences = preferences
        self.subscription = subscription
        self.caregivers = caregivers
    }
}

/// A person who has, or had, access to the record of a user.
package struct MangoCaregiver: Hashable, Sendable {
    /// The id of the caregiver as a user.
    package var user: String
    package var email: String
    package var name: String
    package var grantedAt: Instant?
    package var sections: Set<Section>
    package var isActive: Bool
    /// Whether the caregiver is notified of missed critical doses.
    package var notifies: Bool

    package init(
        user: String,
        email: String,
        name: String,
        grantedAt: Instant?,
        sections: Set<Section>,
        isActive: Bool,
        notifies: Bool
    ) {
        self.user = user
        self.email = email
        self.name = name
        self.grantedAt = grantedAt
        self.sections = sections
        self.isActive = isActive
        self.notifies = notifies
    }

    /// The sections of a caregiver for whom a document names none.
    static let defaultSections: Set<Section> = [.myhealth, .doctorlist]
}

extension MangoAccount {
    /// Reads the settings and caregivers of a user.
    ///
    /// `unrepresented` receives the paths of values that are kept without interpretation.
    init(_ user: MangoObject, _ options: MangoOptions, unrepresented: inout [String]) throws(ModelError) {
        self.init()
        details = AccountDetails(
            email: try user.text("email", maximum: Limits.email) ?? "",
            displayName: try user.text("displayName", maximum: Limits.line) ?? "",
            pictureAddress: try user.text("profileImageURL", maximum: Limits.pictureAddress) ?? ""
        )
        if let value = user["preferences"] {
            let object = try MangoObject(value, at: user.place("preferences"))
            try read(object, options, &unrepresented)
        }
        if let word = try user.text("subscriptionStatus") {
            if let status = Subscription.Status(rawValue: word) {
                subscription = Subscription(status: status, trialEnd: try user.instant("trialEndDate"))
            } else {
                unrepresented.append(user.place("subscriptionStatus").text)
            }
        }
        if let word = try user.text("subscriptionType") {
            let term = Subscription.Term(rawValue: word)
            subscription?.term = term
            if term == nil { unrepresented.append(user.place("subscriptionType").text) }
        }
        if let value = user[MangoNames.caregivers] {
            let object = try MangoObject(value, at: user.place(MangoNames.caregivers))
            caregivers = try MangoAccount.caregivers(object, &unrepresented)
        }
    }

    private mutating func read(
        _ object: MangoObject,
        _ options: MangoOptions,
        _ unrepresented: inout [String]
    ) throws(ModelError) {
        preferences.notificationsEnabled = try object.flag("notificationsEnabled") ?? true
        preferences.voiceInputEnabled = try object.flag("voiceInputEnabled") ?? true
        preferences.timeZone = try object.text("timeZone", maximum: Limits.line) ?? ""
        preferences.language = try object.text("language", maximum: Limits.languageTag) ?? ""
        if !preferences.timeZone.isEmpty, options.zoneNamed(preferences.timeZone) == nil {
            throw ModelError(
                .invalid,
                field: object.place("timeZone").field,
                "there is no such time zone: write its IANA name, such as Europe/Berlin"
            )
        }
        if let word = try object.text("reminderFrequency") {
            if let frequency = AccountPreferences.ReminderFrequency(rawValue: word) {
                preferences.reminderFrequency = frequency
            } else {
                unrepresented.append(object.place("reminderFrequency").text)
            }
        } else {
            // The app's own default.
            preferences.reminderFrequency = .threeDaily
        }
        do { try preferences.validate(now: options.now) } catch {
            throw ModelError(error.code, field: object.place(error.field ?? "").field, error.text)
        }
    }

    private static func caregivers(
        _ object: MangoObject,
        _ unrepresented: inout [String]
    ) throws(ModelError) -> [MangoCaregiver] {
        // The user's own member is an object with a list; the collection of the same name has a document for each.
        let names = Set(object.members.map(\.name))
        let isList = !names.isDisjoint(with: ["caregivers", "enabled", "maxCaregivers"])
        var documents: [(id: String, document: MangoObject)] = []
        if isList {
            documents = try object.objects("caregivers").map { ("", $0) }
        } else {
            for member in object.members {
                guard case .object = member.value else {
                    unrepresented.append(object.place(member.name).text)
                    continue
                }
                documents.append((member.name, try MangoObject(member.value, at: object.place(member.name))))
            }
        }
        let enabled = try object.flag("enabled") ?? false
        let isEnabled = !isList || enabled
        var caregivers: [MangoCaregiver] = []
        for (key, document) in documents {
            let user = try document.text("caregiverId", maximum: Limits.line) ?? key
            guard !user.isEmpty, !caregivers.contains(where: { $0.user == user }) else {
                unrepresented.append(document.path.text)
                continue
            }
            var sections = MangoCaregiver.defaultSections
            if document["permissions"] != nil {
                let names = try document.texts("permissions")
                sections = Set(names.compactMap { try? Section(named: $0) })
                if sections.count < names.count { unrepresented.append(document.place("permissions").text) }
            }
            let isActive = try document.flag("isActive") ?? true
            // A grant needs a section, and that of a caregiver who may see nothing is revoked.
            let seesNothing = sections.isEmpty
            if seesNothing { sections = MangoCaregiver.defaultSections }
            caregivers.append(
                MangoCaregiver(
                    user: user,
                    email: try document.text("caregiverEmail", maximum: Limits.email) ?? "",
                    name: try document.text("caregiverName", maximum: Limits.line) ?? "",
                    grantedAt: try document.instant("grantedAt"),
                    sections: sections,
                    isActive: isEnabled && isActive && !seesNothing,
                    notifies: try document.flag("notificationsEnabled") ?? true
                )
            )
        }
        return caregivers
    }
}

extension MangoRenderer {
    /// The members of a user, without its caregivers, its collections and the times of its creation and last sign-in.
    func members(_ account: MangoAccount) -> [JSONValue.Member] {
        let (details, preferences, subscription) = (account.details, account.preferences, account.subscription)
        return
            JSONValue.present([
                "id": .string(user), "email": .string(details.email), "displayName": .string(details.displayName),
                "profileImageURL": details.pictureAddress.json,
                "subscriptionStatus": (subscription?.status.name).json,
                "subscriptionType": (subscription?.term?.name).json,
                "trialEndDate": subscription?.trialEnd.map { .time($0) },
                "preferences": .present([
                    "notificationsEnabled": .bool(preferences.notificationsEnabled),
                    "voiceInputEnabled": .bool(preferences.voiceInputEnabled),
                    "reminderFrequency": .string(preferences.reminderFrequency.name),
                    "timeZone": .string(preferences.timeZone), "language": .string(preferences.language),
                ]),
            ])
            .members
    }

    /// What of a user's caregivers decides whether they are the same as in a document.
    static func identity(of caregivers: [MangoCaregiver]) -> JSONValue {
        .array(
            caregivers.sorted { $0.user < $1.user }
                .map { caregiver in
                    [
                        "caregiverId": .string(caregiver.user),
                        "permissions": .array(caregiver.sections.sorted().map { .string($0.name) }),
                        "isActive": .bool(caregiver.isActive),
                        "notificationsEnabled": .bool(caregiver.notifies),
                    ]
                }
        )
    }

    /// The caregivers of a user as the journal has them.
    static func document(of caregivers: [MangoCaregiver]) -> JSONValue {
        [
            "enabled": .bool(caregivers.contains(where: \.isActive)),
            "caregivers": .array(
                caregivers.map { caregiver in
                    .present([
                        "id": .string(caregiver.user), "caregiverId": .string(caregiver.user),
                        "caregiverEmail": caregiver.email.isEmpty ? nil : .string(caregiver.email),
                        "caregiverName": .string(caregiver.name),
                        "accessLevel": "readonly", "grantedAt": caregiver.grantedAt.map { .time($0) },
                        "permissions": .array(caregiver.sections.sorted().map { .string($0.name) }),
                        "notificationsEnabled": .bool(caregiver.notifies), "isActive": .bool(caregiver.isActive),
                    ])
                }
            ),
            "maxCaregivers": .integer(Limits.activeCaregivers),
        ]
    }
}
