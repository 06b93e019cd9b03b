internal import AppointmentCalendar
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import TriageQueue

/// What a service takes for one patient.
extension Journal.Appointments {
    /// Returns how long an appointment for a service lasts; throws if the service is for another species.
    ///
    /// `moving` is an appointment of the patient that does not count as an earlier visit. `isRepeated` is true for one that
    /// follows another in a series.
    func duration(
        of service: ServiceProfile,
        for record: UUID?,
        besides moving: UUID? = nil,
        isRepeated: Bool = false,
        _ admission: PracticeAdmission
    ) throws -> ServiceDuration {
        guard let record else { return ServiceDuration(minutes: service.minutes) }
        let position = try journal.log.head()
        if service.species != nil, let patient = try patientName(record, asOf: position),
            !service.isFor(species: patient.species)
        {
            throw JournalError(.conflict, field: "service", "the service is for another species")
        }
        var isFirst = false
        if !isRepeated, service.firstVisitMinutes != service.minutes {
            isFirst = try !journal.calendars.appointments(of: record, asOf: position)
                .contains { id in
                    guard id != moving, let state = try appointmentUnlessErased(id, asOf: position) else {
                        return false
                    }
                    return state.details.practice == admission.id && state.retracted == nil
                        && (state.takesTime(at: journal.now) || state.status == .completed)
                }
        }
        return service.duration(isFirstVisit: isFirst, complexity: try recentComplexity(of: record, admission))
    }

    /// Returns the complexity that the practice's last triage of a patient found; nil if there was none in the last days.
    private func recentComplexity(of record: UUID, _ admission: PracticeAdmission) throws -> CaseComplexity? {
        let earliest = journal.now.adding(minutes: -ServiceDuration.complexityDays * 1_440)
        var last: TriageState?
        for id in try journal.triageQueue.triages(of: record, asOf: journal.log.head()) {
            guard let state = try journal.triage.triageUnlessErased(id, asOf: .max), state.practice == admission.id,
                state.retracted == nil, state.assessment != nil, state.updated.recordedAt >= earliest
            else { continue }
            if last.map({ $0.updated.position < state.updated.position }) ?? true { last = state }
        }
        return last?.assessment?.assessment.complexity
    }
}
