import FoundationEssentials
import SwiftProtobuf

extension JournalEvent {
    var stored: StoredPayload.OneOf_Event {
        switch self {
        case .journalCreated(let name, let zone):
            .journalCreated(
                .with {
                    $0.name = name
                    $0.zone = zone
                }
            )
        case .journalAccepted(let expectedSize, let expectedRoot, let foundSize):
            .journalAccepted(
                .with {
                    $0.expectedSize = expectedSize
                    $0.expectedRoot = Data(expectedRoot)
                    $0.foundSize = foundSize
                }
            )
        case .journalBackedUp(let place, let head):
            .journalBackedUp(
                .with {
                    $0.place = place
                    $0.head = head
                }
            )
        case .journalRestored(let head, let from):
            .journalRestored(
                .with {
                    $0.head = head
                    $0.from = from
                }
            )
        case .masterKeyRotated: .masterKeyRotated(StoredMasterKeyRotated())
        case .clockAccepted(let expected, let found):
            .clockAccepted(
                .with {
                    $0.expected = expected.microseconds
                    $0.found = found.microseconds
                }
            )
        case .accountAdded(let profile): .accountAdded(profile.stored)
        case .tokenIssued(let token): .tokenIssued(token.stored)
        case .tokenRevoked(let id): .tokenRevoked(.with { $0.id = id.stored })
        case .passwordSet(let password): .passwordSet(password.stored)
        case .sessionBegun(let session): .sessionBegun(session.stored)
        case .sessionEnded(let id): .sessionEnded(.with { $0.id = id.stored })
        case .identityLinked(let identity): .identityLinked(identity.stored)
        case .identityUnlinked(let id): .identityUnlinked(.with { $0.id = id.stored })
        case .tokenUsed(let id): .tokenUsed(.with { $0.id = id.stored })
        case .recordCreated(let profile, let owners):
            .recordCreated(
                .with {
                    $0.profile = profile.stored
                    $0.owners = owners.map(\.stored)
                }
            )
        case .recordChanged(let profile): .recordChanged(.with { $0.profile = profile.stored })
        case .recordClosed: .recordClosed(StoredRecordClosed())
        case .recordHeld(let until): .recordHeld(.with { $0.until = until.daysSince1970 })
        case .recordErased: .recordErased(StoredRecordErased())
        case .recordOwnerAdded(let account): .recordOwnerAdded(.with { $0.account = account.stored })
        case .recordOwnerRemoved(let account): .recordOwnerRemoved(.with { $0.account = account.stored })
        case .recordTransferred(let account): .recordTransferred(.with { $0.account = account.stored })
        case .entryAdded(let content): .entryAdded(content.stored)
        case .entryCorrected(let content): .entryCorrected(content.stored)
        case .entryRetracted: .entryRetracted(StoredEntryRetracted())
        case .entryRestored: .entryRestored(StoredEntryRestored())
        case .caregiverGranted(let account, let terms, let invitedBy):
            .caregiverGranted(terms.stored(for: account, invitedBy: invitedBy))
        case .caregiverRevoked(let account): .caregiverRevoked(.with { $0.account = account.stored })
        case .caregiverInvited(let invitation): .caregiverInvited(invitation.stored)
        case .invitationAccepted(let id): .invitationAccepted(.with { $0.id = id.stored })
        case .invitationWithdrawn(let id): .invitationWithdrawn(.with { $0.id = id.stored })
        case .recordRead(let access): .recordRead(access.stored)
        case .accessDenied(let access): .accessDenied(access.stored)
        case .accessSummarised(let summary): .accessSummarised(summary.stored)
        case .emergencyOpened(let account, let expires):
            .emergencyOpened(
                .with {
                    $0.account = account.stored
                    $0.expires = expires.microseconds
                }
            )
        case .noticeAcknowledged(let position): .noticeAcknowledged(.with { $0.position = position })
        case .valueClaimed(let holder): .valueClaimed(.with { $0.holder = holder.stored })
        case .valueReleased: .valueReleased(StoredValueReleased())
        case .externalReceived(let streamName, let contentType, let data):
            .externalReceived(
                .with {
                    $0.streamName = streamName
                    $0.contentType = contentType
                    $0.data = Data(data)
                }
            )
        }
    }

    init(stored: StoredPayload.OneOf_Event?, kind: UInt16) throws(ModelError) {
        switch stored {
        case .journalCreated(let created): self = .journalCreated(name: created.name, zone: created.zone)
        case .journalAccepted(let accepted):
            self = .journalAccepted(
                expectedSize: accepted.expectedSize,
                expectedRoot: [UInt8](accepted.expectedRoot),
                foundSize: accepted.foundSize
            )
        case .journalBackedUp(let backup): self = .journalBackedUp(place: backup.place, head: backup.head)
        case .journalRestored(let restored): self = .journalRestored(head: restored.head, from: restored.from)
        case .masterKeyRotated: self = .masterKeyRotated
        case .clockAccepted(let clock):
            self = .clockAccepted(
                expected: Instant(microseconds: clock.expected),
                found: Instant(microseconds: clock.found)
            )
        case .accountAdded(let account): self = .accountAdded(try AccountProfile(stored: account))
        case .tokenIssued(let token): self = .tokenIssued(try Token(stored: token))
        case .tokenRevoked(let token): self = .tokenRevoked(try UUID(stored: token.id, field: "id"))
        case .passwordSet(let password): self = .passwordSet(PasswordHash(stored: password))
        case .sessionBegun(let session): self = .sessionBegun(try AccountSession(stored: session))
        case .tokenUsed(let token): self = .tokenUsed(try UUID(stored: token.id, field: "id"))
        case .sessionEnded(let session): self = .sessionEnded(try UUID(stored: session.id, field: "id"))
        case .identityLinked(let identity): self = .identityLinked(try AccountIdentity(stored: identity))
        case .identityUnlinked(let identity): self = .identityUnlinked(try UUID(stored: identity.id, field: "id"))
        case .recordCreated(let created):
            var owners: [UUID] = []
            for owner in created.owners { owners.append(try UUID(stored: owner, field: "owners")) }
            self = .recordCreated(try RecordProfile(stored: created.profile), owners: owners)
        case .recordChanged(let changed): self = .recordChanged(try RecordProfile(stored: changed.profile))
        case .recordClosed: self = .recordClosed
        case .recordHeld(let held): self = .recordHeld(until: Day(daysSince1970: held.until))
        case .recordErased: self = .recordErased
        case .recordOwnerAdded(let owner):
            self = .recordOwnerAdded(try UUID(stored: owner.account, field: "account"))
        case .recordOwnerRemoved(let owner):
            self = .recordOwnerRemoved(try UUID(stored: owner.account, field: "account"))
        case .recordTransferred(let owner):
            self = .recordTransferred(to: try UUID(stored: owner.account, field: "account"))
        case .entryAdded(let content): self = .entryAdded(try EntryContent(stored: content, kind: kind))
        case .entryCorrected(let content): self = .entryCorrected(try EntryContent(stored: content, kind: kind))
        case .entryRetracted: self = .entryRetracted
        case .entryRestored: self = .entryRestored
        case .caregiverGranted(let grant):
            self = .caregiverGranted(
                account: try UUID(stored: grant.account, field: "account"),
                terms: try GrantTerms(stored: grant),
                invitedBy: grant.invitedBy.isEmpty ? nil : try UUID(stored: grant.invitedBy, field: "invitedBy")
            )
        case .caregiverRevoked(let grant):
            self = .caregiverRevoked(account: try UUID(stored: grant.account, field: "account"))
        case .caregiverInvited(let invitation): self = .caregiverInvited(try Invitation(stored: invitation))
        case .invitationAccepted(let invitation):
            self = .invitationAccepted(try UUID(stored: invitation.id, field: "id"))
        case .invitationWithdrawn(let invitation):
            self = .invitationWithdrawn(try UUID(stored: invitation.id, field: "id"))
        case .emergencyOpened(let emergency):
            self = .emergencyOpened(
                account: try UUID(stored: emergency.account, field: "account"),
                expires: Instant(microseconds: emergency.expires)
            )
        case .noticeAcknowledged(let notice): self = .noticeAcknowledged(position: notice.position)
        case .recordRead(let access): self = .recordRead(try Access(stored: access))
        case .accessDenied(let access): self = .accessDenied(try Access(stored: access))
        case .accessSummarised(let summary): self = .accessSummarised(try AccessSummary(stored: summary))
        case .valueClaimed(let claim): self = .valueClaimed(holder: try UUID(stored: claim.holder, field: "holder"))
        case .valueReleased: self = .valueReleased
        case .externalReceived(let external):
            self = .externalReceived(
                streamName: external.streamName,
                contentType: external.contentType,
                data: [UInt8](external.data)
            )
        case nil:
            throw ModelError(.invalid, field: "payload", "contains no event that this program knows")
        }
    }
}

extension UUID {
    var stored: Data { Data(bytes) }

    init(stored: Data, field: String) throws(ModelError) {
        guard let id = UUID(bytes: stored) else {
            throw ModelError(.invalid, field: field, "is not stored as sixteen bytes")
        }
        self = id
    }
}
