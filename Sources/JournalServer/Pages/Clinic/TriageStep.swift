import HealthJournal
import HealthModel

/// A change of a triage that its page offers; the raw value is what forms send.
enum TriageStep: String, CaseIterable {
    case redNow, take, leave, override, judge, retract

    /// The notice after the change.
    var notice: String {
        switch self {
        case .redNow: "redNowDone"
        case .take: "triageTaken"
        case .leave: "triageLeft"
        case .override: "levelSetNow"
        case .judge: "triageJudged"
        case .retract: "triageRemoved"
        }
    }

    private var verb: TriageVerb {
        switch self {
        case .redNow: .assess
        case .take: .take
        case .leave: .leave
        case .override: .override
        case .judge: .judge
        case .retract: .retract
        }
    }

    /// Whether the change is refused if the triage has changed since its page was opened.
    ///
    /// "Red now", taking a patient and noting that it is gone are right whatever the level is by now.
    var expectsVersion: Bool {
        switch self {
        case .redNow, .take, .leave: false
        case .override, .judge, .retract: true
        }
    }

    /// Whether a caller with these roles may make this change to a triage now.
    ///
    /// The application decides again on each change; the pages only offer what it would permit.
    func isOffered(_ state: TriageState, to roles: Set<ClinicRole>) -> Bool {
        let action: TriageAction = self == .redNow ? .begin : verb.action
        guard !roles.isDisjoint(with: action.roles), verb.possibleFrom.contains(state.status) else { return false }
        return self != .redNow || state.level != .red
    }
}
