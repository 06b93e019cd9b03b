import EventLog
import Foundation
import HealthModel
import JournalEvents

/// The changes of an event, field by field.
///
/// The state before the event is read on demand, back along its stream, so that a log of any length needs no memory for
/// earlier states.
struct Changes {
    let log: EventLog
    let names: Names

    func changes(of recorded: RecordedEvent, _ event: StoredEvent) throws -> [FieldChange] {
        switch recorded.event {
        case .entryAdded(let content):
            return content.changes(from: nil)
        case .entryCorrected(let content):
            return content.changes(from: try contentBefore(event))
        case .entryRetracted:
            return [.now("retracted", "true")]
        case .entryRestored:
            return [.gone("retracted", "true")]
        case .recordCreated(let profile, let owners):
            return profile.changes(from: nil) + [.now("owners", shown(owners))]
        case .recordChanged(let profile):
            return profile.changes(from: try profileBefore(event))
        case .recordClosed:
            return [.now("closed", "true")]
        case .recordHeld(let until):
            let before = try before(event) { recorded -> Day? in
                guard case .recordHeld(let until) = recorded.event else { return nil }
                return until
            }
            return [.hold(from: before, to: until)]
        case .caregiverGranted(let account, let terms, let invitedBy):
            return FieldChange.between(try termsBefore(event, of: account), terms)
                + (invitedBy.map { [.now("invitedBy", shown([$0]))] } ?? [])
        case .caregiverRevoked(let account):
            return FieldChange.between(try termsBefore(event, of: account), nil)
        case .recordOwnerAdded, .recordOwnerRemoved, .recordTransferred:
            let before = try ownersBefore(event)
            return [.owners(shown(before), shown(before.owners(after: recorded.event)))]
        case .caregiverInvited(let invitation):
            return FieldChange.between(nil, invitation.terms) + [.now("expires", invitation.expires.description)]
        case .emergencyOpened(_, let expires):
            return [.now("expires", expires.description)]
        case .accountAdded(let profile):
            return [.now("name", profile.name), .now("kind", profile.kind.name)]
                + (profile.email.isEmpty ? [] : [.now("email", profile.email)])
        case .tokenIssued(let token):
            return [.now("scope", token.scope.description)]
                + (token.expires.map { [.now("expires", $0.description)] } ?? [])
        case .journalCreated(let name, let zone):
            return (name.isEmpty ? [] : [.now("name", name)]) + [.now("zone", zone)]
        case .identityLinked(let identity):
            return [.now("issuer", identity.issuer), .now("subject", identity.subject)]
        case .sessionBegun(let session):
            return [.now("expires", session.expires.description)]
        case .journalAccepted, .journalBackedUp, .journalRestored, .masterKeyRotated, .clockAccepted, .tokenRevoked,
            .passwordSet,
            .sessionEnded, .tokenUsed, .identityUnlinked, .recordErased, .invitationAccepted, .invitationWithdrawn,
            .noticeAcknowledged,
            .recordRead, .accessDenied, .accessSummarised, .valueClaimed, .valueReleased, .externalReceived:
            return []
        }
    }

    /// Returns the content of an entry before one of its events.
    func contentBefore(_ event: StoredEvent) throws -> EntryContent? {
        try before(event) { recorded in
            recorded.entry == event.header.entry ? recorded.event.content : nil
        }
    }

    private func shown(_ accounts: [UUID]) -> String { accounts.map(names.shown).joined(separator: ", ") }

    /// Returns the owners of a record before one of its events, from all owner changes back to its creation.
    private func ownersBefore(_ event: StoredEvent) throws -> [UUID] {
        var steps: [JournalEvent] = []
        _ = try before(event) { recorded -> Bool? in
            switch recorded.event {
            case .recordCreated:
                steps.append(recorded.event)
                return true
            case .recordOwnerAdded, .recordOwnerRemoved, .recordTransferred:
                steps.append(recorded.event)
                return nil
            default:
                return nil
            }
        }
        return steps.reversed().reduce(into: []) { $0 = $0.owners(after: $1) }
    }

    private func profileBefore(_ event: StoredEvent) throws -> RecordProfile? {
        try before(event) { recorded in
            switch recorded.event {
            case .recordCreated(let profile, _), .recordChanged(let profile): profile
            default: nil
            }
        }
    }

    private func termsBefore(_ event: StoredEvent, of account: UUID) throws -> GrantTerms? {
        let found: GrantTerms?? = try before(event) { recorded in
            switch recorded.event {
            case .caregiverGranted(account, let terms, _): .some(.some(terms))
            case .caregiverRevoked(account): .some(nil)
            default: nil
            }
        }
        return found.flatMap { $0 }
    }

    /// Returns the first result of `answer` that is not nil, going back along the event's stream.
    private func before<Answer>(_ event: StoredEvent, _ answer: (RecordedEvent) throws -> Answer?) throws -> Answer? {
        var at = event.position
        var next = event.previous
        while next > 0 {
            guard next < at else {
                throw EventLogError(.damaged, "position \(at): its links do not lead back", position: at)
            }
            let previous = try log.event(at: next)
            if let found = try answer(log.recorded(previous)) { return found }
            (at, next) = (next, previous.previous)
        }
        return nil
    }
}

extension FieldChange {
    static func now(_ path: String, _ value: String) -> FieldChange {
        FieldChange(path: path, label: path, before: nil, after: value)
    }

    static func gone(_ path: String, _ value: String) -> FieldChange {
        FieldChange(path: path, label: path, before: value, after: nil)
    }

    static func owners(_ before: String, _ after: String) -> FieldChange {
        FieldChange(path: "owners", label: "owners", before: before, after: after)
    }

    static func hold(from before: Day?, to after: Day?) -> FieldChange {
        FieldChange(path: "heldUntil", label: "Held until", before: before?.description, after: after?.description)
    }

    /// Returns the differences between the terms of a grant; nil means that there is no grant.
    static func between(_ before: GrantTerms?, _ after: GrantTerms?) -> [FieldChange] {
        let fields: [(String, (GrantTerms) -> String?)] = [
            ("sections", { $0.sections.listed }), ("verbs", { $0.verbs.listed }),
            ("from", { $0.from?.description }), ("until", { $0.until?.description }),
            ("emergencyAfterEnd", { $0.emergencyAfterEnd ? "true" : nil }),
        ]
        return fields.compactMap { name, value in
            let (old, new) = (before.flatMap(value), after.flatMap(value))
            return old == new ? nil : FieldChange(path: name, label: name, before: old, after: new)
        }
    }
}

extension Set<Section> {
    var names: [String] { sorted { $0.rawValue < $1.rawValue }.map(\.name) }
    var listed: String { names.joined(separator: ", ") }
}

extension Set<Verb> {
    var names: [String] { sorted { $0.rawValue < $1.rawValue }.map(\.name) }
    var listed: String { names.joined(separator: ", ") }
}
