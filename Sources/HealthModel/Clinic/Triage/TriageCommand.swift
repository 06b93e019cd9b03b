package import FoundationEssentials

/// A command on the triage of a patient.
package enum TriageCommand: Hashable, Sendable {
    case begin(TriageBegun)
    case assess(TriageAssessment)
    /// Sets another level than the computed one.
    case override(UrgencyLevel, by: Set<ClinicRole>)
    /// The treatment begins.
    case take(specialist: UUID?)
    case leave(TriageState.LeaveReason)
    /// A veterinarian says what the level should have been, for the statistics.
    case judge(UrgencyLevel)
    case retract

    /// The kind of change; nil for the beginning.
    package var verb: TriageVerb? {
        switch self {
        case .begin: nil
        case .assess: .assess
        case .override: .override
        case .take: .take
        case .leave: .leave
        case .judge: .judge
        case .retract: .retract
        }
    }

    /// Reports whether the command is possible in a status; nil is that of a triage that does not exist yet.
    fileprivate func isPossible(in status: TriageState.Status?) -> Bool {
        guard let status else { return verb == nil }
        return verb?.possibleFrom.contains(status) ?? false
    }
}

/// A kind of change of a triage, by the word that requests use for it.
package enum TriageVerb: String, CaseIterable, Sendable {
    case assess, override, take, leave, judge, retract

    /// The word for it in messages, such as "assessed".
    package var participle: String {
        switch self {
        case .assess: "assessed"
        case .override: "given another level"
        case .take: "taken"
        case .leave: "marked as gone"
        case .judge: "judged"
        case .retract: "retracted"
        }
    }

    /// The statuses from which it is possible.
    package var possibleFrom: Set<TriageState.Status> {
        switch self {
        case .assess, .override, .take, .leave: [.begun, .assessed]
        case .judge: [.taken, .left]
        case .retract: [.begun, .assessed, .taken, .left]
        }
    }
}

/// Returns the events that a command on a triage produces; throws if the command is refused.
package func decide(
    _ command: TriageCommand,
    _ state: TriageState?,
    reason: String = "",
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    guard command.isPossible(in: state?.status) else {
        guard let state else { throw .noTriage }
        throw ModelError(
            .conflict,
            field: "status",
            "a patient that is \(state.status.sentence) cannot be \(command.verb?.participle ?? "begun")"
        )
    }
    switch command {
    case .begin(let begun):
        try TextCheck.check(begun.complaint, field: "complaint", maximum: Limits.line)
        guard begun.arrivedAt <= now else { throw ModelError(.invalid, field: "arrivedAt", "is in the future") }
        guard now <= begun.arrivedAt.adding(minutes: 1_440) else {
            throw ModelError(.invalid, field: "arrivedAt", "is more than 24 hours ago")
        }
        return [JournalEvent(begun)]
    case .assess(let assessment):
        try assessment.findings.validate(now: now)
        return [JournalEvent(TriageAssessed(assessment: assessment))]
    case .override(let level, let roles):
        guard let state else { throw .noTriage }
        switch mayOverride(from: state.level, to: level, by: roles, reason: reason) {
        case .allowed: return [JournalEvent(TriageOverridden(level: level))]
        case .refused(let refusal): throw refusal.error
        }
    case .take(let specialist):
        return [JournalEvent(TriageTaken(specialist: specialist))]
    case .leave(let why):
        return [JournalEvent(TriageLeft(why: why))]
    case .judge(let level):
        return state?.judged == level ? [] : [JournalEvent(TriageJudged(level: level))]
    case .retract:
        if reason.isEmpty { throw ModelError(.invalid, field: "reason", "is required") }
        return [JournalEvent(TriageRetracted())]
    }
}

extension TriageState {
    /// Returns findings with the sign `immediate` if an earlier assessment had it and no person has set a level since.
    ///
    /// "Red now" is what a person said: an assessment that says nothing about it does not take it back.
    package func keepingImmediate(_ findings: TriageFindings) -> TriageFindings {
        guard override == nil, assessment?.assessment.findings.signsFound.contains(.immediate) == true,
            !findings.signsFound.contains(.immediate)
        else { return findings }
        var kept = findings
        kept.signsFound.append(.immediate)
        return kept
    }
}

extension OverrideDecision.Refusal {
    /// The error for the person whose change of a level is refused because of the state or the reason.
    package var error: ModelError {
        switch self {
        case .sameLevel: ModelError(.conflict, field: "level", "is the level that counts now")
        case .reasonTooShort:
            ModelError(
                .invalid,
                field: "reason",
                "another level needs a reason of at least \(OverrideDecision.minimumReason) characters"
            )
        case .notClinical: ModelError(.conflict, field: "level", "only a veterinarian or a nurse may set a level")
        case .needsVeterinarian: ModelError(.conflict, field: "level", "only a veterinarian may set this level")
        }
    }
}

extension ModelError {
    package static let noTriage = ModelError(.notFound, "there is no such triage")
}
