/// The profile that the account shows was replaced.
package struct ProfileSet: EventData {
    package var email: String
    package var displayName: String
    /// The address of a picture, which is kept and never fetched.
    package var pictureAddress: String

    package static var type: EventType { EventType(code: 19) }

    package static let definition = EventDefinition(
        "account.profileSet",
        .account,
        "Profile changed",
        replacesPrevious: true,
        ProfileSet.init,
        EventField(1, "email", \.email, .trail),
        EventField(2, "displayName", \.displayName),
        EventField(3, "pictureAddress", \.pictureAddress, .trail)
    )

    package var summary: EventSummary { "the profile of \(.account)" }
}

extension JournalEvent {
    package static func profileSet(email: String, displayName: String, pictureAddress: String) -> JournalEvent {
        JournalEvent(ProfileSet(email: email, displayName: displayName, pictureAddress: pictureAddress))
    }
}
