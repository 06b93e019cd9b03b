import ArgumentParser
import CommandRun
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on interactions of medication, supplements, food and allergies.
struct InteractionCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interactions",
        abstract: "Check what may not go together, and settle what was found.",
        discussion: """
            A check needs rules:  healthjournal interactions rules load starter
            No pharmacist has reviewed the starter rules, and they are few. Ask a doctor or pharmacist.
            """,
        subcommands: [
            InteractionCheckCommand.self, InteractionListCommand.self, InteractionAskCommand.self,
            InteractionResolveCommand.self, RuleCommands.self,
        ]
    )
}

/// Checks a record.
struct InteractionCheckCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check all that is taken, and add new findings.",
        discussion: """
            Example:  healthjournal interactions check 018f2c3a
            With --as-of, the check of then is repeated with the plans and the rules of then, and nothing is added.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let answer =
            if let moment = asOf?.asOf(in: session) {
                try await session.perform(InteractionEndpoints.repeatCheck, id, moment)
            } else {
                try await session.perform(InteractionEndpoints.check, id, CheckRequest())
            }
        session.output.answer(answer)
    }
}

/// Lists the findings of a record.
struct InteractionListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the findings, the open and most serious ones first, and the answers to questions.",
        discussion: "Example:  healthjournal interactions list 018f2c3a --open"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Flag(name: .long, help: "Only the open findings.")
    var open = false

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let asOf = asOf?.asOf(in: session)
        let found = try await session.perform(InteractionEndpoints.findings, id, open ? true : nil, asOf)
        if session.output.isJSON {
            session.output.json(.array(found.map(\.json)))
        } else {
            session.output.table(
                TextTable(found),
                ifEmpty: "there are no findings; this does not mean that none exist"
            )
            session.output.note("what could not be checked is named by: healthjournal interactions check RECORD")
        }
    }
}

/// Answers a question.
struct InteractionAskCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask whether something may be taken beside what is taken; question and answer are kept.",
        discussion: "Example:  healthjournal interactions ask 018f2c3a \"May I take ibuprofen?\""
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Argument(help: "The question, with the name of what is to be taken.")
    var text: String

    func validate() throws {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw ValidationError("the question must name what is to be taken, such as \"May I take ibuprofen?\"")
        }
    }

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        session.output.answer(try await session.perform(InteractionEndpoints.check, id, CheckRequest(text: text)))
    }
}

extension Interaction.Resolution: ExpressibleByArgument {}

/// Settles a finding.
struct InteractionResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Settle a finding; it opens again when the dosing changes or newer rules rate it higher.",
        discussion: """
            Example:  healthjournal interactions resolve 018f2c3b --how askedProfessional --reason "Dr. Rossi, 3 May"
            It was settled in one of these ways: accepted, changed, notRelevant or askedProfessional.
            """
    )

    @OptionGroup(title: HelpText.commonOptions) var place: LocationOptions

    @Argument(help: "The id of the finding.")
    var entry: String

    @Option(name: .long, help: "How it was settled.")
    var how: Interaction.Resolution?

    @Option(
        name: .customLong("as"),
        help: "Act as this account, by name or id. Also takes how it was settled, as earlier versions did."
    )
    var asValues: [String] = []

    @Option(name: .long, help: "Why; it is recorded.")
    var reason: String

    @Option(name: .customLong("by"), help: .hidden)
    var account: String?

    @Option(name: .long, help: "The output format: table or json.")
    var format: OutputFormat = .table

    func run() async throws {
        let former = FormerAs(asValues, isChosen: how != nil) { Interaction.Resolution(rawValue: $0) }
        guard let former, let how = how ?? former.choice else {
            let names = Interaction.Resolution.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("give --how once: \(names)")
        }
        guard account == nil || former.account == nil else {
            throw ValidationError("give the account once, with --as")
        }
        let work = Work(place: place, account: account ?? former.account, reason: reason, format: format)
        try await Session.run(work) { session in
            let id = try await session.journal.entry(entry)
            session.output.result(try await session.perform(.resolve(id, as: how)), "settled the finding")
        }
    }
}

extension Output {
    /// Prints the answer of a check.
    fileprivate func answer(_ answer: CheckDocument) {
        if isJSON { return json(answer.json) }
        let sets = answer.ruleSets.isEmpty ? "no rules are loaded" : answer.ruleSets.joined(separator: ", ")
        switch answer.result {
        case .found: line("\(answer.findings.count) found (\(sets))")
        case .noneFound where answer.notChecked.isEmpty: line("none found by these rules (\(sets))")
        case .noneFound: line("not everything could be checked; none found in the rest (\(sets))")
        case .notChecked: line("not checked (\(sets))")
        }
        // Before the findings, so that their reader knows which medications are missing among them.
        if !answer.notChecked.isEmpty {
            line("not checked: \(TerminalText.escaped(answer.notChecked.joined(separator: ", ")))")
        }
        if !answer.findings.isEmpty { table(TextTable(answer.findings), ifEmpty: "") }
        if !answer.notInUse.isEmpty {
            let names = TerminalText.escaped(answer.notInUse.joined(separator: ", "))
            line("not checked, because no times are planned: \(names)")
        }
        if answer.ruleSets.isEmpty { note("load rules with: healthjournal interactions rules load starter") }
        note(CheckDocument.disclaimer(hasRules: !answer.ruleSets.isEmpty))
    }
}

extension Session {
    /// Checks a medication that was just added or changed beside the others in use, and prints the findings about it.
    ///
    /// Silence would look like an answer: what no rule knows is named. Without rules, nothing is read. The medication is
    /// stored already, so that an error is a warning.
    func check(_ name: String, in record: UUID) async {
        let answer: CheckDocument
        do {
            guard try await !perform(InteractionEndpoints.rules).isEmpty else { return }
            answer = try await perform(InteractionEndpoints.check, record, CheckRequest())
        } catch {
            return output.warn("not checked beside what else is taken: \(JournalError(error).message)")
        }
        let alarming = answer.findings.filter { finding in
            finding.severity?.isAlarming == true
                && (finding.medications + finding.supplements).contains { $0.lowercased() == name.lowercased() }
        }
        for finding in alarming {
            let detail = finding.details.first
            let what = [detail?.first, detail?.second].compactMap(\.self).joined(separator: " + ")
            let why = detail?.description.map { ": \($0)" } ?? ""
            output.warn("\(finding.severity?.rawValue ?? "") \(what)\(why)")
        }
        if !alarming.isEmpty { output.note(CheckDocument.disclaimer(hasRules: true)) }
        if answer.notChecked.contains(where: { $0.lowercased() == name.lowercased() }) {
            output.warn("not checked, because no rule knows it: \(name)")
        }
        let partly = answer.notChecked.filter {
            $0 == CheckResult.animals || $0.lowercased().hasPrefix("\(name) (".lowercased())
        }
        // Who takes the other medication again must know that the two were not checked together.
        let later = answer.notChecked
            .filter { name in
                name.hasSuffix("(paused)") || ["begins", "stopped"].contains { name.contains("(\($0) on ") }
            }
        for what in partly + later.filter({ !partly.contains($0) }) { output.warn("not checked: \(what)") }
    }
}

extension TextTable {
    fileprivate init(_ findings: [FindingDocument]) {
        self.init([.init("FINDING"), .init("STATE"), .init("SEVERITY"), .init("WHAT"), .init("WHY")])
        let length = UUID.lengthOfBeginnings(findings.map(\.id))
        for finding in findings {
            let detail = finding.details.first
            let what = finding.query ?? [detail?.first, detail?.second].compactMap(\.self).joined(separator: " + ")
            add([
                String(finding.id.text.prefix(length)), finding.state.rawValue, finding.severity?.rawValue ?? "", what,
                detail?.description ?? "",
            ])
        }
    }
}
