internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// Changes of triages.
extension Journal.Triaging {
    /// Puts a patient on the board of a practice.
    package func beginTriage(_ request: TriageRequest, _ caller: Caller) async throws(JournalError) -> WriteResult {
        // Two who put the animal on the board at once find each other.
        try await journal.changing(caller, inTurnOn: [request.record]) { change in
            let (practice, record) = (request.practice, request.record)
            let admission = try await journal.access.admit(caller, to: .triage(.begin), in: practice, on: record)
            let recordVersion = try journal.log.version(of: record)
            let registration = try journal.access.requirePatient(record, of: practice)
            guard try journal.access.header(admitted: record).profile.subject == .animal else {
                throw JournalError(.conflict, field: "record", "triage is for animals alone")
            }
            // Whoever sees at once that it is red does not look for an earlier triage.
            if !request.isRedNow, let waiting = try waiting(record, at: practice) {
                let since = admission.clock.wall(at: waiting.arrivedAt).description.replacing("T", with: " ")
                throw JournalError(
                    .conflict,
                    field: "record",
                    "the animal is on the board already, since \(since): assess that triage again (\(waiting.id.text))"
                )
            }
            if let appointment = request.appointment {
                let state = try journal.appointments.appointment(appointment).state
                guard state.record == record, state.details.practice == practice else {
                    throw JournalError(ModelError.noAppointment)
                }
            }
            let id = UUID.timeOrdered(at: journal.log.now())
            let begun = TriageBegun(
                practice: practice,
                arrivedAt: request.arrivedAt ?? journal.now,
                appointment: request.appointment,
                complaint: request.complaint
            )
            try change.add(decide(.begin(begun), nil, now: journal.now), in: .entry(id, of: record), expecting: .empty)
            if request.isRedNow {
                let assessment = try await assessment(.redNow, of: record, admission, caller)
                try change.add(JournalEvent(TriageAssessed(assessment: assessment)), in: .entry(id, of: record))
            }
            change.expect(record, .exact(recordVersion))
            change.expect(try journal.practiceStates.registrationStream(of: record, at: practice), .exact(registration))
            change.expect(practice, .exact(admission.version))
            return .created(record: record, entry: id)
        }
    }

    /// Performs a change of a triage.
    package func changeTriage(
        _ id: UUID,
        expecting seen: UInt64? = nil,
        _ change: TriageChange,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { append in
            let found = try state(of: id)
            let state = found.state
            let admission = try await journal.access.admit(
                caller,
                to: .triage(change.action),
                in: state.practice,
                on: state.record
            )
            if let seen, seen != state.updated.position { throw JournalError.stale }
            if case .override(let level) = change, state.isWaiting {
                try await requireOverride(of: state, to: level, admission, caller)
            }
            let recordVersion = try journal.log.version(of: state.record)
            let command = try await command(change, state, admission, caller)
            let events = try decide(command, state, reason: caller.reason, now: journal.now)
            try append.add(events, in: .entry(id, of: state.record), expecting: .exact(found.version))
            if case .assess(let assessment) = command {
                try addMeasurements(of: assessment.findings, to: state.record, admission, caller, &append)
                append.expect(state.record, .exact(recordVersion))
            }
            return .existing(at: state.updated.position, record: state.record, entry: id)
        }
    }

    /// Returns a triage; throws `notFound` if there is none with this id.
    func state(of id: UUID, asOf position: UInt64 = .max) throws -> Versioned<TriageState> {
        let folded = try journal.fold(id, asOf: position, from: TriageState?.none) { evolve(&$0, $1) }
        guard let state = folded.state else { throw ModelError.noTriage }
        return Versioned(state: state, version: folded.version)
    }

    private func command(
        _ change: TriageChange,
        _ state: TriageState,
        _ admission: PracticeAdmission,
        _ caller: Caller
    ) async throws -> TriageCommand {
        switch change {
        case .assess(let findings):
            try findings.validate(now: journal.now)
            if try journal.access.header(admitted: state.record).isClosed {
                throw JournalError(ModelError.recordIsClosed)
            }
            var assessment = try await assessment(state.keepingImmediate(findings), of: state.record, admission, caller)
            if findings != .redNow {
                assessment.ranking = try ranking(for: assessment, of: state.record, admission)
            }
            return .assess(assessment)
        case .override(let level): return .override(level, by: admission.roles)
        case .take(let specialist):
            if let specialist, try journal.practiceStates.specialist(specialist)?.state.posts[state.practice] == nil {
                throw JournalError(ModelError.noSpecialist)
            }
            return .take(specialist: specialist)
        case .leave(let why): return .leave(why)
        case .judge(let level): return .judge(level)
        case .retract: return .retract
        }
    }

    /// Throws, and records the refusal, if the roles of the caller do not permit the level.
    private func requireOverride(
        of state: TriageState,
        to level: UrgencyLevel,
        _ admission: PracticeAdmission,
        _ caller: Caller
    ) async throws {
        let decision = mayOverride(from: state.level, to: level, by: admission.roles, reason: caller.reason)
        guard case .refused(let why) = decision, why == .notClinical || why == .needsVeterinarian else { return }
        throw try await journal.access.refusal(of: caller, .triage, on: state.record, reason: why.error.text)
    }

    /// Assesses a patient by the rules of its practice.
    ///
    /// "Red now" needs no adopted rules: it is red in every rule set, because a person says so.
    private func assessment(
        _ findings: TriageFindings,
        of record: UUID,
        _ admission: PracticeAdmission,
        _ caller: Caller
    ) async throws -> TriageAssessment {
        let adopted = try adoptedRules(of: admission.id).state.current
        guard adopted != nil || findings == .redNow else {
            throw JournalError(
                .conflict,
                field: "rules",
                """
                no veterinarian of this practice has adopted rules for triage yet; the built-in table was reviewed by no \
                veterinarian: read it, then adopt it by name
                """
            )
        }
        let rules = try adopted?.ruleSet() ?? TriageRules.version1
        let position = try journal.log.head()
        return TriageAssessment(
            findings,
            of: try await facts(of: record, asOf: position, admission, caller),
            asOf: position,
            by: rules,
            digest: rules.digest
        )
    }

    /// Adds the vital signs to the record, one entry for each.
    ///
    /// Those that the practice may not add to the record stay in the assessment alone, where they are its own notes.
    private func addMeasurements(
        of findings: TriageFindings,
        to record: UUID,
        _ practice: PracticeAdmission,
        _ caller: Caller,
        _ change: inout Change
    ) throws {
        for content in findings.vitals.entries(at: journal.now) {
            let action = Action.contribute(content.kind, .adding)
            guard let access = try journal.access.admission(of: caller, to: action, on: record, in: practice)?.access
            else { continue }
            let isClosed = access.header.isClosed
            let entry = UUID.timeOrdered(at: journal.log.now())
            try change.add(
                decide(.add(content), nil, isClosed: isClosed, now: journal.now),
                in: .entry(entry, of: record),
                expecting: .empty
            )
        }
    }
}
