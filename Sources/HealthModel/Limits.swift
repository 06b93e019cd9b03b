/// The limits on sizes, counts and durations in the model.
package enum Limits {
    /// The maximum length of names and other short texts, in UTF-8 bytes.
    package static let line = 1_000
    /// The maximum length of comments and other long texts, in UTF-8 bytes.
    package static let paragraphs = 100_000
    /// The maximum length of the name of a unit, in UTF-8 bytes.
    package static let unit = 50
    /// The maximum length of the name of a planned dose, in UTF-8 bytes.
    package static let slot = 100
    package static let email = 254
    package static let phone = 100
    package static let languageTag = 35
    /// The maximum length of the address of an account's picture, in UTF-8 bytes.
    package static let pictureAddress = 2_048
    package static let reason = 10_000
    /// The maximum length of the stated purpose of an access, in UTF-8 bytes.
    package static let purpose = 200
    /// The maximum number of fields of one entry or profile that the model does not define.
    package static let extras = 1_000
    /// The maximum size of one such field as JSON text, in UTF-8 bytes.
    package static let extraJSON = 1_000_000
    package static let inferred = 1_000
    package static let tokens = 1_000
    /// The maximum number of open sessions of one account.
    package static let sessions = 50
    /// The maximum number of identities at sign-in providers that are linked to one account.
    package static let identities = 8
    /// The maximum number of devices of one account that may send changes.
    package static let devices = 32
    /// The maximum number of members of a practice.
    package static let members = 500
    /// The maximum number of absences of a specialist.
    package static let absences = 1_000
    package static let activeCaregivers = 3
    /// The maximum number of tools with a grant to add entries to one record.
    package static let contributingTools = 32
    /// The maximum number of practices with access to one record.
    package static let practicesWithAccess = 10
    package static let owners = 10
    /// The maximum number of open invitations to one record.
    package static let invitations = 20
    /// The maximum time until an invitation expires, in days.
    package static let invitationDays = 30
    /// The maximum time for which an emergency view is open, in hours.
    package static let emergencyHours = 24
    /// The minimum length of the reason for an emergency view, in characters.
    package static let emergencyReason = 10
    /// The maximum number of calendar feeds of one record that are linked at the same time.
    package static let calendars = 20
    /// The maximum number of channels for the reminders of one account.
    package static let channels = 10
    /// The maximum length of the address of a channel, in UTF-8 bytes.
    package static let channelAddress = 1_000
    package static let streamName = 200
    package static let contentType = 255
    /// The maximum length of the path or other location of a backup, in UTF-8 bytes.
    package static let place = 4_096
    /// The maximum number of values in a list of an event.
    package static let eventList = 1_000
    /// The maximum time until a retention hold ends, in years.
    package static let holdYears = 30
    /// The maximum size of an event from another tool, in bytes.
    package static let externalData = 1_048_576
}
