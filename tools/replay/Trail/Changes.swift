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
    let names: ShownNames

    func changes(of recorded: RecordedEvent, _ event: StoredEvent) throws -> [FieldChange] {
        switch recorded.event.data {
        case let added as EntryAdded:
            return added.content.changes(from: nil)
        case let corrected as EntryCorrected:
            return corrected.content.changes(from: try contentBefore(event))
        case let changed as PlanChanged:
            return changed.content.changes(from: try contentBefore(event))
        case is EntryRetracted:
            return [.now("retracted", "true")]
        case is EntryRestored:
            return [.gone("retracted", "true")]
        case let created as RecordCreated:
            return created.profile.changes(from: nil) + recorded.event.changes(from: nil, text: shown)
        case let changed as RecordChanged:
            return changed.profile.changes(from: try profileBefore(event))
        case is RecordClosed:
            return [.now("closed", "true")]
        case is RecordReopened:
            return [.gone("closed", "true")]
        case let held as RecordHeld:
            let before = try previous(recorded, event)?.data as? RecordHeld
            return [.hold(from: before?.until, to: held.until)]
        case let granted as CaregiverGranted:
            return FieldChange.between(try termsBefore(event, of: granted.account), granted.terms)
                + (granted.invitedBy.map { [.now("invitedBy", names.shown($0))] } ?? [])
        case let revoked as CaregiverRevoked:
            return FieldChange.between(try termsBefore(event, of: revoked.account), nil)
        case is RecordOwnerAdded, is RecordOwnerRemoved, is RecordTransferred:
            let before = try ownersBefore(event)
            return [.owners(shown(before), shown(before.owners(after: recorded.event)))]
        default:
            return recorded.event.changes(from: try previous(recorded, event), text: shown)
        }
    }

    /// Returns the event whose values an event replaces, or nil.
    private func previous(_ recorded: RecordedEvent, _ event: StoredEvent) throws -> JournalEvent? {
        guard recorded.event.definition.state != nil else { return nil }
        return try before(event) { recorded.event.replaces($0.event) ? $0.event : nil }
    }

    /// Returns the content of an entry before one of its events.
    func contentBefore(_ event: StoredEvent) throws -> EntryContent? {
        try before(event) { recorded in
            recorded.entry == event.header.entry ? recorded.event.content : nil
        }
    }

    private func shown(_ accounts: [UUID]) -> String { accounts.map(names.shown).joined(separator: ", ") }

    /// Returns the text of a value, with the names of what it identifies.
    private func shown(_ value: FieldValue) -> String? {
        switch value {
        case .id(let id): names.name(id) ?? id.text
        case .list(let values): values.compactMap(shown).joined(separator: ", ")
        default: value.text
        }
    }

    /// Returns the owners of a record before one of its events, from all owner changes back to its creation.
    private func ownersBefore(_ event: StoredEvent) throws -> [UUID] {
        var steps: [JournalEvent] = []
        _ = try before(event) { recorded -> Bool? in
            switch recorded.event.data {
            case is RecordCreated:
                steps.append(recorded.event)
                return true
            case is RecordOwnerAdded, is RecordOwnerRemoved, is RecordTransferred:
                steps.append(recorded.event)
                return nil
            default:
                return nil
            }
        }
        return steps.reversed().reduce(into: []) { $0 = $0.owners(after: $1) }
    }

    private func profileBefore(_ event: StoredEvent) throws -> RecordProfile? {
        try before(event) { $0.event.profile }
    }

    private func termsBefore(_ event: StoredEvent, of account: UUID) throws -> GrantTerms? {
        let found: GrantTerms?? = try before(event) { recorded in
            switch recorded.event.data {
            case let granted as CaregiverGranted where granted.account == account: .some(.some(granted.terms))
            case let revoked as CaregiverRevoked where revoked.account == account: .some(nil)
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
            ("silent", { $0.notifies ? nil : "true" }),
        ]
        return fields.compactMap { name, value in
            let (old, new) = (before.flatMap(value), after.flatMap(value))
            return old == new ? nil : FieldChange(path: name, label: name, before: old, after: new)
        }
    }
}

extension Set<Section> {
    var names: [String] { sorted().map(\.name) }
    var listed: String { names.joined(separator: ", ") }
}

extension Set<Verb> {
    var names: [String] { sorted().map(\.name) }
    var listed: String { names.joined(separator: ", ") }
}
