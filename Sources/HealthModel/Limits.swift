/// How much of anything the model takes, each limit named once.
package enum Limits {
    /// Names and other texts of a line, in UTF-8 bytes.
    package static let line = 1_000
    /// Comments and other texts of paragraphs, in UTF-8 bytes.
    package static let paragraphs = 100_000
    package static let email = 254
    package static let phone = 100
    package static let reason = 10_000
    /// Fields that no shape knows, of one entry or profile.
    package static let extras = 1_000
    /// One such field as JSON text, in UTF-8 bytes.
    package static let extraJSON = 1_000_000
    package static let inferred = 1_000
    package static let tokens = 1_000
    /// Sessions of one account that are open at once.
    package static let sessions = 50
    /// Identities at other providers of one account.
    package static let identities = 8
    package static let activeCaregivers = 3
    /// Tools that may add to one record.
    package static let contributingTools = 32
    package static let owners = 10
    /// Invitations to one record that are open at once.
    package static let invitations = 20
    /// How far ahead an invitation may expire, in days.
    package static let invitationDays = 30
    /// How long an emergency view may stay open.
    package static let emergencyHours = 24
    /// The fewest characters in which an emergency is explained.
    package static let emergencyReason = 10
    package static let streamName = 200
    package static let contentType = 255
    /// A path or another name of where a backup lies, in UTF-8 bytes.
    package static let place = 4_096
    /// How far ahead a record may be held.
    package static let holdYears = 30
    /// An event from another tool, in bytes.
    package static let externalData = 1_048_576
}
