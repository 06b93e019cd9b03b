import HealthJournal
import HealthModel

extension AppointmentVerb {
    /// The changes that the page of an appointment offers, besides moving it, in their order.
    static let offered: [AppointmentVerb] = [
        .book, .confirm, .arrive, .begin, .complete, .missed, .cancel, .reinstate, .note, .edit, .reassign, .retract,
    ]

    /// Reads what a form of the page sends; nil for anything else than an offered change.
    init?(offered text: String) {
        guard let verb = AppointmentVerb(rawValue: text), AppointmentVerb.offered.contains(verb) else { return nil }
        self = verb
    }

    /// The notice after the change.
    var notice: String {
        switch self {
        case .book: "booked"
        case .confirm: "visitConfirmed"
        case .move, .displace: "visitMoved"
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

    /// Whether the reader may put the patient, who comes for the appointment, on the triage board.
    func mayTriage(_ state: AppointmentState) -> Bool {
        guard state.retracted == nil, state.status == .scheduled || state.status == .confirmed else { return false }
        return !roles.isDisjoint(with: TriageAction.begin.roles)
    }

    /// Whether the reader may make a change now.
    func may(_ verb: AppointmentVerb, _ state: AppointmentState) -> Bool {
        let minutes = practice.profile.missedAfterMinutes
        guard verb.isPossible(for: state, missedAfterMinutes: minutes, now: now) else { return false }
        if isClient {
            switch verb {
            case .book, .confirm: return true
            case .move: return isInTime(state)
            case .cancel: return state.status != .inProgress && isInTime(state)
            default: return false
            }
        }
        if verb == .note, !AppointmentField.remarks.permits(.change, to: roles) { return false }
        let nurseCompletes = state.details.service.flatMap { practice.services[$0]?.profile.nurseCompletes } ?? false
        return !roles.isDisjoint(with: verb.action(on: state, nurseCompletes: nurseCompletes).roles)
    }

    /// Returns the one change that comes next; nil if there is none that the reader may make.
    ///
    /// What cannot take place as agreed is to be moved or cancelled, and not to be confirmed.
    func next(_ answer: AppointmentAnswer, today: Day, day: Day) -> AppointmentVerb? {
        let state = answer.state
        let steps: [AppointmentVerb] =
            switch state.status {
            case .held: [.book]
            case .scheduled, .confirmed:
                state.arrived != nil ? [.begin] : day == today ? [.arrive] : day > today ? [.confirm] : []
            case .inProgress: [.complete]
            case .completed, .cancelled, .noShow: []
            }
        return steps.first { may($0, state) && ($0 != .confirm || answer.problem == nil) }
    }
}
