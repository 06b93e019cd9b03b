package import FoundationEssentials

/// An event of the journal with its data, as stored in the log.
///
/// The enum is indirect because events are copied often: a copy retains one box instead of every text and array.
package indirect enum JournalEvent: Hashable, Sendable {
    /// `zone` is the IANA identifier of the time zone in which a day given for `asOf` ends.
    case journalCreated(name: String, zone: String)
    /// A log that does not extend its stored checkpoint was deliberately accepted.
    case journalAccepted(expectedSize: UInt64, expectedRoot: [UInt8], foundSize: UInt64)
    /// `head` is the last position in the backup; 0 means that the backup was started and is not complete.
    case journalBackedUp(place: String, head: UInt64)
    case journalRestored(head: UInt64, from: String)
    case masterKeyRotated
    /// A clock that was moved, or that was far ahead of the newest event, was deliberately accepted as correct.
    ///
    /// `expected` is the time according to the boot clock, or the recorded time of the newest event.
    case clockAccepted(expected: Instant, found: Instant)

    case accountAdded(AccountProfile)
    case tokenIssued(Token)
    case tokenRevoked(UUID)
    case passwordSet(PasswordHash)
    case sessionBegun(AccountSession)
    case sessionEnded(UUID)
    case identityLinked(AccountIdentity)
    case identityUnlinked(UUID)
    /// The token is in use; appended at most once a day for each token.
    case tokenUsed(UUID)

    case recordCreated(RecordProfile, owners: [UUID])
    /// Contains the complete new profile.
    case recordChanged(RecordProfile)
    case recordClosed
    /// The record must not be erased up to and including that day.
    case recordHeld(until: Day)
    /// The record's data key was destroyed; of the record's events, only this one remains readable.
    case recordErased
    case recordOwnerAdded(UUID)
    case recordOwnerRemoved(UUID)
    /// The account becomes the only owner of the record.
    case recordTransferred(to: UUID)

    case entryAdded(EntryContent)
    /// Contains the complete new content.
    case entryCorrected(EntryContent)
    case entryRetracted
    case entryRestored

    /// `invitedBy` is the account that made the invitation which the actor accepted; nil if the actor gave the grant.
    case caregiverGranted(account: UUID, terms: GrantTerms, invitedBy: UUID? = nil)
    case caregiverRevoked(account: UUID)
    case caregiverInvited(Invitation)
    case invitationAccepted(UUID)
    case invitationWithdrawn(UUID)

    case recordRead(Access)
    case accessDenied(Access)
    /// The event's `reason` contains the caregiver's explanation.
    case emergencyOpened(account: UUID, expires: Instant)
    /// `position` is that of the `emergencyOpened` event that an owner acknowledged.
    case noticeAcknowledged(position: UInt64)
    case accessSummarised(AccessSummary)

    case valueClaimed(holder: UUID)
    case valueReleased

    /// An event of another tool, with its bytes as received.
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
        case .clockAccepted: .clockAccepted
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
        case .accessSummarised: .accessSummarised
        case .valueClaimed: .valueClaimed
        case .valueReleased: .valueReleased
        case .externalReceived: .externalReceived
        }
    }

    /// The entry content that the event sets, or nil.
    ///
    /// The frame's header contains the kind of the content and the day of its date.
    package var content: EntryContent? {
        switch self {
        case .entryAdded(let content), .entryCorrected(let content): content
        default: nil
        }
    }

    /// The profile that the event sets, or nil.
    package var profile: RecordProfile? {
        switch self {
        case .recordCreated(let profile, _), .recordChanged(let profile): profile
        default: nil
        }
    }
}
