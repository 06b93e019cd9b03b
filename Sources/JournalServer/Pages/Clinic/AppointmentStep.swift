import HealthJournal
import HealthModel

/// A change of an appointment that the pages offer; the raw value is what forms send.
enum AppointmentStep: String, CaseIterable {
    case book, confirm, arrive, begin, complete, missed, cancel, reinstate, note, edit, reassign, retract

    /// The notice after the change.
    var notice: String {
        switch self {
        case .book: "booked"
        case .confirm: "visitConfirmed"
        case .arrive: "visitArrived"
        case .begin: "visitBegun"
        case .complete: "visitCompleted"
        case .missed: "visitMissed"
        case .cancel: "visitCancelled"
        case .reinstate: "visitReinstated"
        case .note: "added"
        case .edit, .reassign: "changed"
        case .retract: "visitRetracted"
        }
    }

    /// Whether the change cannot be undone, or not easily.
    var isGrave: Bool { self == .cancel || self == .retract }
}

/// What a reader of the pages may do with an appointment now.
///
/// The application decides again on each change; the pages only offer what it would permit.
struct AppointmentReader {
    let practice: PracticeState
    /// The roles of the reader; empty for an owner of the animal.
    let roles: Set<ClinicRole>
    let now: Instant

    /// Whether the reader acts as the owner of the animal, and not as staff.
    var isClient: Bool { roles.isEmpty }

    /// Whether a client is still early enough to change an appointment.
    private func isInTime(_ state: AppointmentState) -> Bool {
        state.status == .held || now <= state.details.start.adding(minutes: -practice.profile.noticeHours * 60)
    }

    func mayMove(_ state: AppointmentState) -> Bool {
        guard state.retracted == nil, state.status == .scheduled || state.status == .confirmed else { return false }
        return !isClient || isInTime(state)
    }

    /// Whether the reader may put the patient, who comes for the appointment, on the triage board.
    func mayTriage(_ state: AppointmentState) -> Bool {
        guard state.retracted == nil, state.status == .scheduled || state.status == .confirmed else { return false }
        return !roles.isDisjoint(with: TriageAction.begin.roles)
    }

    func mayCancel(_ state: AppointmentState) -> Bool { may(.cancel, state) }

    /// Whether the reader may make a change now.
    func may(_ step: AppointmentStep, _ state: AppointmentState) -> Bool {
        guard state.retracted == nil, possible(step, state) else { return false }
        if isClient {
            switch step {
            case .book, .confirm: return true
            case .cancel: return state.status != .inProgress && isInTime(state)
            default: return false
            }
        }
        if step == .note, !AppointmentField.remarks.permits(.change, to: roles) { return false }
        return !roles.isDisjoint(with: action(step, state).roles)
    }

    /// Returns the one change that comes next; nil if there is none that the reader may make.
    ///
    /// What cannot take place as agreed is to be moved or cancelled, and not to be confirmed.
    func next(_ answer: AppointmentAnswer, today: Day, day: Day) -> AppointmentStep? {
        let state = answer.state
        let steps: [AppointmentStep] =
            switch state.status {
            case .held: [.book]
            case .scheduled, .confirmed:
                state.arrived != nil ? [.begin] : day == today ? [.arrive] : day > today ? [.confirm] : []
            case .inProgress: [.complete]
            case .completed, .cancelled, .noShow: []
            }
        return steps.first { may($0, state) && ($0 != .confirm || answer.problem == nil) }
    }

    private func possible(_ step: AppointmentStep, _ state: AppointmentState) -> Bool {
        let isAgreed = state.status == .scheduled || state.status == .confirmed
        switch step {
        case .book: return state.status == .held && state.heldUntil.map { now < $0 } ?? false
        case .confirm: return state.status == .scheduled
        case .arrive: return isAgreed && state.arrived == nil
        case .begin, .reassign: return isAgreed
        case .complete: return state.status == .inProgress
        case .missed:
            return isAgreed && state.arrived == nil
                && now >= state.details.start.adding(minutes: practice.profile.missedAfterMinutes)
        case .cancel: return state.status.takesTime
        case .reinstate: return state.status == .cancelled || state.status == .noShow
        case .note, .edit, .retract: return true
        }
    }

    private func action(_ step: AppointmentStep, _ state: AppointmentState) -> ScheduleAction {
        switch step {
        case .book, .confirm: .arrange
        case .cancel: state.status == .inProgress ? .breakOff : .arrange
        case .arrive, .missed, .reinstate, .note, .edit, .reassign: .administrate
        case .begin: .treat
        case .complete:
            .complete(
                nurseMay: state.details.service.flatMap { practice.services[$0]?.profile.nurseCompletes } ?? false
            )
        case .retract: .retract
        }
    }
}
