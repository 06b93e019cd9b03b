/// The fields of a medication or a supplement that say what it contains and when it is to be taken.
///
/// The kinds `drug` and `supplement` have them with the same numbers.
package enum PlanFields {
    /// The active substances; duplicates and interactions are found by them.
    package static let substances = Field(
        10,
        "substances",
        "Substances",
        .list(of: .group(Substance.all), maximum: 20)
    )
    package static let form = Field(
        11,
        "form",
        "Form",
        .choice([
            "tablet", "capsule", "drops", "liquid", "injection", "inhaler", "spray", "patch", "cream", "suppository",
            "powder", "device", "other",
        ])
    )
    /// The unit in which doses are counted, such as a tablet or mL; all amounts of the plan are in it.
    package static let unit = Field(12, "unit", "Unit", .text(maximum: Limits.unit))
    package static let route = Field(
        13,
        "route",
        "Route",
        .choice([
            "oral", "sublingual", "inhaled", "nasal", "eye", "ear", "skin", "rectal", "vaginal", "subcutaneous",
            "intramuscular", "intravenous", "other",
        ])
    )
    package static let indication = Field(14, "indication", "For", .text(maximum: Limits.line))
    package static let prescribedBy = Field(15, "prescribedBy", "Prescribed by", .text(maximum: Limits.line))
    package static let prescriber = Field(16, "prescriber", "Doctor", .entry(kinds: ["doctor"]))
    /// How often it is taken, in the words of the source; the rules state when it is due.
    package static let frequency = Field(
        17,
        "frequency",
        "Frequency",
        .choice([
            "once_daily", "twice_daily", "three_times_daily", "daily", "weekly", "as_needed", "custom",
        ])
    )

    package static let rules = Field(20, "rules", "Rules", .list(of: .group(Rule.all), maximum: 64))
    package static let pauses = Field(21, "pauses", "Pauses", .list(of: .group(Pause.all), maximum: 200))
    package static let stopped = Field(22, "stopped", "Stopped", .group(Stop.all))
    /// The least time between two doses, in minutes.
    package static let minimumInterval = Field(23, "minimumInterval", "Least gap (min)", .integer(1...10_080))
    package static let maximum = Field(24, "maximum", "Most", .group(Maximum.all))
    /// How long before its moment a dose is open, in minutes.
    package static let early = Field(25, "early", "Open before (min)", .integer(0...1_440))
    /// How long after its moment a dose is open, in minutes.
    package static let late = Field(26, "late", "Open after (min)", .integer(5...10_080))
    package static let trackStock = Field(27, "trackStock", "Count the stock", .flag)
    /// How many days before the stock runs out a refill is due.
    package static let refillLead = Field(28, "refillLead", "Refill lead (days)", .integer(0...90))
    package static let packSize = Field(29, "packSize", "Pack size", .decimal(0...1_000_000, fractions: true))
    /// Whether reminders ignore quiet hours, and caregivers are told of a missed dose.
    package static let critical = Field(30, "critical", "Critical", .flag)
    /// Set by an event `plan.changed`: from when on this version holds.
    package static let lastChange = Field(31, "lastChange", "Last change", .group(Change.all))

    /// All of them, in display order.
    package static let all = [
        substances, form, unit, route, indication, prescribedBy, prescriber, frequency, rules, pauses, stopped,
        minimumInterval, maximum, early, late, trackStock, refillLead, packSize, critical, lastChange,
    ]

    /// The fields that determine the due doses; two people's versions of them are never mixed.
    package static let dosing = [
        substances, unit, rules, pauses, stopped, minimumInterval, maximum, early, late, lastChange,
    ]
}

extension PlanFields {
    /// The fields of an active substance.
    package enum Substance {
        package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
        package static let code = Field(2, "code", "Code", .text(maximum: Limits.line))
        package static let system = Field(3, "system", "System", .choice(["atc", "rxnorm", "unii", "snomed", "cas"]))
        /// The amount of the substance in one unit of the plan.
        package static let strength = Field(4, "strength", "Strength", .decimal(0...1_000_000_000))
        package static let strengthUnit = Field(
            5,
            "strengthUnit",
            "Unit",
            .choice(["mg", "µg", "g", "IU", "mmol", "mL", "%"])
        )

        static let all = [name, code, system, strength, strengthUnit]
    }

    /// The fields of a rule: when doses are due.
    package enum Rule {
        package static let id = Field(1, "id", "Id", .id, isRequired: true)
        /// The start, which is included; absent for the day on which the rule was recorded.
        package static let from = Field(2, "from", "From", .wallMoment)
        /// The end, which is not included.
        package static let until = Field(3, "until", "Until", .wallMoment)
        /// The zone whose clocks the rule follows; absent for the clock of the place where the person is.
        package static let zone = Field(4, "zone", "Time zone", .zone)
        package static let pattern = Field(5, "pattern", "Pattern", .choice(patterns), isRequired: true)
        package static let everyDays = Field(6, "everyDays", "Every … days", .integer(1...366))
        package static let weekdays = Field(
            7,
            "weekdays",
            "Weekdays",
            .list(of: .choice(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]), maximum: 7)
        )
        package static let monthDays = Field(
            8,
            "monthDays",
            "Days of the month",
            .list(of: .choice((1...31).map { String($0) } + ["last"]), maximum: 32)
        )
        package static let daysOn = Field(9, "daysOn", "Days on", .integer(1...366))
        package static let daysOff = Field(10, "daysOff", "Days off", .integer(1...366))
        /// The day from which `everyDays` and the days on and off are counted.
        package static let anchor = Field(11, "anchor", "Counted from", .day)
        package static let times = Field(12, "times", "Times", .list(of: .group(Time.all), maximum: 24))
        /// The length of an interval, in minutes.
        package static let every = Field(13, "every", "Every (min)", .integer(15...527_040))
        package static let start = Field(14, "start", "First dose", .instant)
        package static let at = Field(15, "at", "At", .wallMoment)
        /// The intake, in a rule without times of day.
        package static let intake = Field(16, "intake", "Dose", .group(Intake.all))

        package static let days = "days"
        package static let interval = "interval"
        package static let afterLast = "afterLast"
        package static let once = "once"
        package static let asNeeded = "asNeeded"
        static let patterns = [days, interval, afterLast, once, asNeeded]

        static let all = [
            id, from, until, zone, pattern, everyDays, weekdays, monthDays, daysOn, daysOff, anchor, times, every,
            start, at, intake,
        ]
    }

    /// The fields of a time of day of a rule.
    package enum Time {
        package static let id = Field(10, "id", "Id", .id, isRequired: true)
        package static let at = Field(11, "at", "At", .wallTime, isRequired: true)

        static let all = [id, at] + Intake.all
    }

    /// The fields of an intake.
    package enum Intake {
        package static let amount = Field(1, "amount", "Amount", .decimal(0...1_000_000, fractions: true))
        /// The amount in words, where there is no number; such doses are not counted in the stock.
        package static let amountText = Field(2, "amountText", "Amount in words", .text(maximum: Limits.line))
        /// `breakfast`, `lunch`, `dinner`, `bedtime` or another word for the time.
        package static let label = Field(3, "label", "Label", .text(maximum: Limits.line))
        package static let withMeal = Field(4, "withMeal", "With a meal", .flag)
        package static let instructions = Field(5, "instructions", "Instructions", .text(maximum: Limits.line))

        static let all = [amount, amountText, label, withMeal, instructions]
    }

    /// The fields of a pause.
    package enum Pause {
        package static let from = Field(1, "from", "From", .wallMoment, isRequired: true)
        package static let until = Field(2, "until", "Until", .wallMoment)
        package static let why = Field(3, "why", "Why", .text(maximum: Limits.line))

        static let all = [from, until, why]
    }

    /// The fields of the end of a plan.
    package enum Stop {
        package static let at = Field(1, "at", "At", .wallMoment, isRequired: true)
        package static let why = Field(
            2,
            "why",
            "Why",
            .choice(StopReason.allCases.map(\.rawValue))
        )

        static let all = [at, why]
    }

    /// The fields of the most that may be taken within a rolling period.
    package enum Maximum {
        package static let doses = Field(1, "doses", "Doses", .integer(1...1_000))
        package static let amount = Field(2, "amount", "Amount", .decimal(0...1_000_000, fractions: true))
        package static let per = Field(3, "per", "Within (min)", .integer(60...10_080))

        static let all = [doses, amount, per]
    }

    /// The fields of the last change of a plan.
    package enum Change {
        package static let effective = Field(1, "effective", "From", .wallMoment, isRequired: true)
        package static let what = Field(
            2,
            "what",
            "What",
            .choice(PlanChangeReason.allCases.map(\.rawValue)),
            isRequired: true
        )

        static let all = [effective, what]
    }
}
