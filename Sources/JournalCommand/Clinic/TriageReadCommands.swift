import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

struct ShowBoard: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "List the patients who wait, the most urgent one first.",
        discussion: """
            Example:  healthjournal triage board
            Example:  healthjournal triage board --as-of 2027-03-02T09:15:00Z
            Each patient that is listed is a read of its record.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    @Option(name: .long, help: "Instead, list those who arrived from this day on, whatever became of them.")
    var from: Day?

    @Option(name: .long, help: "The last day of arrival (default: the first one).")
    var to: Day?

    func validate() throws {
        if to != nil, from == nil { throw ValidationError("--to needs --from") }
    }

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let found: [TriageDocument]
        if let from {
            let last = to ?? from
            guard from <= last else { throw ValidationError("--to is before --from") }
            found = try await session.perform(TriageEndpoints.list, practice.id, from...last, asOf?.asOf(in: session))
        } else {
            found = try await session.perform(TriageEndpoints.board, practice.id, asOf?.asOf(in: session))
        }
        if session.output.isJSON { return session.output.json(.array(found.map(\.json))) }
        var table = TextTable([
            .init("LEVEL"), .init("PATIENT"), .init("WAITS", .right), .init("REMARK"), .init("COMPLAINT"),
            .init("ID"),
        ])
        for item in found {
            let species = item.species.map { ", \($0)" } ?? ""
            table.add([
                "\(item.level.rawValue) \(item.level.name)",
                AppointmentDocument.patient(item.patientName, item.client?.name) + species
                    + (item.alerts.map { " (! \($0))" } ?? ""),
                "\(item.waitedMinutes) min", item.remark, item.complaint, item.id.text,
            ])
        }
        session.output.table(table, ifEmpty: from == nil ? "nobody waits" : "nobody arrived on these days")
        session.output.note(TriageRules.notice)
    }
}

extension TriageDocument {
    /// In how many minutes the patient is due; empty if it does not wait.
    private var dueIn: String {
        guard let dueAt else { return "" }
        let minutes = (dueAt.microseconds - arrivedAt.microseconds) / Instant.microsecondsPerMinute
        return "due in \(max(0, Int(minutes) - waitedMinutes)) min"
    }

    /// What the staff has to know first about a patient that waits.
    fileprivate var remark: String {
        switch status {
        case .begun: isOverdue ? "ASSESS NOW, overdue" : "not assessed yet"
        case .assessed:
            isOverdue ? "OVERDUE" : isDue ? "due" : isLookAgainDue ? "look again" : dueIn
        case .taken, .retracted: status.sentence
        case .left: leftWhy.map { TriageWords.plain($0.rawValue) } ?? status.sentence
        }
    }
}

struct ShowTriage: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a triage with the reasons for its level.",
        discussion: "Example:  healthjournal triage show 018f2c3a-…"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let found = try await session.perform(TriageEndpoints.show, triage.id, asOf?.asOf(in: session)).document
        if session.output.isJSON { return session.output.json(found.json) }
        session.output.triage(found, try await session.specialistNames(of: found))
    }
}

extension Session {
    /// Returns the names of the specialists whom a triage ranks.
    func specialistNames(of triage: TriageDocument) async throws -> [UUID: String] {
        guard let ranking = triage.assessment?.ranking, !ranking.ranked.isEmpty || !ranking.leftOut.isEmpty else {
            return [:]
        }
        let specialists = try await perform(SpecialistEndpoints.list, triage.practice, nil)
        return Dictionary(specialists.map { ($0.id, $0.profile.name) }) { first, _ in first }
    }
}

extension Output {
    /// Prints a triage: the level first, then the reasons.
    func triage(_ found: TriageDocument, _ names: [UUID: String]) {
        let patient = AppointmentDocument.patient(found.patientName, found.client?.name)
        line("\(found.level.shown)  \(patient)\(found.species.map { ", \($0)" } ?? "")")
        if let alerts = found.alerts { line("alerts: \(alerts)") }
        if let override = found.override, let computed = found.computedLevel {
            line("  set by a person to \(override.name), computed \(computed.name): \(found.overrideReason)")
        }
        line("  arrived \(time(found.arrivedAt)), \(found.status.sentence), \(found.waitedMinutes) min")
        if !found.complaint.isEmpty { line("  complaint: \(found.complaint)") }
        for reason in found.reasons { line("  - \(reason)") }
        if !found.missing.isEmpty { line("  not known: \(found.missing.joined(separator: ", "))") }
        if let assessment = found.assessment {
            line("  complexity \(assessment.complexity.overall) of 10, rules \(assessment.rulesLabel)")
            for specialist in assessment.ranking.ranked {
                let wait = specialist.waitMinutes == 0 ? "now" : "in \(specialist.waitMinutes) min"
                line(
                    "  \(names[specialist.specialist] ?? specialist.specialist.text): \(specialist.points) points, free \(wait)"
                )
                for row in specialist.lines {
                    line("      \(row.points) of \(row.of) \(row.code.rawValue): \(row.because)")
                }
            }
            for left in assessment.ranking.leftOut {
                let why = left.reasons.map { TriageWords.plain($0.rawValue) }.joined(separator: ", ")
                line("  left out: \(names[left.specialist] ?? left.specialist.text), \(why)")
            }
        }
        note(TriageRules.notice)
    }
}

struct ShowTriageHistory: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show each version of a triage, and who made it.",
        discussion: "Example:  healthjournal triage history 018f2c3a-…"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    func run(in session: Session) async throws {
        let versions = try await session.perform(TriageEndpoints.history, triage.id)
        if session.output.isJSON { return session.output.json(.array(versions.map(\.json))) }
        var table = TextTable([
            .init("WHEN"), .init("WHAT"), .init("LEVEL"), .init("BY"), .init("REASON"),
        ])
        for version in versions {
            table.add([
                session.output.time(version.recordedAt), version.type,
                "\(version.triage.level.rawValue) \(version.triage.level.name)",
                version.actor.beginning, version.reason ?? "",
            ])
        }
        session.output.table(table, ifEmpty: "no versions")
    }
}

struct ExplainTriage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Compute a past assessment again, and show every reason.",
        discussion: """
            Example:  healthjournal triage explain 018f2c3a-…
            Example:  healthjournal triage explain 018f2c3a-… --rules clinic/2
            --rules shows what another rule set would have given; nothing is stored. Exit status 3: the computation \
            with the rule set of then gives something else than what is stored.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var triage: TriageArgument

    @Option(name: .long, help: "Another rule set, such as hj-triage/1.")
    var rules: String?

    @Option(
        name: .long,
        help: "The assessment as known at this position (#42), time or date.",
        transform: When.init(typed:)
    )
    var asOf: When?

    func run() async throws {
        var isSame = true
        try await Session.run(options) { session in
            let found = try await session.perform(TriageEndpoints.explain, triage.id, rules, asOf?.asOf(in: session))
            isSame = found.isSame
            if session.output.isJSON { return session.output.json(found.json) }
            let (then, now) = (found.assessed, found.computed)
            session.output.line(
                "stored    \(then.level.shown) by \(then.rulesLabel), record as of \(then.recordPosition)"
            )
            session.output.line(
                "computed  \(now.level.shown) by \(now.rulesLabel)\(isSame ? ", the same to the byte" : "")"
            )
            for reason in now.reasons {
                session.output.line("  - \(reason.rule.rawValue) \(reason.level.name): \(reason.sentence)")
            }
            for contradiction in now.contradictions { session.output.line("  - \(contradiction.sentence)") }
            let missing = now.missing.map(\.label).joined(separator: ", ")
            if !missing.isEmpty { session.output.line("  not known: \(missing)") }
            session.output.note(TriageRules.notice)
        }
        if !isSame, rules == nil { throw ExitCode(3) }
    }
}

struct ShowTriageStatistics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show how soon patients were seen, by level: numbers without names.",
        discussion: "Example:  healthjournal triage stats --from 2027-03-01 --to 2027-03-31"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The first day of arrival.")
    var from: Day

    @Option(name: .long, help: "The last day of arrival (default: the first one).")
    var to: Day?

    func run() async throws {
        let last = to ?? from
        guard from <= last else { throw ValidationError("--to is before --from") }
        try await Session.run(options) { session in
            let practice = try await practice.document(in: session)
            let found = try await session.perform(TriageEndpoints.statistics, practice.id, from...last)
            if session.output.isJSON { return session.output.json(found.json) }
            var table = TextTable([
                .init("LEVEL"), .init("PATIENTS", .right), .init("TAKEN", .right), .init("IN TIME", .right),
                .init("LEFT", .right), .init("LONGEST", .right),
            ])
            for row in found.levels {
                table.add([
                    "\(row.level.rawValue) \(row.level.name)", "\(row.patients)", "\(row.taken)", "\(row.inTime)",
                    "\(row.left)", row.longestWait.map { "\($0) min" } ?? "",
                ])
            }
            session.output.table(table, ifEmpty: "nobody arrived on these days")
            session.output.line(
                "judged \(found.judged): not urgent enough \(found.underTriaged), too urgent \(found.overTriaged)"
            )
        }
    }
}

/// The rule sets of triage.
struct TriageRulesGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Show and adopt the rules of triage.",
        discussion: "Example:  healthjournal triage rules show",
        subcommands: [ShowTriageRules.self, AdoptTriageRules.self]
    )
}

struct ShowTriageRules: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show which rules a practice adopted, or the text of a rule set.",
        discussion: """
            Example:  healthjournal triage rules show
            Example:  healthjournal triage rules show hj-triage/1 > clinic.rules
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "A rule set, such as hj-triage/1, whose text is printed.")
    var rules: String?

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        let found = try await session.perform(TriageEndpoints.rules, practice.id, asOf?.asOf(in: session))
        if session.output.isJSON { return session.output.json(found.json) }
        if let rules {
            let own = found.adopted.last { $0.rules == rules }?.text
            guard let text = own ?? found.builtIn.first(where: { $0.rules == rules })?.text else {
                throw JournalError(.notFound, "there is no rule set \(rules)")
            }
            return session.output.line(String(text.dropLast()))
        }
        var table = TextTable([.init("RULES"), .init("ADOPTED BY"), .init("WHEN"), .init("SHA-256")])
        for item in found.adopted {
            table.add([
                item.rules, item.veterinarian, session.output.time(item.adoptedAt), String(item.digest.prefix(16)),
            ])
        }
        session.output.table(
            table,
            ifEmpty: """
                no veterinarian of this practice has adopted rules yet; the program has \
                \(found.builtIn.map(\.rules).joined(separator: ", "))
                """
        )
        session.output.note(TriageRules.notice)
    }
}

struct AdoptTriageRules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Adopt a rule set for a practice, signed by one of its veterinarians.",
        discussion: """
            Example:  healthjournal triage rules adopt hj-triage/1 --veterinarian "Dr. Ada Roth"
            Example:  healthjournal triage rules adopt --file clinic.rules --veterinarian "Dr. Ada Roth"
            A file has the form in which triage rules show prints a rule set, with a name or a version of its own. No \
            assessment that was made before is changed.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "A rule set of the program.")
    var rules: String?

    @Option(name: .long, help: "A file with a rule set of the practice.", completion: .file())
    var file: String?

    @Option(name: .long, help: "The name of the veterinarian who adopts the rules.")
    var veterinarian: String

    private static let maximumBytes = 1 << 20

    func validate() throws {
        if (rules == nil) == (file == nil) { throw ValidationError("name a rule set of the program, or a --file") }
    }

    func run() async throws {
        let text = try file.map {
            String(decoding: try readFile($0, atMost: AdoptTriageRules.maximumBytes), as: UTF8.self)
        }
        try await Session.run(options) { session in
            let practice = try await practice.document(in: session)
            let asked: TriageRules
            do { asked = try TriageRules.asked(label: rules, text: text) } catch { throw JournalError(error) }
            let result = try await session.perform(
                TriageEndpoints.adopt,
                practice.id,
                TriageAdoption(asked, by: veterinarian)
            )
            session.output.result(result, "adopted \(asked.label), signed by \(veterinarian)")
        }
    }
}
