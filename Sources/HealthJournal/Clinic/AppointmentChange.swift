internal import EventLog
package import FoundationEssentials
package import HealthModel

/// What somebody wants to do with an appointment that exists.
package enum AppointmentChange: Hashable, Sendable {
    /// Book what was reserved.
    case book
    case confirm(ConfirmationWay)
    case move(to: AppointmentRequest.Start, minutes: Int?)
    case reassign(specialist: UUID?, places: [UUID]?)
    case displace(to: AppointmentRequest.Start, by: UUID)
    case arrive
    case begin
    case complete
    case cancel(code: String)
    case miss
    case reinstate
    case edit(reason: String?, notes: String?, instructions: String?)
    case addNote(String)
    case retract
}

extension AppointmentChange {
    /// The action that the gate decides on.
    func action(on state: AppointmentState, nurseCompletes: Bool) -> ScheduleAction {
        switch self {
        case .book, .confirm, .move: .arrange
        case .cancel: state.status == .inProgress ? .breakOff : .arrange
        case .reassign, .arrive, .miss, .reinstate, .edit, .addNote: .administrate
        case .begin: .treat
        case .complete: .complete(nurseMay: nurseCompletes)
        case .displace: .displace
        case .retract: .retract
        }
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
            return .reassign(details)
        case .displace(let start, let other):
            try move(to: start)
            return .displace(details, by: other)
        case .arrive: return .arrive
        case .begin: return .begin
        case .complete: return .complete
        case .cancel(let code): return .cancel(admission.asker == .client ? .client : .practice, code: code)
        case .miss: return .miss
        case .reinstate: return .reinstate
        case .edit(let reason, let notes, let instructions):
            details.reason = reason ?? details.reason
            details.notes = notes ?? details.notes
            details.instructions = instructions ?? details.instructions
            return .change(details)
        case .addNote(let text): return .addNote(text)
        case .retract: return .retract
        }
    }
}
