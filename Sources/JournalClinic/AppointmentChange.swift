internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore

/// A requested change of an existing appointment.
package indirect enum AppointmentChange: Hashable, Sendable {
    /// Book the reserved time.
    case book
    case confirm(ConfirmationWay)
    case move(to: AppointmentRequest.Start, minutes: Int?)
    case reassign(specialist: UUID?, places: [UUID]?)
    case displace(to: AppointmentRequest.Start, by: UUID)
    case arrive
    case begin
    case complete
    /// `by` is whoever called it off; by default the side of the caller.
    case cancel(code: String, by: AppointmentParty? = nil)
    case miss
    case reinstate
    case edit(reason: String?, notes: String?, instructions: String?)
    case addNote(String)
    case retract
    /// A change that is meant although the appointment is on a later day.
    case ahead(AppointmentChange)
}

extension AppointmentVerb {
    /// The action that the gate decides on.
    package func action(on state: AppointmentState, nurseCompletes: Bool) -> ScheduleAction {
        switch self {
        case .book, .confirm, .move: .arrange
        case .cancel: state.status == .inProgress ? .breakOff : .arrange
        case .reassign, .arrive, .missed, .reinstate, .edit, .note: .administrate
        case .begin: .treat
        case .complete: .complete(nurseMay: nurseCompletes)
        case .displace: .displace
        case .retract: .retract
        }
    }
}

extension AppointmentChange {
    var verb: AppointmentVerb {
        switch self {
        case .book: .book
        case .confirm: .confirm
        case .move: .move
        case .reassign: .reassign
        case .displace: .displace
        case .arrive: .arrive
        case .begin: .begin
        case .complete: .complete
        case .cancel: .cancel
        case .miss: .missed
        case .reinstate: .reinstate
        case .edit: .edit
        case .addNote: .note
        case .retract: .retract
        case .ahead(let change): change.verb
        }
    }

    /// Throws if the patient of an appointment on a later day is said to be there, unless it is meant.
    func requireDay(_ state: AppointmentState, _ admission: PracticeAdmission) throws(JournalError) {
        guard [.arrive, .begin, .complete].contains(self) else { return }
        let day = admission.clock.day(at: state.details.start)
        guard day > admission.today else { return }
        throw JournalError(
            .conflict,
            field: "ahead",
            "the appointment is on \(day): confirm that the patient was there today, or move it first"
        )
    }

    /// Returns the command, with the agreement that it leads to.
    func command(
        _ state: AppointmentState,
        _ admission: PracticeAdmission
    ) throws -> AppointmentCommand {
        var details = state.details
        func move(to start: AppointmentRequest.Start) throws {
            details.start = try admission.clock.instant(of: start)
            details.zone = admission.practice.profile.zone
            details.wall = admission.clock.wall(at: details.start)
        }
        switch self {
        case .book: return .book(details)
        case .confirm(let way): return .confirm(way)
        case .move(let start, let minutes):
            try move(to: start)
            details.minutes = minutes ?? details.minutes
            return .reschedule(details)
        case .reassign(let specialist, let places):
            details.specialist = specialist ?? details.specialist
            details.places = places ?? details.places
            details.match?.taken = details.specialist
            return .reassign(details)
        case .displace(let start, let other):
            try move(to: start)
            return .displace(details, by: other)
        case .arrive: return .arrive
        case .begin: return .begin
        case .complete: return .complete
        case .cancel(let code, let by):
            return .cancel(admission.asker == .client ? .client : by ?? .practice, code: code)
        case .miss: return .miss
        case .reinstate: return .reinstate
        case .edit(let reason, let notes, let instructions):
            details.reason = reason ?? details.reason
            details.notes = notes ?? details.notes
            details.instructions = instructions ?? details.instructions
            return .change(details)
        case .addNote(let text): return .addNote(text)
        case .retract: return .retract
        case .ahead(let change): return try change.command(state, admission)
        }
    }
}
