import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// The commands of triage.
struct TriageGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triage",
        abstract: "Order the patients who wait by urgency, with every reason shown.",
        discussion: """
            Example:  healthjournal triage board
            \(TriageRules.notice)
            """,
        subcommands: [
            BeginTriage.self, AssessTriage.self, OverrideTriage.self, TakeTriage.self, LeaveTriage.self,
            JudgeTriage.self, RetractTriage.self, ShowBoard.self, ShowTriage.self, ShowTriageHistory.self,
            ExplainTriage.self, ShowTriageStatistics.self, TriageRulesGroup.self,
        ]
    )
}

/// The argument TRIAGE of commands on one.
struct TriageArgument: ParsableArguments {
    @Argument(help: "The id of the triage.")
    var triage: String

    var id: UUID {
        get throws(JournalError) {
            guard let id = UUID(uuidString: triage) else {
                throw JournalError(.invalid, field: "triage", "must be the complete id of a triage")
            }
            return id
        }
    }
}

struct BeginTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin",
        abstract: "Put a patient on the board.",
        discussion: """
            Example:  healthjournal triage begin 018f2c3a --complaint "vomits since the morning"
            Example:  healthjournal triage begin 018f2c3a --red-now
            --red-now needs nothing else: the patient is red, because you say so.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "What the patient comes for.")
    var complaint: String?

    @Option(name: .long, help: "The id of the appointment that the patient has.")
    var appointment: String?

    @Option(name: .long, help: "When the patient arrived, by the practice's clock (default: now).")
    var arrivedAt: TypedTime?

    @Flag(name: .long, help: "The patient must be seen immediately.")
    var redNow = false

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        var asked = TriageRequest(practice: practice.id, record: try await record.id(in: session))
        asked.complaint = complaint ?? ""
        asked.arrivedAt = try arrivedAt?.instant(in: practice.zone(session))
        asked.isRedNow = redNow
        if let appointment {
            guard let id = UUID(uuidString: appointment) else {
                throw JournalError(.invalid, field: "appointment", "must be the complete id of an appointment")
            }
            asked.appointment = id
        }
        let result = try await session.perform(TriageEndpoints.begin, asked)
        let level = redNow ? "RED" : "not assessed yet, due in \(TriageBoardEntry.assessedWithinMinutes) min"
        session.output.result(result, "on the board, \(level): triage \(result.entry?.text ?? "")")
    }
}

struct AssessTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "assess",
        abstract: "Enter what was found; the level is computed from it.",
        discussion: """
            Example:  healthjournal triage assess 018f2c3a-… --sign vomitingRepeated airway=normal breathing=normal
                      circulation=normal disability=normal heartRate=110 temperature=38.4 weight=31.5
            The fields: \(fields). What is left out counts as not assessed. The vital signs go into the record.
            """
    )

    private static let fields = SettingsDocument<TriageFindings>.names.filter { $0 != "signs" }
        .joined(separator: ", ")

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    @Option(name: .long, parsing: .singleValue, help: "A sign, such as labouredBreathing; several are possible.")
    var sign: [String] = []

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("What was found.", valueName: "FIELD=VALUE"))
    var values: [String] = []

    func run(in session: Session) async throws {
        var findings = TriageFindings(values: FieldValues())
        for (name, value) in try TypedField.all(values).named(among: TriageFindings.fields.leaves.map(\.name)) {
            do { try findings.set(name, text: value) } catch { throw JournalError(error) }
        }
        findings.signsFound += sign.map { TriageSign($0) }
        guard !findings.values.isEmpty else {
            throw JournalError(.invalid, "say what was found: healthjournal triage assess --help lists the fields")
        }
        let id = try triage.id
        let result = try await session.change(triage: id, .assess(findings))
        if session.output.isJSON { return session.output.result(result, "") }
        let shown = try await session.perform(TriageEndpoints.show, id, nil).document
        session.output.line("assessed (position \(result.position))")
        session.output.triage(shown, try await session.specialistNames(of: shown))
    }
}

struct OverrideTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "override",
        abstract: "Set another level than the computed one.",
        discussion: """
            Example:  healthjournal triage override 018f2c3a-… orange --reason "looks much worse than an hour ago"
            The reason needs at least \(OverrideDecision.minimumReason) characters. The computed level stays beside it.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    @Argument(help: "The level: red, orange, yellow, green, blue, or 1 to 5.")
    var level: UrgencyLevel

    func run(in session: Session) async throws {
        let result = try await session.change(triage: triage.id, .override(level))
        session.output.result(result, "\(level.shown)")
    }
}

struct TakeTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "take",
        abstract: "Note that the treatment begins.",
        discussion: "Example:  healthjournal triage take 018f2c3a-… --specialist \"Ada Roth\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "Who treats the patient, by name or id.")
    var specialist: String?

    func run(in session: Session) async throws {
        var id: UUID?
        if let specialist {
            id = try await practice.document(in: session).specialist(specialist, in: session).id
        }
        let result = try await session.change(triage: triage.id, .take(specialist: id))
        session.output.result(result, "taken")
    }
}

struct LeaveTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Note that the patient left without being treated, or died.",
        discussion: "Example:  healthjournal triage leave 018f2c3a-… withoutBeingSeen"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    @Argument(help: "Why: withoutBeingSeen, transferred or died.")
    var why: TriageState.LeaveReason

    func run(in session: Session) async throws {
        let result = try await session.change(triage: triage.id, .leave(why))
        session.output.result(result, "off the board")
    }
}

struct JudgeTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Say afterwards what the level should have been.",
        discussion: """
            Example:  healthjournal triage judge 018f2c3a-… yellow
            The statistics compare it with the level that counted.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    @Argument(help: "The level: red, orange, yellow, green, blue, or 1 to 5.")
    var level: UrgencyLevel

    func run(in session: Session) async throws {
        let result = try await session.change(triage: triage.id, .judge(level))
        session.output.result(result, "judged: \(level.shown)")
    }
}

struct RetractTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "retract",
        abstract: "Remove a triage that was entered in error.",
        discussion: "Example:  healthjournal triage retract 018f2c3a-… --reason \"the wrong dog\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    func run(in session: Session) async throws {
        let result = try await session.change(triage: triage.id, .retract)
        session.output.result(result, "retracted")
    }
}

extension TriageState.LeaveReason: ExpressibleByArgument {}

extension UrgencyLevel: ExpressibleByArgument {
    /// Parses the name of a level, or its number.
    public init?(argument: String) {
        let text = argument.lowercased()
        guard let level = UrgencyLevel.allCases.first(where: { $0.name == text || "\($0.rawValue)" == text }) else {
            return nil
        }
        self = level
    }

    /// The name, the number and the meaning of the level, which need no colour.
    var shown: String { "\(name.uppercased()) \(rawValue) (\(meaning))" }
}

extension Session {
    /// Changes a triage.
    fileprivate func change(triage: UUID, _ change: TriageChange) async throws -> WriteResult {
        try await perform(TriageEndpoints.change(change.request.word), triage, nil, change)
    }
}
