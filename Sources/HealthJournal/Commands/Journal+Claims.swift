internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents

/// Values that may stand only once in a journal.
extension Journal {
    /// Keeps a microchip number to one animal of the journal, and gives up the one it had.
    func claim(
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

    /// Decides on a value that may stand only once, and ties the append to what was found.
    func claimOnce(
        _ command: ClaimCommand,
        on kind: UniqueValue,
        _ value: String,
        field: String,
        _ change: inout Change
    ) throws {
        let stream = try claim(kind, value)
        // What this very change does to the value is not in the log yet.
        if change.adds(to: stream) { throw JournalError(.conflict, field: field, "the value is there twice") }
        var state = ClaimState()
        let events = try log.recordedEvents(of: stream)
        for event in events { evolve(&state, event) }
        // An erasure releases what its record held; of one that was restored as erased nobody knows what that was.
        if let holder = state.holder, try tombstone(of: holder) != nil { state.holder = nil }
        change.expect(stream, .exact(UInt64(events.count)))
        do {
            for event in try decide(command, state) {
                try change.add(event, stream: stream, subject: log.description.id, isOfItsSubject: false)
            }
        } catch {
            throw JournalError(.conflict, field: field, error.message)
        }
    }

    /// Gives up what a record held.
    func releaseClaims(of state: RecordState, _ change: inout Change) throws {
        guard let microchip = state.profile.microchip else { return }
        var claim = ClaimState()
        for event in try log.recordedEvents(of: self.claim(.animalID, microchip)) { evolve(&claim, event) }
        guard claim.holder == state.id else { return }
        try claimOnce(.release(holder: state.id), on: .animalID, microchip, field: "animalID", &change)
    }
}

extension RecordProfile {
    /// The number that identifies the animal, in the one spelling by which two are compared.
    fileprivate var microchip: String? {
        guard subject == .animal,
            let field = RecordProfile.fields(for: .animal).first(where: { $0.name == "animalID" }),
            let text = values.text(field)
        else { return nil }
        let plain = text.filter { !$0.isWhitespace && $0 != "-" }.uppercased()
        return plain.isEmpty ? nil : plain
    }
}
