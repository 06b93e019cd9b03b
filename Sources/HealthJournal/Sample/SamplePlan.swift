internal import FoundationEssentials
internal import HealthModel

/// A plan of the sample, with the doses of it that were logged.
struct SamplePlan {
    let id: UUID
    let plan: Plan
    let unit: String?
    fileprivate(set) var doses: [LoggedDose] = []

    init(id: UUID, plan: Plan, unit: String?) {
        self.id = id
        self.plan = plan
        self.unit = unit
    }

    /// What became of a dose that was not taken.
    enum Omission {
        case skipped(LoggedDose.Reason, String? = nil)
        /// Nothing is logged about it.
        case unknown
    }

    /// How many minutes after it was due a dose was taken, in turn.
    fileprivate static let lateness = [4, 11, 0, 7, 24, 5, 16, 2, 9, 38, 3, 13, 6, 1]
}

extension SampleRecord {
    /// Logs the doses of a plan that were due until now, each some minutes after its time, except for some by their number.
    ///
    /// A dose is left open if those minutes are not over yet.
    mutating func take(
        _ plan: inout SamplePlan,
        from daysAgo: Int,
        except omitted: [Int: SamplePlan.Omission] = [:]
    ) throws(ModelError) {
        let start = clock.clocks.person.moment(of: WallMoment(day: clock.day(daysAgo))).instant
        for (number, due) in try plan.plan.due(from: start, until: clock.now, clock.clocks).enumerated() {
            switch omitted[number] {
            case .unknown:
                continue
            case .skipped(let reason, let text):
                log(due, of: &plan, at: due.due, skipped: reason, text)
            case nil:
                let lateness = SamplePlan.lateness[number * 5 % SamplePlan.lateness.count]
                let at = due.due.adding(minutes: lateness)
                if at <= clock.now { log(due, of: &plan, at: at) }
            }
        }
    }

    /// Logs the dose of a plan that follows another one.
    mutating func takeNext(_ plan: inout SamplePlan, after dose: UUID?, minutesLate: Int) throws(ModelError) -> UUID? {
        guard let rule = plan.plan.rules.first,
            let due = try plan.plan.due(.after(rule: rule.id, dose: dose), clock.clocks, doses: plan.doses)
        else { return nil }
        return log(due, of: &plan, at: due.due.adding(minutes: minutesLate))
    }

    /// Logs a dose that was taken because it was needed.
    mutating func takeAsNeeded(_ plan: inout SamplePlan, at moment: Instant, comment: String = "") {
        log(nil, of: &plan, at: moment, comment: comment)
    }

    @discardableResult
    private mutating func log(
        _ due: Due?,
        of plan: inout SamplePlan,
        at moment: Instant,
        skipped reason: LoggedDose.Reason? = nil,
        _ text: String? = nil,
        comment: String = ""
    ) -> UUID {
        var content = EntryContent(kind: Dose.kind, date: .instant(moment))
        content.comment = comment
        content.body[Dose.of] = .id(plan.id)
        content.body[Dose.status] = .text((reason == nil ? LoggedDose.Status.taken : .skipped).rawValue)
        let planned = due?.intake.amount ?? plan.plan.rules.first?.pattern.intakes.first?.amount
        if let due {
            content.body[Dose.slot] = .text(due.slot.description)
            content.body[Dose.planned] = .instant(due.due)
            content.body[Dose.plannedAmount] = planned.map { .decimal($0) }
        }
        if reason == nil { content.body[Dose.amount] = planned.map { .decimal($0) } }
        content.body[Dose.reason] = reason.map { .text($0.rawValue) }
        content.body[Dose.reasonText] = text.map { .text($0) }
        let id = add(content)
        if let dose = LoggedDose(id: id, content) { plan.doses.append(dose) }
        return id
    }
}
