internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// Changes of triages.
extension Journal {
    /// Puts a patient on the board of a practice; an animal that is no patient yet becomes one.
    package func beginTriage(_ request: TriageRequest, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let (practice, record) = (request.practice, request.record)
            let admission = try await admit(caller, to: .triage(.begin), in: practice, on: record)
            let header = try header(admitted: record)
            guard header.profile.subject == .animal else {
                throw JournalError(.conflict, field: "record", "triage is for animals alone")
            }
            if let appointment = request.appointment {
                let state = try self.appointment(appointment).state
                guard state.record == record, state.details.practice == practice else {
                    throw JournalError(ModelError.noAppointment)
                }
            }
            let id = UUID.timeOrdered(at: log.now())
            let begun = TriageBegun(
                practice: practice,
                arrivedAt: request.arrivedAt ?? now,
                appointment: request.appointment,
                complaint: request.complaint
            )
            var change = try Change(self, caller)
            for event in try decide(.begin(begun), nil, now: now) {
                try change.add(event, stream: id, subject: record, entry: id, expecting: .empty)
            }
            if request.isRedNow {
                let assessment = try assessment(.redNow, of: record, header, admission)
                try change.add(
                    JournalEvent(TriageAssessed(assessment: assessment)),
                    stream: id,
                    subject: record,
                    entry: id
                )
            }
            let registration = try registration(of: record, at: practice)
            if registration.state.map({ $0.ended != nil }) ?? true {
                try change.add(
                    JournalEvent(RegistrationMade(practice: practice, number: registration.state?.number ?? "")),
                    stream: registrationStream(of: record, at: practice),
                    subject: record,
                    expecting: .exact(registration.version)
                )
            }
            change.expect(practice, .exact(admission.version))
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, record: record, entry: id)
        }
    }

    /// Performs a change of a triage.
    package func changeTriage(
        _ id: UUID,
        expecting seen: UInt64? = nil,
        _ change: TriageChange,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let found = try triage(id)
            let state = found.state
            let admission = try await admit(
                caller,
                to: .triage(change.action),
                in: state.practice,
                on: state.record
            )
            if let seen, seen != state.updated.position { throw JournalError.stale }
            if case .override(let level) = change, state.isWaiting {
                try await requireOverride(of: state, to: level, admission, caller)
            }
            let command = try command(change, state, admission)
            let events = try decide(command, state, reason: caller.reason, now: now)
            var append = try Change(self, caller)
            for event in events {
                try append.add(event, stream: id, subject: state.record, entry: id, expecting: .exact(found.version))
            }
            if case .assess(let assessment) = command {
                try addMeasurements(of: assessment.findings, to: state.record, &append)
            }
            let result = try await append.commit()
            return WriteResult(
                position: result?.last ?? state.updated.position,
                version: result?.first,
                record: state.record,
                entry: id,
                isChanged: result != nil
            )
        }
    }

    /// Returns a triage; throws `notFound` if there is none with this id.
    func triage(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<TriageState> {
        let folded = try fold(id, asOf: position, from: TriageState?.none) { evolve(&$0, $1) }
        guard let state = folded.state else { throw ModelError.noTriage }
        return Versioned(state: state, version: folded.version)
    }

    private func command(
        _ change: TriageChange,
        _ state: TriageState,
        _ admission: PracticeAdmission
    ) throws -> TriageCommand {
        switch change {
        case .assess(let findings):
            try findings.validate(now: now)
            let header = try header(admitted: state.record)
            var assessment = try assessment(
                state.keepingImmediate(findings),
                of: state.record,
                header,
                admission
            )
            if findings != .redNow {
                assessment.ranking = try ranking(for: assessment, of: state.record, admission)
            }
            return .assess(assessment)
        case .override(let level): return .override(level, by: admission.roles)
        case .take(let specialist):
            if let specialist, try self.specialist(specialist)?.state.posts[state.practice] == nil {
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
        throw try await refusal(of: caller, .triage, on: state.record, reason: why.error.message)
    }

    /// Assesses a patient by the rules of its practice.
    ///
    /// "Red now" needs no adopted rules: it is red in every rule set, because a person says so.
    private func assessment(
        _ findings: TriageFindings,
        of record: UUID,
        _ header: RecordState,
        _ admission: PracticeAdmission
    ) throws -> TriageAssessment {
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
        let position = try log.head()
        return TriageAssessment(
            findings,
            of: try facts(of: record, header, asOf: position, on: admission.today),
            asOf: position,
            by: rules,
            digest: rules.digest
        )
    }

    /// Adds the vital signs to the record, one entry for each.
    private func addMeasurements(of findings: TriageFindings, to record: UUID, _ change: inout Change) throws {
        for content in findings.vitals.entries(at: now) {
            let entry = UUID.timeOrdered(at: log.now())
            for event in try decide(.add(content), nil, isClosed: false, now: now) {
                try change.add(event, stream: entry, subject: record, entry: entry, expecting: .empty)
            }
        }
    }
}
