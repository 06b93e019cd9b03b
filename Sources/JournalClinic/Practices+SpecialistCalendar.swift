internal import AppointmentCalendar
internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore

/// The calendar feed of a specialist's appointments.
extension Journal.Practices {
    /// The days of a feed before and after today.
    static let feedDays = (before: 30, after: 180)

    /// Returns the appointments and absences of a specialist at a practice as a calendar, and the reads to record.
    ///
    /// Times are in UTC, which every program shows by its own clock. Cancelled and missed appointments are left out.
    package func calendar(
        of specialist: UUID,
        at practice: UUID,
        showsNames: Bool,
        admitting caller: Caller
    ) async throws -> (ICalendar, [TracedRead]) {
        let admission = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
        guard let found = try journal.practiceStates.specialist(specialist)?.state else {
            throw JournalError(ModelError.noSpecialist)
        }
        let first = admission.today.adding(days: -Self.feedDays.before)
        guard let span = admission.clock.span(of: first...admission.today.adding(days: Self.feedDays.after)) else {
            throw JournalError(.failed, "the days of the feed are out of range")
        }
        let position = try journal.log.head()
        var components: [ICalendarComponent] = []
        var records: Set<UUID> = []
        for id in try journal.calendars.appointments(of: practice, days: span.days, asOf: position) {
            guard let state = try journal.appointments.appointmentUnlessErased(id, asOf: position),
                state.isInCalendars(at: journal.now),
                state.details.specialists.contains(specialist), state.details.span?.overlaps(span) == true,
                let patient = try journal.appointments.patientName(state.record, asOf: position)
            else { continue }
            records.insert(state.record)
            components.append(component(of: state, patient, admission.practice, showsNames: showsNames))
        }
        for (id, absence) in found.absences where absence.span.overlaps(span) {
            components.append(component(of: absence, id: id, found))
        }
        components.sort { $0.id < $1.id }
        let reads = records.sorted { $0.text < $1.text }
            .map {
                TracedRead(
                    record: $0,
                    action: .calendar,
                    right: admission.right,
                    shown: Shown(sections: [], version: position)
                )
            }
        let name = "\(found.profile.name), \(admission.practice.profile.name)"
        return (ICalendar(name: name, components: components), reads)
    }

    private func component(
        of state: AppointmentState,
        _ patient: PatientName,
        _ practice: PracticeState,
        showsNames: Bool
    ) -> ICalendarComponent {
        let species = patient.species
        let whom = showsNames ? (species.isEmpty ? patient.name : "\(patient.name) (\(species))") : species
        let summary = [serviceName(of: state.details, at: practice), whom].filter { !$0.isEmpty }
        var component = ICalendarComponent(state, summary: summary.joined(separator: ", "))
        component.location = placeNames(of: state.details, at: practice)
        return component
    }

    /// The name of the service or, without one, of the type of the appointment.
    func serviceName(of details: AppointmentDetails, at practice: PracticeState) -> String {
        details.service.flatMap { practice.services[$0]?.profile.name }
            ?? details.type.rawValue.replacing("_", with: "-").capitalizedFirst
    }

    /// The names of the rooms; nil if there are none.
    func placeNames(of details: AppointmentDetails, at practice: PracticeState) -> String? {
        let names = details.places.compactMap { practice.places[$0]?.profile.name }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private func component(of absence: Absence, id: UUID, _ specialist: SpecialistState) -> ICalendarComponent {
        var component = ICalendarComponent(
            .event,
            id: id.text,
            sequence: 0,
            changed: specialist.updated.recordedAt,
            start: .utc(absence.span.start),
            summary: "Absent"
        )
        component.end = absence.span.end
        component.isBusy = true
        component.status = .confirmed
        return component
    }
}

extension AppointmentState {
    /// Whether a calendar shows it: unless it was cancelled, missed or entered by mistake, or its reservation has run out.
    func isInCalendars(at now: Instant) -> Bool {
        retracted == nil && (takesTime(at: now) || status == .completed)
    }
}

extension ICalendarComponent {
    /// Creates the event of an appointment, with times in UTC, which every program shows by its own clock.
    init(_ state: AppointmentState, summary: String) {
        self.init(
            .event,
            id: state.id.text,
            sequence: UInt64(state.sequence),
            changed: state.updated.recordedAt,
            start: .utc(state.details.start),
            summary: summary
        )
        end = state.details.end
        isBusy = true
        status = state.status == .held ? .tentative : .confirmed
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
