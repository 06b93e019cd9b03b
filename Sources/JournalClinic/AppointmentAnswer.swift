package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// An appointment as it is shown to a caller.
package struct AppointmentAnswer: Hashable, Sendable {
    /// Without the notes, unless the caller may read them.
    package var state: AppointmentState
    /// Nil if the record cannot be read any more.
    package var patient: PatientName?
    /// Why it cannot take place as agreed, such as an absence that was entered since; nil if nothing is in the way.
    package var problem: String?
    /// Whether its time is over and its outcome was not recorded.
    package var isUnresolved: Bool
    /// Whether the client cancelled it later than the practice asks for.
    package var isCancelledLate = false

    package init(state: AppointmentState, patient: PatientName?, problem: String? = nil, isUnresolved: Bool = false) {
        self.state = state
        self.patient = patient
        self.problem = problem
        self.isUnresolved = isUnresolved
    }
}

/// What staff see of every patient.
package struct PatientName: Hashable, Sendable {
    package let record: UUID
    package let name: String
    package let species: String
    /// What everybody who handles the animal must know, such as that it bites; for the staff of a practice alone.
    package var alerts: String?
    /// The client who is asked first; for the staff of a practice alone.
    package var client: PatientClientDocument?

    package init(record: UUID, name: String, species: String) {
        self.record = record
        self.name = name
        self.species = species
    }
}

/// One version of an appointment: what an event made of it.
package struct AppointmentVersion: Hashable, Sendable {
    package var stamp: Stamp
    package var type: EventType
    package var state: AppointmentState
    package var reason: String
}

/// A time in which a specialist cannot be booked, shown without further details.
package struct BusyTime: Hashable, Sendable {
    package var specialist: UUID
    package var span: TimeSpan
    /// Whether it is blocked, such as for a meeting; otherwise the specialist is in another practice, or the record was
    /// erased.
    package var isBlocked: Bool
}

/// The appointments of a practice in some of its days.
package struct CalendarAnswer: Sendable {
    package var practice: PracticeState
    package var days: ClosedRange<Day>
    /// The log position that the calendar reflects.
    package var position: UInt64
    /// In ascending order of their starts.
    package var appointments: [AppointmentAnswer]
    package var busy: [BusyTime]
    package var specialists: [SpecialistState]
}

/// Which appointments of a calendar are wanted.
package struct AppointmentFilter: Hashable, Sendable {
    package var specialist: UUID?
    package var place: UUID?
    package var record: UUID?
    /// Nil for all.
    package var statuses: Set<AppointmentStatus>?
    /// Whether only those are wanted that cannot take place as agreed, or whose outcome is unknown.
    package var onlyOpenQuestions = false

    package init() {}

    func admits(_ state: AppointmentState) -> Bool {
        if let specialist, !state.details.specialists.contains(specialist) { return false }
        if let place, !state.details.places.contains(place) { return false }
        if let record, record != state.record { return false }
        return statuses?.contains(state.status) ?? true
    }
}

extension AppointmentState {
    /// Returns what people of some roles see of the appointment.
    func visible(to roles: Set<ClinicRole>) -> AppointmentState {
        var state = self
        for field in AppointmentField.allCases where !field.permits(.read, to: roles) {
            switch field {
            case .reason: state.details.reason = ""
            case .instructions: state.details.instructions = ""
            case .notes: state.details.notes = ""
            case .remarks: state.notes = []
            }
        }
        // The ranking compares colleagues: it is for those who treat, and no triage is shown with it to others than staff.
        if !roles.contains(where: \.isClinical) { state.details.match = nil }
        if roles.isEmpty { state.details.assessment = nil }
        return state
    }

    /// Whether its time is over at a moment and its outcome was not recorded.
    func isUnresolved(at now: Instant) -> Bool {
        [.scheduled, .confirmed, .inProgress].contains(status) && retracted == nil && details.end <= now
    }
}
