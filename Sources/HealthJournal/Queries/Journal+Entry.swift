internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// The entry of an id or of the start of one, in whatever record it is.
    ///
    /// One that the caller may not see is not there: the attempt is on record, the answer says nothing of it.
    package func entry(named text: String, asOf moment: AsOf? = nil, _ caller: Caller) async throws(JournalError)
        -> EntryState
    {
        let id = try entry(text, caller)
        return try await retrying {
            guard let place = try place(ofEntry: id), let kind = Kind.coded(place.kind) else {
                throw JournalError(.notFound, "there is no such entry")
            }
            do {
                return try await entry(id, of: kind, in: place.record, asOf: moment, caller)
            } catch let error as JournalError where error.code == .refused {
                throw JournalError(.notFound, "there is no such entry")
            }
        }
    }

    /// One entry of a record, as known now or at any moment; a retracted one says that it was.
    package func entry(
        _ entry: UUID,
        of kind: Kind,
        in record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> EntryState {
        try await retrying {
            let admission = try await admit(caller, to: .read([kind], .read), on: record)
            let position = try log.position(asOf: moment)
            guard let state = try records.entry(entry, asOf: position), state.record == record, state.kind == kind
            else {
                throw JournalError(.notFound, "there is no such entry")
            }
            try await trace(
                caller,
                admission,
                Shown(sections: [kind.section], entryCount: 1, asOf: moment == nil ? nil : position)
            )
            return state
        }
    }
}
