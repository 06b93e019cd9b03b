internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords
internal import PlanCalendar

extension Journal.Care {
    /// Returns the doses that are due in a period, with their states.
    package func due(
        of record: UUID,
        _ question: CareQuestion,
        _ caller: Caller
    ) async throws(JournalError) -> DueAnswer {
        let knowsFindings = try await journal.interactionChecks.mayKnowFindings(of: record, caller)
        return try await readingCare(of: record, question, caller, showing: \.shownBesides) { care, now in
            var answer = try self.answer(care, question, now: now)
            if knowsFindings {
                answer.alarmed = try journal.interactionChecks.alarmed(in: record, asOf: care.position, now: now)
            }
            return answer
        }
    }

    /// Returns the doses of one day, with those of the evening before that are still open, the doses possible now, and the
    /// vaccinations that are due.
    ///
    /// `includesStock` adds the stock of the plans.
    package func today(
        of record: UUID,
        _ question: CareQuestion,
        includesStock: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> DueAnswer {
        let knowsFindings = try await journal.interactionChecks.mayKnowFindings(of: record, caller)
        return try await readingCare(of: record, question, caller, showing: \.shownBesides) { care, now in
            var answer = try today(
                care,
                question,
                includesStock: includesStock,
                knowsFindings: knowsFindings,
                now: now
            )
            let action = Action.reading([Vaccination.kind], .read, ofPast: question.asOf != nil)
            if case .admitted(let admission) = try journal.access.decideAdmission(caller, action, on: record) {
                answer.vaccinations = try dueVaccinations(admission, on: answer.from, asOf: care.position)
            }
            return answer
        }
    }

    private func dueVaccinations(
        _ admission: Admission,
        on day: Day,
        asOf position: UInt64
    ) throws -> [DueVaccination] {
        let options = ReadOptions(kinds: [Vaccination.kind], page: .newest(Self.vaccinations))
        let entries = try journal.records.answer(admission, options, asOf: position).state.entries
        return DueVaccination.all(of: entries, on: day)
    }

    /// Returns the doses of one day, before the read is audited.
    func today(
        _ care: CareState,
        _ question: CareQuestion,
        includesStock: Bool,
        knowsFindings: Bool,
        now: Instant
    ) throws -> DueAnswer {
        var question = question
        let day = try question.from ?? clocks(of: care).person.day(at: now)
        (question.from, question.to) = (day.adding(days: -1), day.adding(days: 1))
        let both = try answer(care, question, now: now)
        let start = both.clocks.person.moment(of: WallMoment(day: day)).instant
        var plans: [PlanAnswer] = []
        for var answer in both.plans {
            answer.day.slots.removeAll { status in
                // An overdue dose is shown today, and on no other day.
                let isShown = status.state == .open || status.state == .overdue && start <= now
                return status.due.due < start && !isShown && status.due.wall.day != day
            }
            answer.day.others.removeAll { $0.at < start }
            if answer.plan.plan.isInUse(at: both.clocks.person.wall(at: now)) {
                answer.allowance = try allowance(of: answer.plan, in: care, now: now)
            }
            plans.append(answer)
        }
        return DueAnswer(
            record: both.record,
            position: both.position,
            now: now,
            from: day,
            to: day.adding(days: 1),
            clocks: both.clocks,
            zone: both.zone,
            plans: plans,
            alarmed: knowsFindings
                ? try journal.interactionChecks.alarmed(in: care.record, asOf: care.position, now: now) : [],
            stocks: includesStock
                ? try care.plans.compactMap { try stock(of: $0, in: care, both.clocks, now: now) } : []
        )
    }

    /// Returns the stock of each plan whose stock is counted.
    package func stock(
        of record: UUID,
        _ question: CareQuestion,
        _ caller: Caller
    ) async throws(JournalError) -> [StockAnswer] {
        try await readingCare(of: record, question, caller) { care, now in
            let clocks = try self.clocks(of: care)
            return try care.plans.compactMap { try self.stock(of: $0, in: care, clocks, now: now) }
        }
    }

    /// Returns the next doses of a plan as it is described in a form, and when it is now by the person's clock.
    ///
    /// Nothing is stored, except that the time zones of the record were read.
    package func preview(
        _ content: EntryContent,
        in record: UUID,
        count: Int,
        _ caller: Caller
    ) async throws(JournalError) -> [PlannedDoseDocument] {
        try await readingCare(of: record, CareQuestion(), caller) { care, now in
            let recorded = Plan.Recorded(at: now, day: journal.day(of: now))
            let plan = Plan(id: record, content) { _ in recorded }
            let table = try SystemZones.table(of: care.zones.zones.union(CareClocks.zones(of: plan.rules)))
            let clocks = try CareClocks(care.zones, rules: plan.rules, table)
            // Doses may be far apart, or many in one day.
            var found: [Due] = []
            for days in [2, 31, Plan.maximumDays] where found.count < count {
                found = try plan.due(from: now, until: now.adding(minutes: days * 1_440), clocks)
            }
            let unit = content.body.text(PlanFields.unit)
            let name = content.body.text(Drug.name) ?? ""
            return found.prefix(count)
                .map { due in
                    let status = SlotStatus(due: due, state: .later)
                    return PlannedDoseDocument(
                        status,
                        of: record,
                        named: name,
                        unit: unit,
                        strength: PlanStrength(content.body),
                        clocks.person
                    )
                }
        }
    }

    /// Returns the medications and supplements of a record for a form, by entry id; none if the caller may not read them.
    ///
    /// A caller may be permitted to add entries that it may not read. That is no attempt to read, so no refusal is
    /// recorded.
    package func productsForForm(
        of record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID: PlanProduct] {
        try await journal.retrying {
            guard
                case .admitted = try journal.access.decideAdmission(caller, .read(Set(Plan.kinds), .list), on: record)
            else { return [:] }
            let options = ReadOptions(kinds: Plan.kinds)
            return try await journal.records.read(record, options, as: .list, caller).state.entries.planProducts
        }
    }

    /// Returns the clock of the person of a record, by which they type times, and the current time.
    ///
    /// For a caller who may add plans, but not read any, that is the clock of the journal.
    package func personClock(
        of record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> (clock: PersonClock, now: Instant) {
        do throws(JournalError) {
            return try await readingCare(of: record, CareQuestion(), caller) { care, now in
                (try self.clocks(of: care).person, now)
            }
        } catch {
            guard error.code == .refused else { throw error }
            do {
                let history = ZoneHistory(home: journal.zone.identifier)
                return (try PersonClock(history, SystemZones.table(of: history.zones)), journal.now)
            } catch {
                throw JournalError(error)
            }
        }
    }

    /// Authorizes a query about plans, answers it, and records the read.
    ///
    /// `more` returns the kinds of what the answer shows besides plans, doses and stock.
    func readingCare<Answer>(
        of record: UUID,
        _ question: CareQuestion,
        _ caller: Caller,
        showing more: (Answer) -> Set<Kind> = { _ in [] },
        _ answer: (CareState, _ now: Instant) throws -> Answer
    ) async throws(JournalError) -> Answer {
        try await journal.retrying {
            let isPast = question.asOf != nil
            let action = Action.reading(Self.careKinds, .read, ofPast: isPast)
            let admission = try await journal.access.admit(caller, to: action, on: record)
            let position = try journal.log.position(asOf: question.asOf)
            let care = try careState(of: record, plan: question.plan, asOf: position)
            let now = try question.now ?? (isPast ? journal.records.stamp(at: position).recordedAt : journal.now)
            let result = try answer(care, now)
            let kinds = Self.careKinds.union(more(result))
            let shown = Shown(
                sections: Set(kinds.map(\.section)),
                entryCount: care.plans.count,
                asOf: isPast ? position : nil,
                version: position,
                entries: kinds.map(\.code).sorted().map { ShownEntries(kind: $0) }
            )
            try await journal.access.trace(caller, admission, shown)
            return result
        }
    }

    package func clocks(of care: CareState) throws(ModelError) -> CareClocks {
        let rules = care.plans.flatMap(\.plan.rules)
        let table = try SystemZones.table(of: care.zones.zones.union(CareClocks.zones(of: rules)))
        return try CareClocks(care.zones, rules: rules, table)
    }

    package func answer(_ care: CareState, _ question: CareQuestion, now: Instant) throws -> DueAnswer {
        let clocks = try clocks(of: care)
        let from = question.from ?? clocks.person.day(at: now)
        let to = question.to ?? from.adding(days: 1)
        guard from < to else { throw ModelError(.invalid, field: "to", "must be after the first day") }
        let start = clocks.person.moment(of: WallMoment(day: from)).instant
        let end = clocks.person.moment(of: WallMoment(day: to)).instant
        // A dose may exceed a limit together with doses of a whole period before or after it.
        let reach = care.plans.map { max($0.plan.limits.period, $0.plan.limits.minimumInterval ?? 0) }.max() ?? 0
        let margin = reach / 1_440 + 2
        let doses = try doses(of: care.plans, in: care, days: from.adding(days: -margin)...to.adding(days: margin))
        let snoozed = try snoozes(of: care.record, asOf: care.position, around: now).filter { $0.value > now }
        var count = 0
        let plans = try care.plans.map { plan throws(ModelError) in
            var day = try plan.plan.day(from: start, until: end, clocks, doses: doses[plan.id] ?? [], now: now)
            count += day.slots.count
            guard count <= Plan.maximumSlots else {
                throw ModelError(.invalid, field: "to", "more than \(Plan.maximumSlots) doses are due in this period")
            }
            day.mark(snoozed)
            let shown = day.slots.compactMap(\.dose) + day.others
            return PlanAnswer(
                plan: plan,
                day: day,
                warnings: plan.plan.warnings(of: shown, among: doses[plan.id] ?? [])
            )
        }
        return DueAnswer(
            record: care.record,
            position: care.position,
            now: now,
            from: from,
            to: to,
            clocks: clocks,
            zone: care.zones.zone(at: now),
            plans: plans
        )
    }

    private func allowance(of plan: CarePlan, in care: CareState, now: Instant) throws -> Allowance? {
        let limits = plan.plan.limits
        let days = max(limits.period, limits.minimumInterval ?? 0) / 1_440 + 2
        let today = Day(of: now)
        let doses = try doses(of: [plan], in: care, days: today.adding(days: -days)...today.adding(days: 1))
        let counted = plan.plan.countedLimits(at: now)
        return counted.allowance(after: doses[plan.id] ?? [], amount: plan.plan.usualAmount, now: now)
    }

    package func stock(of plan: CarePlan, in care: CareState, _ clocks: CareClocks, now: Instant) throws -> StockAnswer?
    {
        let always = Day(daysSince1970: .min)...Day(daysSince1970: .max)
        let supplies = try journal.planCalendar.items(
            of: Supply.kind,
            plans: [plan.id],
            in: care.record,
            days: always,
            asOf: care.position
        )
        let changes = (supplies[plan.id] ?? []).compactMap { StockChange(id: $0.entry, $0.content) }
        guard plan.countsStock || !changes.isEmpty else { return nil }
        // Doses before the last count have no effect on what comes after it, but on how far the count was off.
        let first = changes.map { Day(of: $0.at) }.min() ?? Day(of: now)
        let days = first.adding(days: -1)...max(first, Day(of: now)).adding(days: 1)
        let doses = try doses(of: [plan], in: care, days: days)[plan.id] ?? []
        let stock = Stock(changes, doses: doses, at: now)
        let (runOut, isUnknown) = try self.runOut(of: plan.plan, stock, doses, clocks, now: now)
        let runOutDay = runOut.map { clocks.person.day(at: $0.due) }
        return StockAnswer(
            plan: plan,
            stock: stock,
            runOut: runOut,
            runOutDay: runOutDay,
            isRunOutUnknown: isUnknown,
            refillBy: runOutDay?.adding(days: -plan.refillLead),
            estimatedRunOut: plan.plan.isAsNeeded ? stock.estimate(doses, clocks.person, now: now) : nil,
            levelSetBy: changes.filter { $0.at <= now && $0.what != .discarded }
                .max { ($0.at, $0.id.text) < ($1.at, $1.id.text) }?
                .id
        )
    }

    /// Returns the first dose within a year that the stock does not cover, and whether that is unknown, because doses have
    /// no amount that can be counted.
    private func runOut(
        of plan: Plan,
        _ stock: Stock,
        _ doses: [LoggedDose],
        _ clocks: CareClocks,
        now: Instant
    ) throws -> (due: Due?, isUnknown: Bool) {
        guard stock.level != nil else { return (nil, false) }
        var ahead: [Due] = []
        // Of a rule that counts from the last dose, only the next dose is certain.
        let year = now.adding(minutes: 12 * 31 * 1_440)
        var expected: [Due] = []
        // In parts, because a plan may have more doses in a year than one answer contains.
        var start = now.adding(minutes: -plan.late)
        for _ in 0..<12 {
            let end = start.adding(minutes: 31 * 1_440)
            let slots = try plan.day(from: start, until: end, clocks, doses: doses, now: now).slots
            let open = slots.filter { $0.state.isToTake || $0.state == .later }.map(\.due)
            for due in open where due.slot.waits {
                expected += plan.expected(after: due, from: now, until: year, clocks)
            }
            ahead += (open + expected.filter { $0.due >= start && $0.due < end }).sorted { $0.due < $1.due }
            if let found = stock.firstUncovered(of: ahead) { return (found, false) }
            start = end
        }
        return (nil, ahead.contains { $0.intake.amount == nil })
    }
}

extension Plan {
    /// The amount of one dose that is taken when needed.
    package var usualAmount: ExactDecimal? {
        rules.compactMap { if case .asNeeded(let intake) = $0.pattern { intake.amount } else { nil } }.last
    }

    /// The amount of a dose outside the plan: as if it was taken when needed, or else that of the doses that are planned
    /// then, if all have the same.
    func amountOutsidePlan(at wall: WallMoment) -> ExactDecimal? {
        if let usualAmount { return usualAmount }
        let current = rules.filter { rule in rule.from <= wall && rule.until.map { wall < $0 } ?? true }
        let planned = Set(current.flatMap(\.pattern.intakes).map(\.amount))
        return planned.count == 1 ? planned.first.flatMap(\.self) : nil
    }
}

extension Stock {
    /// Returns the day on which the stock would run out if doses were taken as in the last four weeks.
    fileprivate func estimate(_ doses: [LoggedDose], _ clock: PersonClock, now: Instant) -> Day? {
        let days = 28
        let recent = doses.filter { $0.at <= now && $0.at > now.adding(minutes: -days * 1_440) }
        let used = recent.compactMap(\.amount).reduce(ExactDecimal.zero) { $0.adding($1) ?? $0 }
        guard let level, let perPeriod = used.double, perPeriod > 0, let left = level.double else { return nil }
        return clock.day(at: now).adding(days: Int((left / perPeriod * Double(days)).rounded(.down)))
    }
}

extension ExactDecimal {
    /// The nearest floating-point number, for estimates only.
    fileprivate var double: Double? { Double(description) }
}
