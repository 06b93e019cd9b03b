import ArgumentParser
import FoundationEssentials
import HealthModel

extension WallMoment: ExpressibleByArgument {
    package init?(argument: String) {
        guard let moment = try? WallMoment(parsing: argument) else { return nil }
        self = moment
    }
}

extension WallMoment {
    /// The current minute in the time zone of this machine.
    static var now: WallMoment {
        let now = Date()
        let time = Calendar.current.dateComponents([.hour, .minute], from: now)
        return WallMoment(
            day: Day(ofMachine: now),
            time: WallTime(minutes: (time.hour ?? 0) * 60 + (time.minute ?? 0))
        )
    }
}

extension Day {
    /// The current day in the time zone of this machine.
    static var today: Day { Day(ofMachine: Date()) }

    /// The day of a moment in the time zone of this machine.
    fileprivate init(ofMachine date: Date) {
        self.init(of: Instant(microseconds: Int64(date.timeIntervalSince1970 * 1_000_000)), in: .current)
    }
}

/// When doses are due, and how much is to be taken: exactly one pattern, with its options.
struct PatternOptions: ParsableArguments {
    @Option(name: .long, help: "Each day at these times: 08:00=1,20:00=2.")
    var daily: String?

    @Option(name: .long, help: "Every so many days: 2@08:00=1 for every second day.")
    var days: String?

    @Option(name: .long, help: "On days of the week: mon,thu@08:00=1.")
    var weekdays: String?

    @Option(name: .long, help: "On days of the month: 1,last@08:00=1.")
    var monthDays: String?

    @Option(name: .long, help: "Days on and days off, in turn: 21/7@08:00=1.")
    var cycle: String?

    @Option(name: .long, help: "In steps of elapsed time: 36h, 90min or 2d, from --start.")
    var every: String?

    @Option(name: .long, help: "The time of the first dose of --every, by this machine's clock.")
    var start: TypedTime?

    @Option(
        name: .long,
        help: "Whether --every counts from the planned time of the last dose or from when it was taken."
    )
    var after: Base = .planned

    @Option(name: .long, help: "Once: 2026-05-04T08:00=1.")
    var once: String?

    @Flag(name: .long, help: "Only when needed; --gap and --most say how often.")
    var asNeeded = false

    @Option(name: .long, help: "The amount of one dose, with --every and --as-needed.")
    var amount: String?

    @Option(name: .long, help: "The clock: local, which is that of the place where the person is, or a time zone.")
    var clock: String = "local"

    @Option(name: .long, help: "What the dose is taken with or for, such as breakfast.")
    var label: String?

    @Flag(name: .long, help: "To be taken with a meal.")
    var withMeal = false

    @Option(name: .long, help: "How to take it.")
    var instructions: String?

    enum Base: String, ExpressibleByArgument, CaseIterable {
        case planned, taken
    }

    /// Creates the rule; nil if no pattern was given.
    ///
    /// Without `from`, it applies from its first dose on or, if its times are times of day, from today on.
    func rule(from: WallMoment?, until: WallMoment?) throws -> PlanRule? {
        let written: [(PlanRule.Pattern.Form, String?)] = [
            (.daily, daily), (.days, days), (.weekdays, weekdays), (.monthDays, monthDays), (.cycle, cycle),
            (.once, once), (.asNeeded, asNeeded ? amount ?? "" : nil),
        ]
        let given = written.compactMap { form, text in text.map { (form, $0) } }
        guard given.count + (every == nil ? 0 : 1) <= 1 else {
            throw ValidationError("give only one pattern, such as --daily or --every")
        }
        var pattern: PlanRule.Pattern
        do {
            if let every {
                pattern = try interval(PlanRule.Pattern.seconds(parsing: every))
            } else if let (form, text) = given.first {
                pattern = try PlanRule.Pattern(form, parsing: text, anchor: from?.day ?? .today) { UUID() }
            } else {
                return nil
            }
        } catch let error as ModelError {
            throw error.asUsage
        }
        pattern.describe { intake in
            intake.label = label
            intake.withMeal = withMeal
            intake.instructions = instructions
        }
        let start = from ?? pattern.earliest ?? WallMoment(day: .today)
        if let until, until <= start { throw ValidationError("--until must be after the start of the pattern") }
        return PlanRule(
            id: UUID(),
            from: start,
            until: until,
            clock: clock == "local" ? .local : .zone(clock),
            pattern: pattern,
            // Known only once the log contains the rule.
            recordedAt: Instant(microseconds: 0)
        )
    }

    private func interval(_ seconds: Int64) throws -> PlanRule.Pattern {
        guard let start else { throw ValidationError("--every needs --start, the time of the first dose") }
        let (intake, first) = (try Intake(amount: TypedNumber.plain(amount ?? "")), try start.instant(in: .current))
        return switch after {
        case .planned: .interval(seconds: seconds, start: first, intake)
        case .taken: .afterLast(seconds: seconds, start: first, intake)
        }
    }
}
