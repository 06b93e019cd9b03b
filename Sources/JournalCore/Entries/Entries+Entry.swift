internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Entries {
    /// Returns the entry of an id or an abbreviated id, whatever record it belongs to.
    ///
    /// An entry that the caller may not see is reported as not found; the attempt is recorded.
    package func entry(named text: String, asOf moment: AsOf? = nil, _ caller: Caller) async throws(JournalError)
        -> EntryState
    {
        try await journal.retrying {
            let id = try journal.records.entry(text, caller)
            guard let place = try place(ofEntry: id), let kind = Kind.coded(place.kind) else {
                throw JournalError.noEntry
            }
            do {
                return try await entry(id, of: kind, in: place.record, asOf: moment, caller)
            } catch let error as JournalError where error.code == .refused {
                throw JournalError.noEntry
            }
        }
    }

    /// Returns one entry of a record, as known now or at a moment; the state of a retracted entry contains its
    /// retraction.
    package func entry(
        _ entry: UUID,
        of kind: Kind,
        in record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> EntryState {
        try await journal.retrying {
            let admission = try await journal.access.admit(
                caller,
                to: .reading([kind], .read, ofPast: moment != nil),
                on: record
            )
            let position = try journal.log.position(asOf: moment)
            guard let state = try journal.contents(admission).entry(entry, asOf: position), state.record == record,
                state.kind == kind,
                // A retracted entry is history, which the emergency view does not show.
                !(state.isRetracted && admission.right.isEmergency)
            else {
                throw try absence(of: entry, in: record, of: kind)
            }
            try await journal.access.trace(
                caller,
                admission,
                Shown(state, asOf: moment == nil ? nil : position, version: position)
            )
            return state
        }
    }
}
