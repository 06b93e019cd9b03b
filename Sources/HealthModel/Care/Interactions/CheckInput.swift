package import FoundationEssentials

/// What a check of interactions looks at: plans with their doses, allergies and meals.
package struct CheckInput: Sendable {
    package var plans: [CheckedPlan]
    package var allergies: [CheckedAllergy]
    package var meals: [CheckedMeal]
    /// Whether the subject is an animal, for which rules made for people say little.
    package var isOfAnimal: Bool

    package init(
        plans: [CheckedPlan],
        allergies: [CheckedAllergy] = [],
        meals: [CheckedMeal] = [],
        isOfAnimal: Bool = false
    ) {
        self.plans = plans
        self.allergies = allergies
        self.meals = meals
        self.isOfAnimal = isOfAnimal
    }
}

/// A medication or a supplement in a check.
package struct CheckedPlan: Sendable {
    package var id: UUID
    package var name: String
    package var kind: Kind
    package var substances: [Substance]
    package var plan: Plan
    /// The doses of the last two weeks; all of them, if a rule counts from the last dose.
    package var doses: [LoggedDose]
    /// When the medication was prescribed or bought.
    package var began: Instant?
    /// The first day on which it was no longer taken, whatever its rules say.
    package var ended: Day?
    /// Why it is looked at, although it may not be in use.
    package var question: Question?

    /// An active substance, and how much of it is in one unit of the plan.
    package struct Substance: Hashable, Sendable {
        package var name: String
        package var strength: SubstanceAmount?

        package init(name: String, strength: SubstanceAmount? = nil) {
            self.name = name
            self.strength = strength
        }
    }

    /// A medication that is looked at as if it were taken.
    package enum Question: Hashable, Sendable {
        /// A plan that is about to be saved.
        case planned
        /// A substance that a question names; it is no entry.
        case asked
    }

    package init(
        id: UUID,
        name: String,
        kind: Kind = Drug.kind,
        substances: [Substance] = [],
        plan: Plan,
        doses: [LoggedDose] = [],
        began: Instant? = nil,
        ended: Day? = nil,
        question: Question? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.substances = substances
        self.plan = plan
        self.doses = doses
        self.began = began
        self.ended = ended
        self.question = question
    }

    /// Creates the checked form of an entry of the kind `drug` or `supplement`.
    package init(
        id: UUID,
        _ content: EntryContent,
        plan: Plan,
        doses: [LoggedDose] = [],
        question: Question? = nil
    ) {
        let body = content.body
        self.init(
            id: id,
            name: body.text(Drug.name) ?? body.text(Drug.rawText) ?? content.kind.label,
            kind: content.kind,
            substances: body.groups(PlanFields.substances).compactMap(Substance.init),
            plan: plan,
            doses: doses,
            began: content.date?.day.startInstant,
            // An end that names only a month or a year may have been on its last day.
            ended: body.text(SharedFields.ended).flatMap { try? PartialDate(parsing: $0) }?.lastDay,
            question: question
        )
    }
}

extension CheckedPlan.Substance {
    fileprivate init?(_ values: FieldValues) {
        guard let name = values.text(PlanFields.Substance.name) else { return nil }
        let strength = values.decimal(PlanFields.Substance.strength)
        let unit = values.text(PlanFields.Substance.strengthUnit)
        self.init(
            name: name,
            strength: strength.flatMap { strength in unit.flatMap { SubstanceAmount(strength, unit: $0) } }
        )
    }
}

/// An allergy in a check.
package struct CheckedAllergy: Hashable, Sendable {
    package var id: UUID
    package var name: String

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A meal in a check.
package struct CheckedMeal: Hashable, Sendable {
    package var id: UUID
    package var at: Instant
    /// The names of the foods that were eaten, with remarks.
    package var foods: [String]
    /// What the person watches for in food.
    package var watchedFor: [String]
    /// Whether a question names the foods; it is no entry.
    package var isAsked: Bool

    package init(id: UUID, at: Instant, foods: [String], watchedFor: [String] = [], isAsked: Bool = false) {
        self.id = id
        self.at = at
        self.foods = foods
        self.watchedFor = watchedFor
        self.isAsked = isAsked
    }

    /// Creates the checked form of an entry of the kind `meal`; nil if it does not say when it was.
    package init?(id: UUID, _ content: EntryContent) {
        let at: Instant
        switch content.date {
        case .instant(let instant)?: at = instant
        // At noon, so that it counts on its day, in whatever zone that was.
        case .date(let date)?: at = date.firstDay.startInstant.adding(minutes: 720)
        case nil: return nil
        }
        self.init(
            id: id,
            at: at,
            foods: content.body.groups(Meal.foods)
                .map { food in
                    [food.text(Meal.Food.name), food.text(Meal.Food.notes)].compactMap(\.self).joined(separator: "; ")
                },
            watchedFor: content.body.texts(Meal.allergies)
        )
    }
}

/// Whether a medication is in use at a moment, or around it.
package enum PlanUse: Hashable, Sendable {
    case active
    /// It was stopped, or its rules have ended.
    case inactive
    /// The same, on a day of the last weeks: it may still act.
    case stopped(Day)
    /// It is paused, and not resumed within a week.
    case paused
    /// It begins later than in a week.
    case ahead(WallMoment)
    /// No times are planned, so that it is not known whether it is taken.
    case unknown

    /// Whether it is known that it is not taken at present.
    package var isUnused: Bool {
        switch self {
        case .inactive, .stopped, .paused, .ahead: true
        case .active, .unknown: false
        }
    }
}

extension CheckedPlan {
    /// How far from a moment a plan is active that begins or is resumed after it, or ended before it, in days.
    private static let plannedDays = 7
    /// For how long a dose that was taken makes a plan active, in days.
    private static let takenDays = 14
    /// For how long a medication may still act after it was stopped, in days: as fluoxetine does, which must be stopped
    /// five weeks before an MAO inhibitor is taken.
    private static let actingDays = 35

    /// Returns whether the medication is in use: if one of its rules applies within seven days and it is neither paused
    /// nor stopped, or if it was taken within the last fourteen days.
    ///
    /// How often it is taken makes no difference: an injection every three months acts all the time.
    /// A medication without planned times is active for fourteen days from its date, because it was prescribed or
    /// bought then. After that, it is not known.
    package func use(at now: Instant, _ clocks: CareClocks) -> PlanUse {
        if question != nil { return .active }
        let recently = now.adding(minutes: -CheckedPlan.takenDays * 1_440)
        if doses.contains(where: { $0.status == .taken && $0.at > recently && $0.at <= now }) { return .active }
        let wall = clocks.person.wall(at: now)
        func over(since day: Day?) -> PlanUse {
            guard let day, day.adding(days: CheckedPlan.actingDays) >= wall.day else { return .inactive }
            return .stopped(day)
        }
        if let ended, ended <= wall.day { return over(since: ended) }
        if let stopped = plan.stopped, stopped <= wall { return over(since: stopped.day) }
        let span = CheckedPlan.plannedDays * 1_440
        let before = clocks.person.wall(at: now.adding(minutes: -span))
        let after = clocks.person.wall(at: now.adding(minutes: span))
        if plan.isPaused(at: wall), plan.isPaused(at: after) { return .paused }
        if plan.rules.isEmpty {
            guard let began else { return .unknown }
            return began > recently && began <= now.adding(minutes: 1_440) ? .active : .unknown
        }
        let isInUse = plan.rules.contains { rule in
            if case .once(let at, _) = rule.pattern { return at >= before && at <= after }
            return rule.from <= after && rule.until.map { $0 > before } ?? true
        }
        if isInUse { return .active }
        if let begin = plan.rules(from: after).map(\.from).min() { return .ahead(begin) }
        let ends = plan.rules.compactMap { rule in
            if case .once(let at, _) = rule.pattern { at.day } else { rule.until?.day }
        }
        return over(since: ends.max())
    }
}
