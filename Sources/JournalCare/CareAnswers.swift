package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// A query about plans: a period, the moment whose state is read, and the time at which doses are open or missed.
package struct CareQuestion: Hashable, Sendable {
    /// The first day, by the person's clock; nil for today.
    package var from: Day?
    /// The day after the last one; nil for the day after `from`.
    package var to: Day?
    /// Nil for all plans.
    package var plan: UUID?
    package var asOf: AsOf?
    /// The time at which doses are open or missed; nil for the current time or, with `asOf`, that moment.
    package var now: Instant?

    package init(
        from: Day? = nil,
        to: Day? = nil,
        plan: UUID? = nil,
        asOf: AsOf? = nil,
        now: Instant? = nil
    ) {
        self.from = from
        self.to = to
        self.plan = plan
        self.asOf = asOf
        self.now = now
    }
}

/// The planned doses of the plans of a record in a period.
package struct DueAnswer: Sendable {
    package let record: UUID
    /// The log position that the answer reflects.
    package let position: UInt64
    package let now: Instant
    package let from: Day
    package let to: Day
    package let clocks: CareClocks
    /// The time zone in which the person is now.
    package let zone: String
    package let plans: [PlanAnswer]
    /// The plans that take part in an open finding that is serious, as far as the caller may see findings.
    package var alarmed: Set<UUID> = []
    /// The stock of the plans, for the page of a day; otherwise empty.
    package var stocks: [StockAnswer] = []
    /// The vaccinations that are due, in an answer about a day and as far as the caller may see them.
    package var vaccinations: [DueVaccination] = []
}

/// The planned and the other doses of one plan in a period.
package struct PlanAnswer: Sendable {
    package let plan: CarePlan
    package var day: PlanDay
    /// The warnings about the taken doses, by their ids.
    package var warnings: [UUID: [DoseWarning]] = [:]
    /// When another dose is possible; nil if the plan has no limit.
    package var allowance: Allowance?
}

/// The stock of a plan, and how long it lasts.
package struct StockAnswer: Sendable {
    package let plan: CarePlan
    package let stock: Stock
    /// The first planned dose that the stock does not cover; nil if there is none within a year.
    package let runOut: Due?
    /// Its day by the person's clock.
    package let runOutDay: Day?
    /// Whether it is not known when the stock runs out, because doses have no amount that can be counted.
    package let isRunOutUnknown: Bool
    /// The day on which a refill is due.
    package let refillBy: Day?
    /// For a plan without planned doses: the day on which the stock would run out, estimated from the last four weeks.
    package let estimatedRunOut: Day?
    /// The entry of the last delivery or count, from which the level follows.
    package let levelSetBy: UUID?
}

extension DueAnswer {
    /// The kinds of what it shows besides plans, doses and stock.
    var shownBesides: Set<Kind> {
        let findings: Set<Kind> = alarmed.isEmpty ? [] : [Interaction.kind]
        return vaccinations.isEmpty ? findings : findings.union([Vaccination.kind])
    }

    /// The answer as a document of the API.
    package var document: PlannedDosesDocument {
        let clock = clocks.person
        var doses = plans.flatMap { answer in
            answer.day.slots.map {
                PlannedDoseDocument(
                    $0,
                    of: answer.plan.id,
                    named: answer.plan.name,
                    unit: answer.plan.unit,
                    strength: answer.plan.strength,
                    countsStock: answer.plan.countsStock,
                    warnings: $0.dose.flatMap { answer.warnings[$0.id] } ?? [],
                    clock
                )
            }
        }
        doses.sort { $0.due == $1.due ? ($0.name, $0.wall) < ($1.name, $1.wall) : $0.due < $1.due }
        return PlannedDosesDocument(
            record: record,
            from: from,
            to: to,
            now: now,
            zone: zone,
            doses: doses,
            others: plans.flatMap { answer in
                answer.day.others.map { dose in
                    OtherDoseDocument(
                        dose,
                        named: answer.plan.name,
                        unit: answer.plan.unit,
                        strength: answer.plan.strength,
                        unplanned: isOutsidePlan(dose, answer.plan.plan),
                        warnings: answer.warnings[dose.id] ?? [],
                        clock
                    )
                }
            },
            allowances: plans.compactMap { answer in
                answer.allowance.map {
                    let maximum = answer.plan.plan.limits.maximumDoses
                    return AllowanceDocument($0, of: answer.plan.id, named: answer.plan.name, maximum: maximum, clock)
                }
            },
            alarmed: plans.filter { alarmed.contains($0.plan.id) }
                .map { AlarmedPlanDocument(plan: $0.plan.id, name: $0.plan.name) },
            vaccinations: vaccinations.map { DueVaccinationDocument($0) }
        )
    }

    /// Whether a dose that fills no planned one was not taken when needed either.
    private func isOutsidePlan(_ dose: LoggedDose, _ plan: Plan) -> Bool {
        plan.isOutside(dose, at: clocks.person.wall(at: dose.at))
    }

    /// How many of the doses were taken, in all and in groups.
    package func adherence(by grouping: AdherenceGrouping) -> AdherenceDocument {
        var total = Adherence()
        var groups: [String: Adherence] = [:]
        var names: [String: String] = [:]
        for answer in plans {
            func count(_ day: Day, _ time: WallTime?, _ add: (inout Adherence) -> Void) {
                add(&total)
                let key =
                    switch grouping {
                    case .day: day.description
                    case .week: day.week
                    case .plan: answer.plan.id.text
                    case .time: time?.description ?? ""
                    }
                if grouping == .plan { names[key] = answer.plan.name }
                // A dose without a planned time belongs to no time of day.
                if !key.isEmpty { add(&groups[key, default: Adherence()]) }
            }
            for status in answer.day.slots {
                count(clocks.person.day(at: status.due.due), status.due.wall.time) { $0.add(status) }
            }
            for dose in answer.day.others where dose.status == .taken {
                let isUnplanned = isOutsidePlan(dose, answer.plan.plan)
                let member: WritableKeyPath<Adherence, Int> = isUnplanned ? \.unplanned : \.asNeeded
                count(clocks.person.day(at: dose.at), nil) { $0[keyPath: member] += 1 }
            }
        }
        let listed = groups.sorted { $0.key < $1.key }
            .map { AdherenceDocument.Group(key: $0.key, name: names[$0.key], counts: $0.value) }
        return AdherenceDocument(from: from, to: to, total: total, groups: listed)
    }
}

extension StockAnswer {
    /// The answer as a document of the API.
    package var document: StockDocument {
        StockDocument(
            plan: plan.id,
            name: plan.name,
            unit: plan.unit,
            stock: stock,
            runOut: runOutDay,
            isRunOutUnknown: isRunOutUnknown,
            refillBy: refillBy,
            estimatedRunOut: estimatedRunOut
        )
    }
}
