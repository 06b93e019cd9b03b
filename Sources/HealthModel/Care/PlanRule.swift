package import FoundationEssentials

/// One rule of a plan: when doses are due, and how much is to be taken.
package struct PlanRule: Hashable, Sendable {
    package var id: UUID
    /// The start, which is included.
    package var from: WallMoment
    /// The end, which is not included; nil without an end.
    package var until: WallMoment?
    package var clock: Clock
    package var pattern: Pattern
    /// When an event of the log first contained the rule.
    ///
    /// Doses due before it cannot be missed.
    package var recordedAt: Instant

    package init(
        id: UUID,
        from: WallMoment,
        until: WallMoment? = nil,
        clock: Clock = .local,
        pattern: Pattern,
        recordedAt: Instant
    ) {
        self.id = id
        self.from = from
        self.until = until
        self.clock = clock
        self.pattern = pattern
        self.recordedAt = recordedAt
    }

    /// The clock by which the times of a rule are read.
    package enum Clock: Hashable, Sendable {
        /// The person's clock, wherever they are.
        case local
        /// The clocks of one time zone, given by its IANA name.
        case zone(String)
    }

    package enum Pattern: Hashable, Sendable {
        /// At times of the days that pass all filters.
        case days(DayFilter, times: [DoseTime])
        /// In equal steps of elapsed time, in seconds, from `start`; changes of clocks do not affect it.
        case interval(seconds: Int64, start: Instant, Intake)
        /// `seconds` after the last dose that was taken or skipped; the first one at `start`.
        case afterLast(seconds: Int64, start: Instant, Intake)
        case once(WallMoment, Intake)
        /// Never due: taken when needed.
        case asNeeded(Intake)

        /// The intake for each time of the pattern.
        package var intakes: [Intake] {
            switch self {
            case .days(_, let times): times.map(\.intake)
            case .interval(_, _, let intake), .afterLast(_, _, let intake), .once(_, let intake), .asNeeded(let intake):
                [intake]
            }
        }
    }
}

/// The days on which a rule applies: those that pass every filter that is given.
package struct DayFilter: Hashable, Sendable {
    /// Every so many days, counted from `anchor`.
    package var everyDays: Int?
    /// Nil for every day of the week.
    package var weekdays: Set<Weekday>?
    /// Nil for every day of the month.
    ///
    /// A day that a month does not have is its last day.
    package var monthDays: Set<MonthDay>?
    /// Days on and days off, in turn, counted from `anchor`.
    package var cycle: Cycle?
    package var anchor: Day

    package init(
        everyDays: Int? = nil,
        weekdays: Set<Weekday>? = nil,
        monthDays: Set<MonthDay>? = nil,
        cycle: Cycle? = nil,
        anchor: Day
    ) {
        self.everyDays = everyDays
        self.weekdays = weekdays
        self.monthDays = monthDays
        self.cycle = cycle
        self.anchor = anchor
    }

    package struct Cycle: Hashable, Sendable {
        package var daysOn: Int
        package var daysOff: Int

        package init(daysOn: Int, daysOff: Int) {
            self.daysOn = daysOn
            self.daysOff = daysOff
        }
    }
}

/// A day of the week; the raw value is the number of ISO 8601, from Monday as 1.
package enum Weekday: Int, CaseIterable, Hashable, Sendable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday
}

/// A day of the month.
package enum MonthDay: Hashable, Sendable {
    /// In 1...31.
    case day(Int)
    case last
}

/// A time of day of a rule, with the intake that is due then.
package struct DoseTime: Hashable, Sendable {
    package var id: UUID
    package var at: WallTime
    package var intake: Intake

    package init(id: UUID, at: WallTime, intake: Intake) {
        self.id = id
        self.at = at
        self.intake = intake
    }
}

/// The amount to take, and how to take it.
package struct Intake: Hashable, Sendable {
    /// In the unit of the plan; nil if the plan describes it in words only.
    package var amount: ExactDecimal?
    package var amountText: String?
    /// A meal or another word for the time, such as `breakfast`.
    package var label: String?
    package var withMeal: Bool
    package var instructions: String?

    package init(
        amount: ExactDecimal? = nil,
        amountText: String? = nil,
        label: String? = nil,
        withMeal: Bool = false,
        instructions: String? = nil
    ) {
        self.amount = amount
        self.amountText = amountText
        self.label = label
        self.withMeal = withMeal
        self.instructions = instructions
    }
}
