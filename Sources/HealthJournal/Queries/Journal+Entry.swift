internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
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
