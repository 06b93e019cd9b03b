package import FoundationEssentials

/// Something that happened, as the log keeps it.
///
/// What it says lies in a box, since it goes through many hands, each of which would count all its texts and arrays anew.
package indirect enum JournalEvent: Hashable, Sendable {
    /// The zone is an IANA identifier: where a date given for `asOf` ends.
    case journalCreated(name: String, zone: String)
    /// A log that did not extend the checkpoint kept of it was gone on with, on purpose.
    case journalAccepted(expectedSize: UInt64, expectedRoot: [UInt8], foundSize: UInt64)
    /// `head` is the last position that the backup holds; 0 announces one that is about to be made.
    case journalBackedUp(place: String, head: UInt64)
    case journalRestored(head: UInt64, from: String)
    case masterKeyRotated

    case accountAdded(AccountProfile)
    case tokenIssued(Token)
    case tokenRevoked(UUID)
    case passwordSet(PasswordHash)
    case sessionBegun(AccountSession)
    case sessionEnded(UUID)
    case identityLinked(AccountIdentity)
    case identityUnlinked(UUID)
    /// At most once a day: that it is in use at all.
    case tokenUsed(UUID)

    case recordCreated(RecordProfile, owners: [UUID])
    /// Carries the whole new profile.
    case recordChanged(RecordProfile)
    case recordClosed
    /// The record must be kept up to that day, included.
    case recordHeld(until: Day)
    /// The record's data key was destroyed; this event alone stays readable.
    case recordErased
    case recordOwnerAdded(UUID)
    case recordOwnerRemoved(UUID)
    /// The record has that one owner from now on.
    case recordTransferred(to: UUID)

    case entryAdded(EntryContent)
    /// Carries the whole new content.
    case entryCorrected(EntryContent)
    case entryRetracted
    case entryRestored

    case caregiverGranted(account: UUID, terms: GrantTerms)
    case caregiverRevoked(account: UUID)
    case caregiverInvited(Invitation)
    case invitationAccepted(UUID)
    case invitationWithdrawn(UUID)

    case recordRead(Access)
    case accessDenied(Access)
    /// The event's reason says why.
    case emergencyOpened(account: UUID, expires: Instant)
    /// Names the event that the owner has taken notice of.
    case noticeAcknowledged(position: UInt64)

    case valueClaimed(holder: UUID)
    case valueReleased

    /// An event of another tool, as the bytes that came.
    case externalReceived(streamName: String, contentType: String, data: [UInt8])
}

extension JournalEvent {
    package var type: EventType {
        switch self {
        case .journalCreated: .journalCreated
        case .journalAccepted: .journalAccepted
        case .journalBackedUp: .journalBackedUp
        case .journalRestored: .journalRestored
        case .masterKeyRotated: .masterKeyRotated
        case .accountAdded: .accountAdded
        case .tokenIssued: .tokenIssued
        case .tokenRevoked: .tokenRevoked
        case .passwordSet: .passwordSet
        case .sessionBegun: .sessionBegun
        case .sessionEnded: .sessionEnded
        case .identityLinked: .identityLinked
        case .identityUnlinked: .identityUnlinked
        case .tokenUsed: .tokenUsed
        case .recordCreated: .recordCreated
        case .recordChanged: .recordChanged
        case .recordClosed: .recordClosed
        case .recordHeld: .recordHeld
        case .recordErased: .recordErased
        case .recordOwnerAdded: .recordOwnerAdded
        case .recordOwnerRemoved: .recordOwnerRemoved
        case .recordTransferred: .recordTransferred
        case .entryAdded: .entryAdded
        case .entryCorrected: .entryCorrected
        case .entryRetracted: .entryRetracted
        case .entryRestored: .entryRestored
        case .caregiverGranted: .caregiverGranted
        case .caregiverRevoked: .caregiverRevoked
        case .caregiverInvited: .caregiverInvited
        case .invitationAccepted: .invitationAccepted
        case .invitationWithdrawn: .invitationWithdrawn
        case .recordRead: .recordRead
        case .accessDenied: .accessDenied
        case .emergencyOpened: .emergencyOpened
        case .noticeAcknowledged: .noticeAcknowledged
        case .valueClaimed: .valueClaimed
        case .valueReleased: .valueReleased
        case .externalReceived: .externalReceived
        }
    }

    /// The entry content that the event sets; its kind and date belong in the frame's header.
    package var content: EntryContent? {
        switch self {
        case .entryAdded(let content), .entryCorrected(let content): content
        default: nil
        }
    }

    /// The profile that the event sets.
    package var profile: RecordProfile? {
        switch self {
        case .recordCreated(let profile, _), .recordChanged(let profile): profile
        default: nil
        }
    }
}
