/// The type of an event; the raw value is the stable code in a frame's header.
///
/// Codes and names are permanent: they are never changed or reused.
package enum EventType: UInt16, CaseIterable, Sendable {
    case journalCreated = 1
    case journalAccepted = 2
    case journalBackedUp = 3
    case journalRestored = 4
    case masterKeyRotated = 5

    case accountAdded = 10
    case tokenIssued = 11
    case tokenRevoked = 12
    case passwordSet = 13
    case sessionBegun = 14
    case sessionEnded = 15
    case tokenUsed = 16
    case identityLinked = 17
    case identityUnlinked = 18

    case recordCreated = 20
    case recordChanged = 21
    case recordClosed = 22
    case recordHeld = 23
    case recordErased = 24
    case recordOwnerAdded = 25
    case recordOwnerRemoved = 26
    case recordTransferred = 27

    case entryAdded = 30
    case entryCorrected = 31
    case entryRetracted = 32
    case entryRestored = 33

    case caregiverGranted = 40
    case caregiverRevoked = 41
    case caregiverInvited = 42
    case invitationAccepted = 43
    case invitationWithdrawn = 44

    case recordRead = 50
    case accessDenied = 51
    case emergencyOpened = 52
    case noticeAcknowledged = 53
    // Code 54 is reserved for calendar feeds.
    case accessSummarised = 55

    case valueClaimed = 60
    case valueReleased = 61

    case externalReceived = 70

    case clockAccepted = 202
}

extension EventType {
    /// The stable name in audit trails, in the API and on the command line.
    package var name: String {
        switch self {
        case .journalCreated: "journal.created"
        case .journalAccepted: "journal.accepted"
        case .journalBackedUp: "journal.backedUp"
        case .journalRestored: "journal.restored"
        case .masterKeyRotated: "journal.masterKeyRotated"
        case .accountAdded: "account.added"
        case .tokenIssued: "token.issued"
        case .tokenRevoked: "token.revoked"
        case .passwordSet: "account.passwordSet"
        case .sessionBegun: "session.begun"
        case .sessionEnded: "session.ended"
        case .tokenUsed: "token.used"
        case .identityLinked: "account.identityLinked"
        case .identityUnlinked: "account.identityUnlinked"
        case .recordCreated: "record.created"
        case .recordChanged: "record.changed"
        case .recordClosed: "record.closed"
        case .recordHeld: "record.held"
        case .recordErased: "record.erased"
        case .recordOwnerAdded: "record.ownerAdded"
        case .recordOwnerRemoved: "record.ownerRemoved"
        case .recordTransferred: "record.transferred"
        case .entryAdded: "entry.added"
        case .entryCorrected: "entry.corrected"
        case .entryRetracted: "entry.retracted"
        case .entryRestored: "entry.restored"
        case .caregiverGranted: "caregiver.granted"
        case .caregiverRevoked: "caregiver.revoked"
        case .caregiverInvited: "caregiver.invited"
        case .invitationAccepted: "invitation.accepted"
        case .invitationWithdrawn: "invitation.withdrawn"
        case .recordRead: "access.read"
        case .accessDenied: "access.denied"
        case .emergencyOpened: "emergency.opened"
        case .noticeAcknowledged: "notice.acknowledged"
        case .accessSummarised: "access.summarised"
        case .valueClaimed: "value.claimed"
        case .valueReleased: "value.released"
        case .externalReceived: "external.received"
        case .clockAccepted: "clock.accepted"
        }
    }

    /// Names that earlier versions wrote.
    private static let earlierNames: [String: EventType] = ["grant.invited": .caregiverInvited]

    /// Creates the type with a name such as `entry.added`, current or earlier; nil for an unknown name.
    package init?(named name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) ?? Self.earlierNames[name] else { return nil }
        self = type
    }

    package var category: EventCategory {
        switch self {
        case .journalCreated, .journalAccepted, .journalBackedUp, .journalRestored, .masterKeyRotated,
            .clockAccepted:
            .journal
        case .accountAdded, .tokenIssued, .tokenRevoked, .passwordSet, .sessionBegun, .sessionEnded, .tokenUsed,
            .identityLinked, .identityUnlinked:
            .account
        case .recordCreated, .recordChanged, .recordClosed, .recordHeld, .recordErased, .recordOwnerAdded,
            .recordOwnerRemoved, .recordTransferred:
            .record
        case .entryAdded, .entryCorrected, .entryRetracted, .entryRestored: .entry
        case .caregiverGranted, .caregiverRevoked, .caregiverInvited, .invitationAccepted, .invitationWithdrawn: .grant
        case .recordRead, .accessDenied, .emergencyOpened, .noticeAcknowledged, .accessSummarised: .access
        case .valueClaimed, .valueReleased: .claim
        case .externalReceived: .external
        }
    }

    /// The schema version in which this program writes events of the type.
    package var schemaVersion: UInt16 { 1 }
}
