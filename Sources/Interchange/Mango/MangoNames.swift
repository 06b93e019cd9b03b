import HealthModel

/// A collection of a user's documents, and the kind of entries that they become.
struct MangoCollection: Hashable {
    let name: String
    let kind: Kind
    /// The members that the format defines, besides the times at which a document was created and changed.
    let members: Set<String>
    /// Whether documents have the time of their last change.
    let hasUpdates: Bool

    static let doctors = MangoCollection(
        name: "doctors",
        kind: Doctor.kind,
        members: [
            "id", "userId", "name", "specialty", "phoneNumber", "email", "address", "notes", "isImportedFromContacts",
            "contactIdentifier",
        ],
        hasUpdates: true
    )
    static let medications = MangoCollection(
        name: "medications",
        kind: Drug.kind,
        members: plan.union(["prescribedBy", "startDate", "endDate"]),
        hasUpdates: true
    )
    static let supplements = MangoCollection(
        name: "supplements",
        kind: Supplement.kind,
        members: plan.union(["purpose", "brand"]),
        hasUpdates: true
    )
    static let diet = MangoCollection(
        name: "diet",
        kind: Meal.kind,
        members: [
            "id", "userId", "mealType", "foods", "allergies", "notes", "scheduledTime", "actualTime", "date",
            "voiceEntryUsed",
        ],
        hasUpdates: true
    )
    static let conflicts = MangoCollection(
        name: "conflicts",
        kind: Interaction.kind,
        members: [
            "id", "userId", "queryText", "medications", "supplements", "conflictsFound", "severity", "conflictDetails",
            "recommendations", "educationalInfo", "source", "createdAt", "isResolved", "userNotes",
        ],
        hasUpdates: false
    )

    /// In the order in which they are read: entries come after those that they refer to.
    static let all = [doctors, medications, supplements, diet, conflicts]

    private static let plan: Set<String> = [
        "id", "userId", "name", "dosage", "frequency", "schedule", "notes", "isActive", "voiceEntryUsed",
    ]
}

/// The names of the members of a user's document.
enum MangoNames {
    static let created = "createdAt"
    static let updated = "updatedAt"
    static let lastLogin = "lastLoginAt"
    static let caregivers = "caregiverAccess"
    /// The id of a document in its collection, if it differs from the document's own id.
    static let key = "key"

    static let user: Set<String> = [
        "id", "email", "displayName", "profileImageURL", "subscriptionStatus", "subscriptionType", "trialEndDate",
        "preferences", caregivers, created, lastLogin,
    ]
}
