internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// The patients of practices.
extension Journal {
    /// Makes an animal a patient of a practice.
    package func registerPatient(
        _ record: UUID,
        at practice: UUID,
        number: String = "",
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: .register, in: practice, on: record)
            let profile = try header(admitted: record).profile
            guard profile.subject == .animal else {
                throw JournalError(.conflict, field: "record", "only an animal can be a patient of this practice")
            }
            guard number.utf8.count <= 50 else {
                throw JournalError(.invalid, field: "number", "is longer than 50 bytes")
            }
            let stream = try registrationStream(of: record, at: practice)
            let registration = try registration(of: record, at: practice)
            if let state = registration.state, state.ended == nil, state.number == number {
                return WriteResult(position: state.made.position, record: record, id: practice, isChanged: false)
            }
            var change = try Change(self, caller)
            try change.add(
                JournalEvent(RegistrationMade(practice: practice, number: number)),
                stream: stream,
                subject: record,
                expecting: .exact(registration.version)
            )
            if !number.isEmpty {
                try claimOnce(
                    .claim(holder: record),
                    on: .recordNumber,
                    "\(practice.text)\n\(number)",
                    field: "number",
                    &change
                )
            }
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, record: record, id: practice)
        }
    }
}
