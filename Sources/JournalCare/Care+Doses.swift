internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords
internal import PlanCalendar

extension Journal.Care {
    /// Records that a dose was taken or skipped.
    ///
    /// A dose that was taken is never refused: one that exceeds a limit or is not planned is recorded, with warnings.
    /// But one that is more than the plan allows or has, or is probably a mistake, must be confirmed: without
    /// `isConfirmed`, `conflict` is thrown with the doubts, so that a mistake is noticed before the dose is swallowed.
    /// A planned dose that is logged already is left as it is if both reports agree; otherwise `conflict` is thrown
    /// unless the request says that it is a second dose, or the right one. Without `record`, it is that of the plan.
    package func logDose(
        _ request: DoseRequest,
        in record: UUID? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> DoseResult {
        var warnings: [DoseWarning] = []
        let write = try await journal.once(caller) {
            guard let record = try record ?? journal.entries.place(ofEntry: request.plan)?.record else {
                throw JournalError.noPlan
            }
            _ = try await journal.access.admit(caller, to: .contribute(Dose.kind, .adding), on: record)
            let care = try careState(of: record, plan: request.plan, asOf: journal.log.head())
            guard let plan = care.plans.first else { throw JournalError.noPlan }
            let now = journal.now
            let clocks = try clocks(of: care)
            let at =
                switch request.at {
                case .instant(let instant): instant
                case .wall(let wall): clocks.person.moment(of: wall).instant
                case .planned, nil: now
                }
            var doses = try doses(around: at, for: request.target, plan, in: care)
            let due = try find(request.target, of: plan.plan, clocks, doses, at: at)
            var happened = at
            if request.at == nil { happened = plan.plan.time(of: request.status, due, reportedAt: now) }
            let isOfPastDay = request.shownOn.map { $0 < clocks.person.day(at: now) } ?? false
            if request.at == .planned || request.at == nil && isOfPastDay && due != nil {
                guard let due else {
                    throw ModelError(.invalid, field: "at", "this dose has no planned time: say when it was taken")
                }
                happened = due.due
            }
            // The limits count the doses around the time at which it was taken.
            if happened != at { doses = try self.doses(around: happened, for: request.target, plan, in: care) }
            let content = content(request, plan: plan.plan, due: due, at: happened, clocks)
            let existing = try existing(content, doses, in: record)
            let decision = try decide(content, existing: existing, request.repetition, clocks.person.shown)
            if decision == .unchanged, let existing { try requireSame(request, as: existing) }
            // The plan has an amount also for a dose that no time of it has.
            let usual =
                due == nil
                ? plan.plan.usualAmount ?? plan.plan.amountOutsidePlan(at: clocks.person.wall(at: happened)) : nil
            let planned = due?.intake.amount ?? usual
            if !request.isConfirmed { try confirm(decision, existing, plan, planned, due, doses, clocks) }
            let result = try await perform(decision, of: content, existing, in: record, caller)
            if let entry = result.entry, let dose = LoggedDose(id: entry, decision.content ?? content) {
                warnings = plan.plan.warnings(for: dose, due, planned, doses, clocks)
                if dose.status == .taken, dose.amount == nil, plan.needsAmounts { warnings.append(.uncounted) }
                if try await journal.interactionChecks.mayKnowFindings(of: record, caller),
                    try journal.interactionChecks.alarmed(in: record, asOf: journal.log.head(), now: now)
                        .contains(plan.id)
                {
                    warnings.append(.finding)
                }
            }
            return result
        }
        return DoseResult(write: write, warnings: warnings)
    }

    /// Throws `conflict` if a request says of a dose that is logged already what its entry does not.
    private func requireSame(_ request: DoseRequest, as existing: EntryState) throws {
        let content = existing.content
        let hasOtherAmount = request.amount.map { $0 != content.body.decimal(Dose.amount) } ?? false
        let hasOtherComment = request.comment.map { !$0.isEmpty && $0 != content.comment } ?? false
        guard hasOtherAmount || hasOtherComment else { return }
        throw ModelError(
            .conflict,
            field: "slot",
            """
            this dose is logged already, with another amount or comment: log it again as a second dose, or instead of the \
            first
            """
        )
    }

    /// Throws an error with the doubts about a dose, if it is more than the plan allows or has.
    private func confirm(
        _ decision: DoseDecision,
        _ existing: EntryState?,
        _ plan: CarePlan,
        _ planned: ExactDecimal?,
        _ due: Due?,
        _ doses: [LoggedDose],
        _ clocks: CareClocks
    ) throws {
        let corrected: UUID? =
            switch decision {
            case .unchanged, .add, .addUnplanned: nil
            case .correct, .restore: existing?.id
            }
        guard let content = decision.content, let dose = LoggedDose(id: corrected ?? UUID(), content) else { return }
        var doubts = plan.plan.doubts(about: dose, planned: planned, due: due?.due, doses)
        let wall = clocks.person.wall(at: dose.at)
        if dose.status == .taken, due == nil, dose.slot == nil, !dose.isRepeated, plan.plan.isOutside(dose, at: wall) {
            let next = plan.plan.nextOpen(after: dose.at, clocks, doses)
            doubts.insert(DoseDoubt(.unplanned(next: next)), at: 0)
        }
        guard !doubts.isEmpty else { return }
        let texts = doubts.map { doubt in
            doubt.text(unit: plan.unit, clocks.person.shown)
        }
        var error = JournalError(
            .conflict,
            field: "confirmed",
            "\(texts.joined(separator: "; ")); nothing was recorded: confirm it if the dose was taken all the same"
        )
        error.doubts = doubts
        throw error
    }

    /// Returns the only dose of a plan that is open at a moment and was never logged, as it would be logged then; nil if
    /// there is none, or more than one.
    package func openDose(of plan: UUID, at: Instant, in record: UUID) throws -> EntryContent? {
        let care = try careState(of: record, asOf: journal.log.head())
        guard let plan = care.plans.first(where: { $0.id == plan }) else { return nil }
        let doses = try doses(around: at, for: .open, plan, in: care)
        let clocks = try clocks(of: care)
        guard let due = try? find(.open, of: plan.plan, clocks, doses, at: at) else { return nil }
        let dose = content(DoseRequest(plan: plan.id, status: .taken), plan: plan.plan, due: due, at: at, clocks)
        guard let entry = try journal.entries.derivedID(of: dose, in: record), try journal.log.version(of: entry) == 0
        else { return nil }
        return dose
    }

    /// Retracts a dose that was logged by mistake; throws if the entry is something else.
    package func retractDose(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.entries.changeEntry(entry, expected, caller) { state throws(ModelError) in
            guard state.kind == Dose.kind else { throw ModelError.noDose }
            return [.retract]
        }
    }

    private func perform(
        _ decision: DoseDecision,
        of content: EntryContent,
        _ existing: EntryState?,
        in record: UUID,
        _ caller: Caller
    ) async throws -> WriteResult {
        guard let existing else {
            do {
                return try await journal.entries.addEntry(content, to: record, caller)
            } catch {
                if error != JournalError.idInUse { throw error }
                // The same dose was logged concurrently; `once` decides again.
                throw EventLogError(.versionConflict, error.message)
            }
        }
        switch decision {
        case .unchanged:
            return .existing(at: existing.latest.position, record: record, entry: existing.id)
        case .add(let content), .addUnplanned(let content):
            return try await journal.entries.addEntry(content, to: record, caller)
        case .correct(let content):
            return try await journal.entries.changeEntry(existing.id, ExpectedEntry(), caller) { _ in
                [.correct(content)]
            }
        case .restore(let content):
            return try await journal.entries.changeEntry(existing.id, ExpectedEntry(), caller) { state in
                state.content == content ? [.restore] : [.restore, .correct(content)]
            }
        }
    }

    /// Returns the doses that a request may refer to, and those that count towards the limits.
    package func doses(
        around at: Instant,
        for target: DoseRequest.Target,
        _ plan: CarePlan,
        in care: CareState
    ) throws -> [LoggedDose] {
        let limits = plan.plan.limits
        let margin = max(limits.period, limits.minimumInterval ?? 0, plan.plan.late) / 1_440 + 3
        var days = [Day(of: at)]
        switch target {
        case .wall(let wall): days.append(wall.day)
        case .slot(.time(_, let day, _)): days.append(day)
        case .slot, .open, .asNeeded: break
        }
        let range = (days.min() ?? days[0]).adding(days: -margin)...(days.max() ?? days[0]).adding(days: margin)
        return try doses(of: [plan], in: care, days: range)[plan.id] ?? []
    }

    /// Returns the planned dose that a request means; nil if it means none.
    package func find(
        _ target: DoseRequest.Target,
        of plan: Plan,
        _ clocks: CareClocks,
        _ doses: [LoggedDose],
        at: Instant
    ) throws -> Due? {
        switch target {
        case .asNeeded:
            return nil
        case .slot(let slot):
            return try plan.due(slot, clocks, doses: doses)
        case .wall(let wall):
            let middle = clocks.person.moment(of: wall).instant
            let found =
                try plan.due(
                    from: middle.adding(minutes: -2 * 1_440),
                    until: middle.adding(minutes: 2 * 1_440),
                    clocks,
                    doses: doses
                )
                .filter { $0.wall == wall }
            let logged = Set(doses.compactMap(\.slot))
            guard let due = found.first(where: { !logged.contains($0.slot) }) ?? found.first else {
                throw ModelError(.notFound, field: "wall", "no dose of this plan is planned for that time")
            }
            return due
        case .open:
            let slots =
                try plan.day(
                    from: at.adding(minutes: -plan.late),
                    until: at.adding(minutes: plan.early + 1),
                    clocks,
                    doses: doses,
                    now: at
                )
                .slots
            let open = slots.filter { $0.state.isToTake || $0.state == .beforeKept && $0.isNear(at, plan) }
            guard open.count <= 1 else {
                let times = open.map(\.due.wall.description).joined(separator: " and ")
                throw ModelError(.conflict, field: "wall", "several doses are open: say which one, \(times)")
            }
            return open.first?.due
        }
    }

    private func content(
        _ request: DoseRequest,
        plan: Plan,
        due: Due?,
        at: Instant,
        _ clocks: CareClocks
    ) -> EntryContent {
        var content = EntryContent(kind: Dose.kind)
        content.date = .instant(at)
        content.comment = request.comment ?? ""
        content.voiceEntryUsed = request.voiceEntryUsed
        content.body[Dose.of] = .id(request.plan)
        content.body[Dose.status] = .text(request.status.rawValue)
        if let due {
            content.body[Dose.slot] = .text(due.slot.description)
            content.body[Dose.planned] = .instant(due.due)
            content.body[Dose.plannedAmount] = due.intake.amount.map { .decimal($0) }
        } else if case .slot(let slot) = request.target {
            // A rule that was replaced meanwhile: the dose keeps the name under which it was planned.
            content.body[Dose.slot] = .text(slot.description)
        }
        if request.status == .taken {
            var amount = request.amount ?? due?.intake.amount ?? plan.usualAmount
            switch request.target {
            case .asNeeded, .open: amount = amount ?? plan.amountOutsidePlan(at: clocks.person.wall(at: at))
            // What another rule planned for this dose is not known any more.
            case .slot, .wall: break
            }
            content.body[Dose.amount] = amount.map { .decimal($0) }
        } else {
            content.body[Dose.amount] = request.amount.map { .decimal($0) }
        }
        content.body[Dose.reason] = request.reason.map { .text($0.rawValue) }
        content.body[Dose.reasonText] = request.reasonText.map { .text($0) }
        return content
    }

    /// Returns the entry that holds the planned dose already, if there is one.
    private func existing(_ content: EntryContent, _ doses: [LoggedDose], in record: UUID) throws -> EntryState? {
        guard let slot = content.body.text(Dose.slot), let id = try journal.entries.derivedID(of: content, in: record)
        else {
            return nil
        }
        let head = try journal.log.head()
        if let state = try journal.contents(for: .care).entry(id, asOf: head),
            state.content.body.text(Dose.slot) == slot
        {
            return state
        }
        // The dose may have been logged for another plan or time first, and then corrected.
        guard let dose = doses.first(where: { $0.slot?.description == slot }) else { return nil }
        return try journal.contents(for: .care).entry(dose.id, asOf: head)
    }
}

extension PersonClock {
    /// A moment as messages show it, such as `2026-03-02 08:05`.
    fileprivate func shown(_ instant: Instant) -> String {
        wall(at: instant).description.replacing("T", with: " ")
    }
}

extension Plan {
    /// Returns when the next dose is due that was not logged and is not paused; nil if none is within three months.
    fileprivate func nextOpen(after moment: Instant, _ clocks: CareClocks, _ doses: [LoggedDose]) -> Instant? {
        let logged = Set(doses.compactMap(\.slot))
        // Doses may be far apart, or many in one day.
        for days in [2, 31, 93] {
            let end = moment.adding(minutes: days * 1_440)
            guard let found = try? due(from: moment, until: end, clocks, doses: doses) else { return nil }
            let next = found.first { !logged.contains($0.slot) && !isPaused(at: $0.wall) }
            if let next { return next.due }
        }
        return nil
    }
}

extension SlotStatus {
    /// Whether the dose would be open, if its rule had been recorded earlier.
    fileprivate func isNear(_ at: Instant, _ plan: Plan) -> Bool {
        at >= due.due.adding(minutes: -plan.early) && at < due.due.adding(minutes: plan.late)
    }
}

extension DoseDecision {
    /// The content of the dose as it is stored.
    fileprivate var content: EntryContent? {
        switch self {
        case .unchanged: nil
        case .add(let content), .addUnplanned(let content), .correct(let content), .restore(let content): content
        }
    }
}

extension Plan {
    /// Returns when a dose was taken or skipped that was reported without a time.
    ///
    /// A dose that is not open any more was skipped when it was due, not when that was reported.
    fileprivate func time(of status: LoggedDose.Status, _ due: Due?, reportedAt now: Instant) -> Instant {
        guard status == .skipped, let due, now >= due.due.adding(minutes: late) else { return now }
        return due.due
    }

    /// Returns the warnings about a dose.
    ///
    /// `planned` is the amount of the planned dose, or the usual one of the plan for a dose outside of it.
    func warnings(
        for dose: LoggedDose,
        _ due: Due?,
        _ planned: ExactDecimal?,
        _ doses: [LoggedDose],
        _ clocks: CareClocks
    ) -> [DoseWarning] {
        var warnings = countedLimits(at: dose.at).exceeded(by: dose, among: doses)
        let wall = clocks.person.wall(at: dose.at)
        if dose.status == .taken {
            if let amount = dose.amount, let planned, amount > planned { warnings.append(.moreThanPlanned) }
            if let due, dose.at < due.due.adding(minutes: -early) { warnings.append(.early) }
        }
        if (due == nil || dose.isRepeated) && isOutside(dose, at: wall) { warnings.append(.unplanned) }
        if isPaused(at: wall) { warnings.append(.paused) }
        if isStopped(at: wall) { warnings.append(.stopped) }
        return warnings
    }
}
