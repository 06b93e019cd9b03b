import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

extension Session {
    /// The time zone in which the person of a record is: the clock by which their times are typed.
    ///
    /// For an account that may add plans, but not read any, that of the journal.
    func personZone(of record: UUID) async throws -> TimeZone {
        do {
            let zone = try await perform(CareEndpoints.today, record, CareQuestion()).zone
            return zone.flatMap(TimeZone.init(identifier:)) ?? output.typedZone
        } catch let error as JournalError where error.code == .refused {
            return output.typedZone
        }
    }

    /// The current minute by the clock of a time zone.
    func wall(in zone: TimeZone) -> WallMoment {
        let now = journal.now
        let shown = Instant(
            microseconds: now.microseconds + Int64(zone.secondsFromGMT(for: Date(now))) * Instant.microsecondsPerSecond
        )
        let day = Day(of: shown)
        let minutes = Int((shown.microseconds - day.startInstant.microseconds) / 60_000_000)
        return WallMoment(day: day, time: WallTime(minutes: minutes))
    }
}

extension Date {
    fileprivate init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
    }
}

extension Day {
    /// The current day in the time zone of this machine.
    static var today: Day { .current() }
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

    @Option(name: .long, help: "The time of the first dose of --every, by the person's clock.")
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
    /// Without `from`, it applies from its first dose on or, if its times are times of day, from today on; a pattern that
    /// counts days, from tomorrow on if all its times of today are over. `zone` is that of the person's clock, which
    /// shows `now`.
    func rule(from: WallMoment?, until: WallMoment?, _ zone: TimeZone, now: WallMoment) throws -> PlanRule? {
        let written: [(PlanRule.Pattern.Form, String?)] = [
            (.daily, daily), (.days, days), (.weekdays, weekdays), (.monthDays, monthDays), (.cycle, cycle),
            (.once, once), (.asNeeded, asNeeded ? amount ?? "" : nil),
        ]
        let given = written.compactMap { form, text in text.map { (form, $0) } }
        guard given.count + (every == nil ? 0 : 1) <= 1 else {
            throw ValidationError("give only one pattern, such as --daily or --every")
        }
        var pattern: PlanRule.Pattern
        var option = "--every"
        do {
            if let every {
                let seconds = try PlanRule.Pattern.seconds(parsing: every)
                option = "--every with --start and --amount"
                pattern = try interval(seconds, zone)
            } else if let (form, text) = given.first {
                option = form == .asNeeded ? "--amount" : "--\(form.rawValue.dashed)"
                pattern = try PlanRule.Pattern(
                    form,
                    parsing: text,
                    anchor: from?.day ?? now.day,
                    number: TypedNumber.plain
                ) { UUID() }
            } else {
                return nil
            }
        } catch let error as ModelError {
            throw error.asUsage(of: option)
        }
        pattern.describe { intake in
            intake.label = label
            intake.withMeal = withMeal
            intake.instructions = instructions
        }
        if from == nil { pattern.begin(on: pattern.firstDay(at: now)) }
        let start = from ?? pattern.earliest ?? WallMoment(day: pattern.firstDay(at: now))
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

    private func interval(_ seconds: Int64, _ person: TimeZone) throws -> PlanRule.Pattern {
        guard let start else { throw ValidationError("--every needs --start, the time of the first dose") }
        // A rule that is pinned to a zone is written by the clocks of that zone.
        let zone = clock == "local" ? person : TimeZone(identifier: clock) ?? person
        let (intake, first) = (try Intake(amount: TypedNumber.plain(amount ?? "")), try start.instant(in: zone))
        return switch after {
        case .planned: .interval(seconds: seconds, start: first, intake)
        case .taken: .afterLast(seconds: seconds, start: first, intake)
        }
    }
}
