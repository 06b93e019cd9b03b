package import HealthModel
internal import Interchange

/// An action that a caller wants to perform in a practice.
package enum PracticeAction: Hashable, Sendable {
    /// Read its description, hours, services, rooms and specialists.
    case see
    /// Change them, and its members.
    case manage
    /// Read its appointments and free times.
    case seeCalendar
    /// Read the appointments of one patient.
    case seePatient
    /// Read its appointments and what became of them, as an auditor.
    case audit
    /// Make an animal its patient.
    case register
    /// Create the record of an animal that becomes its patient.
    case createPatient
    /// Open the emergency view of an animal by the number of its microchip.
    case openEmergency
    /// Ask for an appointment of a patient.
    case request
    /// Perform a command on an appointment.
    case schedule(ScheduleAction)
    /// Read or change a triage, or the rules of triage.
    case triage(TriageAction)
}

extension PracticeAction {
    /// Returns the action with which a caller reads appointments: an auditor reads the state at any moment.
    package static func reading(_ action: PracticeAction, by caller: Caller) -> PracticeAction {
        caller.kind == .auditor ? .audit : action
    }
}

/// An action in triage, as far as it matters for who may perform it.
package enum TriageAction: Hashable, Sendable, CaseIterable {
    /// Put a patient on the board, also as "Red now".
    case begin
    /// Enter findings, from which the level is computed.
    case assess
    /// Set another level; which one also depends on the role (`mayOverride`).
    case override
    case take
    case leave
    /// Say afterwards what the level should have been.
    case judge
    case retract
    case adoptRules
    /// Read the board, or the triage of one patient.
    case see
    case seeStatistics
}

/// What a command does with an appointment, as far as it matters for who may do it.
package enum ScheduleAction: Hashable, Sendable {
    /// What all staff may do, and clients for their own animals where the practice allows it.
    case arrange
    /// What all staff may do.
    case administrate
    /// Begin it.
    case treat
    case complete(nurseMay: Bool)
    /// Cancel an appointment that has begun.
    case breakOff
    case displace
    case retract
}

extension Gate {
    private static let staffOrOwner: Message = "only the staff of the practice and an owner of the record may do that"

    /// Returns why an action in a practice is refused; nil if it is permitted.
    ///
    /// `roles` are those of the caller's membership today. `isClient` is true if the caller owns the record of the
    /// patient, who is registered at the practice, or is a tool to which an owner granted adding to that record.
    package static func refusal(
        of action: PracticeAction,
        by caller: Caller,
        roles: Set<ClinicRole>,
        isClient: Bool
    ) -> Message? {
        let isAllowed =
            switch caller.kind {
            case .person: true
            case .tool: action == .request
            case .auditor: action == .see || action == .audit
            case .administrator: false
            }
        guard isAllowed else {
            return "only a person's account can work in a practice or be its client"
        }
        guard caller.scope.admits(action) else { return TokenScope.refusal }
        switch action {
        case .see:
            return nil
        case .audit:
            return caller.kind == .auditor ? nil : "only an auditor may do that"
        case .manage:
            return roles.contains(.manager) ? nil : "only a manager of the practice may do that"
        case .seeCalendar:
            return roles.isEmpty ? "only members of the practice may see its calendar" : nil
        case .seePatient:
            return isClient || !roles.isEmpty ? nil : staffOrOwner
        case .register:
            return isClient || !roles.isDisjoint(with: [.veterinarian, .receptionist, .manager])
                ? nil : staffOrOwner
        case .request:
            return isClient || !roles.isEmpty ? nil : staffOrOwner
        case .createPatient:
            return roles.isEmpty ? "only members of the practice may do that" : nil
        case .openEmergency:
            return roles.contains(where: \.isClinical)
                ? nil : "only a veterinarian or a nurse of the practice may do that"
        case .schedule(let schedule):
            if isClient, schedule == .arrange { return nil }
            if roles.isEmpty { return "only members of the practice may do that" }
            return roles.isDisjoint(with: schedule.roles) ? refusal(schedule.roles) : nil
        case .triage(let triage):
            if isClient, triage == .see { return nil }
            if roles.isEmpty { return "only members of the practice may do that" }
            return roles.isDisjoint(with: triage.roles) ? refusal(triage.roles) : nil
        }
    }

    private static func refusal(_ roles: Set<ClinicRole>) -> Message {
        let names = roles.sorted().map(\.name).joined(separator: " or a ")
        return "only a \(names) of the practice may do that"
    }
}

extension TriageAction {
    /// The roles that may do it.
    package var roles: Set<ClinicRole> {
        switch self {
        case .begin, .leave, .see: [.veterinarian, .nurse, .receptionist]
        case .assess, .override, .take: [.veterinarian, .nurse]
        case .judge, .retract, .adoptRules: [.veterinarian]
        case .seeStatistics: [.veterinarian, .manager]
        }
    }
}

extension ScheduleAction {
    /// The roles that may do it.
    package var roles: Set<ClinicRole> {
        switch self {
        case .arrange, .administrate: Set(ClinicRole.allCases)
        case .treat: [.veterinarian, .nurse]
        case .complete(let nurseMay): nurseMay ? [.veterinarian, .nurse] : [.veterinarian]
        case .breakOff: [.veterinarian]
        case .displace: [.veterinarian, .manager]
        case .retract: [.manager]
        }
    }
}

extension TokenScope {
    fileprivate func admits(_ action: PracticeAction) -> Bool {
        switch action {
        case .see: !definition.permissions.isDisjoint(with: [.read, .audit])
        case .seeCalendar, .seePatient: definition.permissions.contains(.read)
        case .audit: definition.permissions.contains(.audit)
        case .triage(.see), .triage(.seeStatistics): definition.permissions.contains(.read)
        case .request:
            definition.permissions.contains(.append)
                && (category == nil || category == ClinicEvent.appointmentRequested.category)
        case .manage, .register, .createPatient, .openEmergency, .schedule, .triage:
            definition.permissions.contains(.manage)
        }
    }
}
