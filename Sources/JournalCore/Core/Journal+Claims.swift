internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// Values that must be unique in a journal.
extension Journal {
    /// Claims the microchip number of an animal for its record, and releases the previous number.
    package func claim(
        _ profile: RecordProfile,
        instead before: RecordProfile?,
        of record: UUID,
        _ change: inout Change
    ) throws {
        let (old, new) = (before?.microchip, profile.microchip)
        guard old != new else { return }
        if let old { try claimOnce(.release(holder: record), on: .animalID, old, field: "animalID", &change) }
        if let new { try claimOnce(.claim(holder: record), on: .animalID, new, field: "animalID", &change) }
    }

    /// Decides on a claim of a unique value, and makes the append depend on the claim's current state.
    package func claimOnce(
        _ command: ClaimCommand,
        on kind: UniqueValue,
        _ value: String,
        field: String,
        _ change: inout Change
    ) throws {
        let stream = try claim(kind, value)
        // The events of this change are not in the log yet, so a second claim of the value is detected here.
        if change.adds(to: stream) {
            throw JournalError(.conflict, field: field, "the value occurs twice in this change")
        }
        var state = ClaimState()
        let events = try log.recordedEvents(of: stream)
        for event in events { evolve(&state, event) }
        // An erasure releases the claims of its record. A record that was restored as erased could not release its
        // claims, so a claim of an erased record does not count.
        if let holder = state.holder, try erasure.tombstone(of: holder) != nil { state.holder = nil }
        change.expect(stream, .exact(UInt64(events.count)))
        do {
            try change.add(decide(command, state), in: .stream(stream, of: log.description.id), isOfItsSubject: false)
        } catch {
            let holder = kind == .accountName ? state.holder : nil
            let isRemoved = try holder.map { try directory.account($0, log, permissions)?.removed != nil } ?? false
            throw JournalError(
                .conflict,
                field: field,
                isRemoved ? UniqueValue.keptByRemovedAccount : kind.isTaken ?? error.text
            )
        }
    }

    /// Returns the record of the animal with a microchip number; nil if there is none.
    package func holder(ofMicrochip text: String) throws -> UUID? {
        guard let number = RecordProfile.microchip(text) else { return nil }
        var claim = ClaimState()
        for event in try log.recordedEvents(of: self.claim(.animalID, number)) { evolve(&claim, event) }
        return try claim.holder.flatMap { try erasure.tombstone(of: $0) == nil ? $0 : nil }
    }

    /// Releases the microchip number that a record has claimed.
    func releaseClaims(of state: RecordState, _ change: inout Change) throws {
        guard let microchip = state.profile.microchip else { return }
        var claim = ClaimState()
        for event in try log.recordedEvents(of: self.claim(.animalID, microchip)) { evolve(&claim, event) }
        guard claim.holder == state.id else { return }
        try claimOnce(.release(holder: state.id), on: .animalID, microchip, field: "animalID", &change)
    }
}

extension UniqueValue {
    /// A removed account keeps its name, so that older entries of the audit trail stay unambiguous.
    fileprivate static let keptByRemovedAccount: Message =
        "was the name of an account that was removed: choose another name"

    /// The message for a value that something else has already; nil if that could only be a coincidence.
    fileprivate var isTaken: Message? {
        switch self {
        case .animalID: "another record of this journal has this number"
        case .accountName: "is the name of another account"
        case .identity: "belongs to another account"
        case .recordNumber: "another patient of this practice has this number"
        case .license: "another specialist of this practice has this licence number"
        case .clientEmail: "another client of this practice has this e-mail address"
        case .invitation, .calendar: nil
        }
    }
}

extension RecordProfile {
    /// The number that identifies the animal, normalized for comparison.
    fileprivate var microchip: String? {
        guard subject == .animal,
            let field = RecordProfile.fields(for: .animal).first(where: { $0.name == "animalID" }),
            let text = values.text(field)
        else { return nil }
        return Self.microchip(text)
    }

    /// Returns a microchip number, normalized for comparison; nil if the text contains none.
    fileprivate static func microchip(_ text: String) -> String? {
        let plain = text.filter { !$0.isWhitespace && $0 != "-" }.uppercased()
        return plain.isEmpty ? nil : plain
    }
}
