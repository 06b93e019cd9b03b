internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import PracticeDirectory

extension Journal.Patients {
    /// Returns the patients of a practice, in the order of their names; each that is returned is a read of its record.
    package func list(
        of practice: UUID,
        matching filter: PatientFilter = .all,
        includesFormer: Bool = false,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [PatientAnswer] {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            let position = try journal.log.position(asOf: moment)
            var answers: [PatientAnswer] = []
            for record in try journal.practiceDirectory.patients(of: practice, asOf: position) {
                guard let patient = try journal.appointments.patientName(record, asOf: position),
                    let registration = try journal.practiceStates.registration(of: record, at: practice, asOf: position)
                        .state,
                    try registration.status == .accepted
                        || includesFormer && isCustodian(practice, of: record, asOf: position)
                else { continue }
                let answer = PatientAnswer(patient: patient, registration: registration)
                if filter.admits(answer) { answers.append(answer) }
            }
            let reads = answers.map { answer in
                let asOf = moment == nil ? nil : position
                let shown = Shown(sections: [], asOf: asOf, version: position)
                return TracedRead(
                    record: answer.patient.record,
                    action: .list,
                    right: .practice(practice),
                    shown: shown
                )
            }
            try await journal.access.trace(caller, reads)
            return answers.sorted(byNameAndID: { ($0.patient.name, $0.patient.record) })
        }
    }

    /// Whether a practice keeps the record of an animal, also if that is no patient any more.
    private func isCustodian(_ practice: UUID, of record: UUID, asOf position: UInt64) throws -> Bool {
        try journal.records.headerUnlessErased(record, asOf: position)?.owners.contains(practice) ?? false
    }
}
