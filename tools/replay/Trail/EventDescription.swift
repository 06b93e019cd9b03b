import Foundation
import HealthModel

/// Describes in words what an event is about.
struct EventDescription {
    let names: Names

    func entry(_ content: EntryContent?, of record: UUID, code: UInt16) -> String {
        let kind = content?.kind.label ?? Kind.coded(code)?.label ?? "Entry"
        return [kind, content?.label, "of \(recordName(record))"].compactMap(\.self).joined(separator: " ")
    }

    func text(_ recorded: RecordedEvent) -> String {
        let record = recordName(recorded.subject)
        switch recorded.event {
        case .journalCreated: return "the journal"
        case .journalAccepted(let expected, _, let found):
            return "accepted a log of \(found) events where a checkpoint proves \(expected)"
        case .journalBackedUp(let place, 0): return "a backup to \(place), about to start"
        case .journalBackedUp(let place, let head): return "backup to \(place), up to position \(head)"
        case .journalRestored(let head, let place): return "restored from \(place), up to position \(head)"
        case .masterKeyRotated: return "a new master key"
        case .clockAccepted(let expected, let found):
            return "the clock at \(found) was accepted, where about \(expected) was expected"
        case .accountAdded(let profile): return "account \(profile.name)"
        case .tokenIssued(let token): return "token \(token.id.short) of \(names.shown(recorded.subject))"
        case .tokenRevoked(let id), .tokenUsed(let id): return "token \(id.short) of \(names.shown(recorded.subject))"
        case .passwordSet: return "a new password of \(names.shown(recorded.subject))"
        case .identityLinked: return "\(names.shown(recorded.subject)) may sign in through another provider"
        case .identityUnlinked: return "\(names.shown(recorded.subject)) may no longer sign in through a provider"
        case .sessionBegun(let session): return "session \(session.id.short) of \(names.shown(recorded.subject))"
        case .sessionEnded(let id): return "session \(id.short) of \(names.shown(recorded.subject))"
        case .recordCreated, .recordChanged, .recordClosed, .recordHeld: return "record of \(record)"
        case .recordOwnerAdded(let account): return "\(names.shown(account)) as an owner of the record of \(record)"
        case .recordOwnerRemoved(let account):
            return "\(names.shown(account)) no longer as an owner of the record of \(record)"
        case .recordTransferred(let account): return "record of \(record) to \(names.shown(account))"
        case .caregiverInvited(let invitation): return "invitation \(invitation.id.short) to \(record)"
        case .invitationAccepted(let id), .invitationWithdrawn(let id): return "invitation \(id.short) to \(record)"
        case .emergencyOpened(let account, _): return "emergency view of \(record) to \(names.shown(account))"
        case .noticeAcknowledged(let position): return "emergency at position \(position) of \(record)"
        case .recordErased: return "erased record \(recorded.subject.text)"
        case .entryAdded, .entryCorrected, .entryRetracted, .entryRestored: return "entry of \(record)"
        case .caregiverGranted(let account, _, _), .caregiverRevoked(let account):
            return "\(names.shown(account)) for \(record)"
        case .recordRead(let access): return "\(record): \(access.text)"
        case .accessSummarised(let summary):
            return "\(record): denied \(summary.action.rawValue) \(summary.text)"
        case .accessDenied(let access): return "\(record): denied \(access.text)"
        case .valueClaimed(let holder):
            let name = names.account(holder) ?? names.record(holder) ?? holder.short
            return "a unique value, for \(name)"
        case .valueReleased: return "a unique value"
        case .externalReceived(let stream, let contentType, let data):
            return "stream \(stream), \(contentType), \(data.count) bytes"
        }
    }

    private func recordName(_ id: UUID) -> String { names.record(id) ?? id.short }
}

extension EntryContent {
    private static let longestLabel = 60

    /// A short text that identifies the entry; nil if none of its fields has a text.
    var label: String? {
        var words = kind.summary.compactMap { body[$0]?.text }
        if words.isEmpty { words = kind.fields.leaves.lazy.compactMap { body[$0]?.text }.prefix(1).map(\.self) }
        return words.isEmpty ? nil : words.joined(separator: " ").cut(to: EntryContent.longestLabel)
    }
}

extension Access {
    /// The access in words, such as `read doctorlist, 3 entries, as of position 12, by the grant at position 7 (a
    /// visit)`.
    var text: String {
        var parts = [([action.rawValue] + sections.map(\.name)).joined(separator: " ")]
        if entryCount > 0 { parts.append(entryCount == 1 ? "1 entry" : "\(entryCount) entries") }
        if let asOf { parts.append("as of position \(asOf)") }
        if let happenedBy { parts.append("happened by \(happenedBy)") }
        if let grantedBy { parts.append(grantedBy.text) }
        return parts.joined(separator: ", ") + (purpose.isEmpty ? "" : " (\(purpose))")
    }
}

extension AccessRight {
    var text: String {
        switch self {
        case .owner: "as owner"
        case .grant(let position): "by the grant at position \(position)"
        case .emergency(let position): "in the emergency at position \(position)"
        case .role(let kind): "as \(kind.name)"
        }
    }
}
