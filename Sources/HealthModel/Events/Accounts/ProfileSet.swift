/// The profile that the account shows was replaced.
package struct ProfileSet: EventData {
    package var details: AccountDetails

    package static var type: EventType { EventType(code: 19) }

    package static let definition = EventDefinition(
        "account.profileSet",
        .account,
        "Profile changed",
        sets: "profile",
        { email, displayName, pictureAddress in
            ProfileSet(details: AccountDetails(email: email, displayName: displayName, pictureAddress: pictureAddress))
        },
        EventField(1, "email", \.details.email, .trail),
        EventField(2, "displayName", \.details.displayName),
        EventField(3, "pictureAddress", \.details.pictureAddress, .trail)
    )

    package var summary: EventSummary { "the profile of \(.account)" }
}

extension JournalEvent {
    package static func profileSet(_ details: AccountDetails) -> JournalEvent {
        JournalEvent(ProfileSet(details: details))
    }
}
