internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import TriageQueue

/// Reads of triages. Each triage that is shown is a read of its patient's record.
extension Journal.Triaging {
    /// For how many days a patient who waits is on the board.
    private static let boardDays = 7

    /// Returns the patients who wait at a practice, the most urgent one first.
    package func triageBoard(
        of practice: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [TriageAnswer] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .triage(.see), in: practice)
            let position = try journal.log.position(asOf: moment)
            let shown = try journal.appointments.shownMoment(moment, position)
            let today = Day(of: shown)
            let days = today.adding(days: -Self.boardDays)...today
            let waiting = try triages(of: practice, days: days, asOf: position).filter(\.isWaiting)
                .sorted { $0.boardEntry.order < $1.boardEntry.order }
            return try await shownTriages(waiting, admission, at: shown, asOf: moment, position, caller)
        }
    }

    /// Returns, by record, since when patients have been on a practice's board; those who are not on it are left out.
    ///
    /// For a search that shows the patients themselves, which records the reads.
    package func waitingSince(
        _ records: Set<UUID>,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID: Instant] {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .triage(.see), in: practice)
            var since: [UUID: Instant] = [:]
            for record in records { since[record] = try waiting(record, at: practice)?.arrivedAt }
            return since
        }
    }

    /// Returns the triage of a patient who is on a practice's board, the one of the earliest arrival; nil for any other.
    package func waiting(_ record: UUID, at practice: UUID) throws -> TriageState? {
        let firstDay = Day(of: journal.now).adding(days: -Self.boardDays)
        return try journal.triageQueue.triages(of: record, asOf: journal.log.head())
            .compactMap { id in try journal.records.unlessErased { try state(of: id).state } }
            .filter { $0.practice == practice && $0.isWaiting && Day(of: $0.arrivedAt) >= firstDay }
            .min { $0.arrivedAt < $1.arrivedAt }
    }

    /// Returns the triages of patients who arrived at a practice on some days of its zone, in the order of their arrival.
    package func triages(
        of practice: UUID,
        days: ClosedRange<Day>,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [TriageAnswer] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .triage(.see), in: practice)
            let position = try journal.log.position(asOf: moment)
            let found = try triages(of: practice, localDays: days, admission, asOf: position)
            let shown = try journal.appointments.shownMoment(moment, position)
            return try await shownTriages(found, admission, at: shown, asOf: moment, position, caller)
        }
    }

    /// Returns the triages of a patient: for an owner of the record all of them, for staff those at their practices.
    package func triages(
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [TriageAnswer] {
        try await journal.retrying {
            let isOwner =
                switch try journal.access.recordAccess(of: caller.account, to: record) {
                case .found(let access): access.permission.isOwner
                case .erased, .missing: throw JournalError.noRecord
                }
            let position = try journal.log.position(asOf: moment)
            let shown = try journal.appointments.shownMoment(moment, position)
            var answers: [TriageAnswer] = []
            var right: AccessRight = .owner
            var roles: Set<ClinicRole> = []
            if !isOwner {
                roles = try journal.appointments.staffAdmissions(of: caller, for: record, asOf: position).values
                    .reduce(into: []) { $0.formUnion($1.roles) }
            }
            for id in try journal.triageQueue.triages(of: record, asOf: position) {
                guard let state = try triageUnlessErased(id, asOf: position), state.retracted == nil else { continue }
                let admission = try journal.access.practiceAdmission(of: caller, in: state.practice, isClient: isOwner)
                let sees = !admission.roles.isDisjoint(with: TriageAction.see.roles)
                guard isOwner || sees else { continue }
                if !isOwner { right = .practice(state.practice) }
                roles.formUnion(admission.roles)
                answers.append(try answer(state, admission, at: shown, asOf: position))
            }
            if let why = Gate.refusal(of: .triage(.see), by: caller, roles: roles, isClient: isOwner) {
                throw try await journal.access.refusal(of: caller, .triage, on: record, reason: why)
            }
            try await journal.appointments.trace(
                caller,
                answers.isEmpty ? [] : [record],
                .triage,
                as: right,
                asOf: moment,
                position
            )
            return answers.sorted { $0.state.arrivedAt < $1.state.arrivedAt }
        }
    }

    /// Returns a triage as of a moment.
    package func find(
        _ id: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> TriageAnswer {
        try await journal.retrying {
            let position = try journal.log.position(asOf: moment)
            let (state, admission) = try await shownTriage(id, asOf: position, caller)
            let shown = try journal.appointments.shownMoment(moment, position)
            return try await shownTriages([state], admission, at: shown, asOf: moment, position, caller)[0]
        }
    }

    /// Returns each version of a triage, the first one first.
    package func versions(
        ofTriage id: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [TriageVersion] {
        try await journal.retrying {
            let head = try journal.log.head()
            let (current, admission) = try await shownTriage(id, asOf: head, caller)
            var versions: [TriageVersion] = []
            var state: TriageState?
            for event in try journal.log.recordedEvents(of: id) {
                evolve(&state, event)
                guard let state else { continue }
                let answer = try answer(state, admission, at: event.stamp.recordedAt, asOf: head)
                versions.append(
                    TriageVersion(
                        stamp: event.stamp,
                        type: event.event.type,
                        reason: answer.detail == .all ? event.reason : "",
                        answer: answer
                    )
                )
            }
            try await journal.appointments.trace(
                caller,
                [current.record],
                .triage,
                as: admission.right,
                asOf: nil,
                head
            )
            return versions
        }
    }

    /// Computes the assessment of a triage again, as of a moment, with its own rule set or with another one.
    ///
    /// Nothing is stored, except that it was read.
    package func explainTriage(
        _ id: UUID,
        rules label: String? = nil,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> TriageExplanation {
        try await journal.retrying {
            let position = try journal.log.position(asOf: moment)
            guard let state = try triageUnlessErased(id, asOf: position) else {
                throw JournalError(ModelError.noTriage)
            }
            let admission = try await journal.access.admit(
                caller,
                to: .triage(.assess),
                in: state.practice,
                on: state.record
            )
            guard let assessed = state.assessment else {
                throw JournalError(.notFound, "the patient was not assessed yet")
            }
            let rules = try ruleSet(labelled: label ?? assessed.assessment.rulesLabel, of: state.practice)
            if label == nil, rules.digest != assessed.assessment.rulesDigest {
                throw JournalError(
                    .damaged,
                    "the rule set \(rules.label) is not the one that was used: its digest differs"
                )
            }
            guard let computed = assessed.assessment.computedAgain(by: rules, digest: rules.digest) else {
                throw JournalError(.damaged, "the assessment does not contain what it was computed from")
            }
            try await journal.appointments.trace(
                caller,
                [state.record],
                .triage,
                as: admission.right,
                asOf: moment,
                position
            )
            return TriageExplanation(assessed: assessed, computed: computed, rules: rules)
        }
    }

    /// Returns how soon patients were seen who arrived at a practice on some days of its zone: numbers without names.
    package func triageStatistics(
        of practice: UUID,
        days: ClosedRange<Day>,
        _ caller: Caller
    ) async throws(JournalError) -> TriageStatistics {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .triage(.seeStatistics), in: practice)
            let found = try triages(of: practice, localDays: days, admission, asOf: journal.log.head())
            return TriageStatistics(found, days)
        }
    }

    // MARK: - Parts

    private func triages(
        of practice: UUID,
        days: ClosedRange<Day>,
        asOf position: UInt64
    ) throws -> [TriageState] {
        try journal.triageQueue.triages(of: practice, days: days, asOf: position)
            .compactMap { try triageUnlessErased($0, asOf: position) }
            .filter { $0.retracted == nil }
    }

    private func triages(
        of practice: UUID,
        localDays days: ClosedRange<Day>,
        _ admission: PracticeAdmission,
        asOf position: UInt64
    ) throws -> [TriageState] {
        guard days.all.count <= 366, let span = admission.clock.span(of: days) else {
            throw ModelError(.invalid, field: "to", "must be at most a year after the first day")
        }
        return try triages(of: practice, days: span.days, asOf: position)
            .filter { span.contains($0.arrivedAt) }
            .sorted { ($0.arrivedAt, $0.id.text) < ($1.arrivedAt, $1.id.text) }
    }

    private func shownTriage(
        _ id: UUID,
        asOf position: UInt64,
        _ caller: Caller
    ) async throws -> (state: TriageState, admission: PracticeAdmission) {
        guard let state = try triageUnlessErased(id, asOf: position) else { throw JournalError(ModelError.noTriage) }
        return (state, try await journal.access.admit(caller, to: .triage(.see), in: state.practice, on: state.record))
    }

    /// Returns a triage; nil if there is none with this id, or its record was erased.
    func triageUnlessErased(_ id: UUID, asOf position: UInt64) throws -> TriageState? {
        try journal.records.unlessErased {
            try journal.fold(id, asOf: position, from: TriageState?.none) { evolve(&$0, $1) }.state
        }
    }

    private func shownTriages(
        _ states: [TriageState],
        _ admission: PracticeAdmission,
        at shown: Instant,
        asOf moment: AsOf?,
        _ position: UInt64,
        _ caller: Caller
    ) async throws -> [TriageAnswer] {
        let answers = try states.map { try answer($0, admission, at: shown, asOf: position) }
        try await journal.appointments.trace(
            caller,
            states.map(\.record),
            .triage,
            as: admission.right,
            asOf: moment,
            position
        )
        return answers
    }

    private func answer(
        _ state: TriageState,
        _ admission: PracticeAdmission,
        at shown: Instant,
        asOf position: UInt64
    ) throws -> TriageAnswer {
        let detail: TriageAnswer.Detail =
            if admission.roles.contains(where: \.isClinical) { .all } else if admission.roles.isEmpty { .reasons } else
            {
                .level
            }
        return TriageAnswer(
            state: state,
            patient: try journal.appointments.patient(state.record, for: admission, asOf: position),
            shownAt: shown,
            detail: detail
        )
    }
}

extension TriageStatistics {
    init(_ triages: [TriageState], _ days: ClosedRange<Day>) {
        self.days = days
        levels = UrgencyLevel.allCases.map { level in
            var row = Level(level: level)
            for triage in triages where triage.level == level {
                row.patients += 1
                if triage.left != nil { row.left += 1 }
                guard let waited = triage.waitedMinutes else { continue }
                row.taken += 1
                // A red patient is due at once; one that is taken within the first minutes counts as in time.
                if waited <= max(level.overdueAfterMinutes, TriageBoardEntry.assessedWithinMinutes) { row.inTime += 1 }
                row.longestWait = max(row.longestWait ?? 0, waited)
            }
            return row
        }
        for triage in triages {
            guard let judged = triage.judged else { continue }
            self.judged += 1
            if triage.level > judged { underTriaged += 1 }
            if triage.level < judged { overTriaged += 1 }
        }
    }
}
