import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel

/// The argument PLAN of commands on a plan.
struct PlanArgument: ParsableArguments {
    @Argument(help: "The medication or the supplement: its id, the first 8 or more characters of it, or its name.")
    var plan: String

    @OptionGroup var named: PlanRecordOption

    func id(in session: Session) async throws -> UUID { try await session.journal.plan(plan, of: named.record) }

    /// Changes the plan from a moment on, and prints the result.
    func change(
        _ options: CommonOptions,
        _ message: String,
        _ edit: @escaping (inout EntryContent, _ now: WallMoment) throws(ModelError) -> Void
    ) async throws {
        try await change(options, message) { now, _ in
            { content throws(ModelError) in try edit(&content, now) }
        }
    }

    /// Changes the plan from a moment on, and prints the result; `prepare` gets the current time by the person's clock.
    func change(
        _ options: CommonOptions,
        _ message: String,
        preparing prepare:
            @escaping (
                _ now: WallMoment, _ zone: TimeZone
            ) throws -> (inout EntryContent) throws(ModelError) -> Void
    ) async throws {
        try await Session.run(options) { session in
            let id = try await id(in: session)
            let zone = try await session.personZone(of: session.perform(.entry(id)).record)
            let edit = try prepare(session.wall(in: zone), zone)
            let result = try await session.perform(.changePlan(id, edit))
            session.output.result(result, message)
        }
    }
}

/// Changes when a medication is due, from a moment on.
struct PlanChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Replace when and how much is taken, from a moment on; a stopped plan starts again.",
        discussion: "Example:  healthjournal plan change 018f2c3b --effective 2026-04-01 --daily 09:00=2"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var plan: PlanArgument
    @OptionGroup var pattern: PatternOptions

    @Option(name: .long, help: "From when on it holds (default: now); it may be in the past.")
    var effective: TypedMoment?

    @Option(
        name: .long,
        help: """
            The last day of the new pattern, which is included, or the time of its end (default: that of what it replaces).
            """
    )
    var until: TypedMoment?

    @Option(
        name: .long,
        help: ArgumentHelp("Replace only this one of several rules, by its number in `plan show`.", valueName: "number")
    )
    var rule: Int?

    @Flag(help: "What the new pattern replaces, if several rules apply then or later.")
    var extent: Extent?

    enum Extent: String, EnumerableFlag {
        case allRules, noRule

        static func help(for value: Extent) -> ArgumentHelp? {
            switch value {
            case .allRules: "It replaces all rules."
            case .noRule: "It applies in addition to them."
            }
        }
    }

    func run() async throws {
        if rule != nil, extent != nil { throw ValidationError("give one of --rule, --all-rules and --no-rule") }
        try await plan.change(options, "changed the plan", preparing: edit)
    }

    private func edit(
        _ now: WallMoment,
        _ zone: TimeZone
    ) throws -> (inout EntryContent) throws(ModelError) -> Void {
        let effective = effective?.start(today: now.day) ?? now
        guard let new = try pattern.rule(from: effective, until: until?.end(today: now.day), zone, now: now) else {
            throw ValidationError("give the new pattern, such as --daily 08:00=1")
        }
        return { content throws(ModelError) in
            let change = try replacement(in: content, at: effective)
            var new = new
            // A course still ends when it was to end.
            let ends = change.replaced.compactMap(\.until)
            if !ends.isEmpty, ends.count == change.replaced.count { new.until = new.until ?? ends.max() }
            content.changeSchedule(to: [new], from: effective, replacing: change.replacement)
        }
    }

    /// Decides which rules the change replaces.
    private func replacement(
        in content: EntryContent,
        at effective: WallMoment
    ) throws(ModelError) -> ScheduleReplacement {
        let plan = Plan(listing: content)
        var choice: EntryContent.Replacement?
        if let rule {
            choice = .rule(plan.rules.indices.contains(rule - 1) ? plan.rules[rule - 1].id : UUID())
        } else {
            choice = extent.map { $0 == .allRules ? .all : .nothing }
        }
        do throws(ScheduleReplacement.Problem) {
            return try plan.replacing(choice, from: effective)
        } catch {
            throw ModelError(problem: error)
        }
    }
}

extension ModelError {
    fileprivate init(problem: ScheduleReplacement.Problem) {
        switch problem {
        case .severalRules:
            self.init(
                .invalid,
                field: "rule",
                """
                several rules apply then or later: `plan show` numbers them; choose one with --rule, or --all-rules \
                or --no-rule
                """
            )
        case .unknownRule:
            self.init(.notFound, field: "rule", "the plan has no rule with this number")
        case .endedRule:
            self.init(
                .invalid,
                field: "rule",
                """
                this rule has ended when the change takes effect: choose an earlier --effective, another --rule, or \
                --no-rule to add the new pattern
                """
            )
        }
    }
}

extension Plan {
    /// The rules of a plan in the order in which they are listed, whenever they were recorded.
    init(listing content: EntryContent) {
        let start = Instant(microseconds: 0)
        self.init(id: UUID(), content) { _ in Plan.Recorded(at: start, day: Day(of: start)) }
    }
}

/// Pauses a plan.
struct PlanPauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a plan; its cycles continue.",
        discussion: "Example:  healthjournal plan pause 018f2c3b --from 2026-04-01 --until 2026-04-10 --why surgery"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var plan: PlanArgument

    @Option(name: .long, help: "The first day or moment of the pause (default: today).")
    var from: TypedMoment?

    @Option(
        name: .long,
        help: "The last day of the pause, which is included, or the time of its end (default: until it is resumed)."
    )
    var until: TypedMoment?

    @Option(name: .long, help: "Why.")
    var why: String?

    func run() async throws {
        try await plan.change(options, "paused the plan") { content, now throws(ModelError) in
            content.pause(
                from: from?.start(today: now.day) ?? WallMoment(day: now.day),
                until: until?.end(today: now.day),
                why: why
            )
        }
    }
}

/// Ends a pause.
struct PlanResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End a pause of a plan.",
        discussion: "Example:  healthjournal plan resume 018f2c3b --from 2026-04-08"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var plan: PlanArgument

    @Option(name: .long, help: "From when on the plan holds again (default: today).")
    var from: TypedMoment?

    func run() async throws {
        try await plan.change(options, "resumed the plan") { content, now throws(ModelError) in
            try content.resume(at: from?.start(today: now.day) ?? WallMoment(day: now.day))
        }
    }
}

extension StopReason: ExpressibleByArgument {}

/// Ends a plan.
struct PlanStopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "End a plan.",
        discussion: "Example:  healthjournal plan stop 018f2c3b --at 2026-05-01 --why sideEffect"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var plan: PlanArgument

    @Option(name: .long, help: "From when on nothing is due any more (default: today).")
    var at: TypedMoment?

    @Option(name: .long, help: ArgumentHelp("Why.", valueName: "why"))
    var why: StopReason

    func run() async throws {
        try await plan.change(options, "stopped the plan") { content, now throws(ModelError) in
            content.stop(at: at?.start(today: now.day) ?? WallMoment(day: now.day), why: why)
        }
    }
}
