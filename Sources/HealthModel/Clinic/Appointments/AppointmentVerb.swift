/// A kind of change of an appointment, by the word that requests and forms use for it.
package enum AppointmentVerb: String, CaseIterable, Sendable {
    case book, confirm, move, reassign, displace, arrive, begin, complete, cancel, missed, reinstate, retract, note
    case edit

    /// The word for it in messages, such as "moved".
    package var participle: String {
        switch self {
        case .book: "booked"
        case .confirm: "confirmed"
        case .move: "moved"
        case .reassign: "given to somebody else"
        case .displace: "displaced"
        case .arrive: "marked as arrived"
        case .begin: "begun"
        case .complete: "completed"
        case .cancel: "cancelled"
        case .missed: "marked as missed"
        case .reinstate: "reinstated"
        case .edit: "changed"
        case .note: "annotated"
        case .retract: "retracted"
        }
    }

    /// The statuses from which it is possible.
    package var possibleFrom: Set<AppointmentStatus> {
        switch self {
        case .book: [.held]
        case .confirm: [.scheduled]
        case .move, .reassign, .displace, .arrive, .begin, .missed: [.scheduled, .confirmed]
        case .complete: [.inProgress]
        case .cancel: [.held, .scheduled, .confirmed, .inProgress]
        case .reinstate: [.cancelled, .noShow]
        case .edit, .note, .retract: Set(AppointmentStatus.allCases)
        }
    }

    /// Reports whether it would be accepted at a moment and change something, as far as the appointment itself decides
    /// that.
    package func isPossible(for state: AppointmentState, missedAfterMinutes: Int, now: Instant) -> Bool {
        guard state.retracted == nil, possibleFrom.contains(state.status) else { return false }
        guard let command = command(for: state) else { return true }
        let events = try? decide(command, state, missedAfterMinutes: missedAfterMinutes, now: now)
        return events?.isEmpty == false
    }

    /// Returns the command on an appointment, if it needs nothing that a person must say.
    private func command(for state: AppointmentState) -> AppointmentCommand? {
        switch self {
        case .book: .book(state.details)
        case .arrive: .arrive
        case .begin: .begin
        case .complete: .complete
        case .missed: .miss
        case .reinstate: .reinstate
        case .retract: .retract
        case .confirm, .move, .reassign, .displace, .cancel, .note, .edit: nil
        }
    }
}
