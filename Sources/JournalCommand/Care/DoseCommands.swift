import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands that log doses.
struct DoseCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dose",
        abstract: "Log doses that were taken or skipped.",
        subcommands: [DoseTakeCommand.self, DoseSkipCommand.self, DoseUndoCommand.self, DoseSnoozeCommand.self]
    )
}

/// The arguments of commands that log a dose.
struct DoseOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The plan, by id or name, and, after an @, the time for which the dose is planned: 018f2c3b@2026-03-02T08:00.",
            discussion:
                "Without a time, the dose that is open now is meant. A name needs --record, unless there is only one record.",
            valueName: "PLAN[@WALL]"
        )
    )
    var dose: String

    @OptionGroup var named: PlanRecordOption

    @Option(
        name: .long,
        help: """
            When it was taken or skipped: by the person's clock, 2026-03-02T08:05, an RFC 3339 time, or "planned" for \
            the time at which it was due (default: now; for a dose that is skipped after it was missed, the time at \
            which it was due).
            """
    )
    var at: DoseRequest.Moment?

    @Option(name: .long, help: "A comment.")
    var comment: String?

    @Flag(name: .long, help: "It is no planned dose, but taken because it is needed, also if the plan has times.")
    var asNeeded = false

    @Flag(name: .long, help: "Log it without asking, even if it is more than the plan allows, early or logged already.")
    var yes = false

    @Flag(help: "What to do if the planned dose is logged already.")
    var repetition: Repetition?

    enum Repetition: String, EnumerableFlag {
        case again, instead

        static func help(for value: Repetition) -> ArgumentHelp? {
            switch value {
            case .again: "It is a second dose, outside the plan."
            case .instead: "It corrects the dose that is logged."
            }
        }
    }

    /// Splits an argument into the plan and the dose that it names.
    static func target(_ dose: String) throws -> (plan: String, target: DoseRequest.Target) {
        let parts = dose.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return (dose, .open) }
        guard let wall = try? WallMoment(parsing: WallTime.withTwoDigits(parts[1])) else {
            throw ValidationError("write the time for which the dose is planned as PLAN@2026-03-02T08:00")
        }
        return (parts[0], .wall(wall))
    }

    /// Logs a dose; asks on the terminal if it is more than the plan allows or has, and refuses it without a terminal.
    private static func confirmed(_ request: DoseRequest, _ session: Session) async throws -> DoseResult {
        let record = try await session.record(ofPlan: request.plan)
        do {
            return try await session.perform(CareEndpoints.logDose, record, request)
        } catch let error as JournalError where error.code == .conflict && error.field == "confirmed" {
            guard Terminal.isInteractive else {
                throw JournalError(error.code, field: "dose", "\(error.message) (--yes)")
            }
            guard try Terminal.confirms("\(error.message). Log it?") else {
                throw JournalError(.refused, "nothing was logged")
            }
            var request = request
            request.isConfirmed = true
            return try await session.perform(CareEndpoints.logDose, record, request)
        }
    }

    /// Logs the dose, and prints the result with its warnings.
    func log(
        _ status: LoggedDose.Status,
        _ options: CommonOptions,
        _ edit: @escaping (inout DoseRequest) -> Void
    ) async throws {
        var (plan, target) = try DoseOptions.target(dose)
        if asNeeded {
            guard status == .taken else { throw ValidationError("a dose that is not planned cannot be skipped") }
            guard target == .open else { throw ValidationError("give either a planned time or --as-needed") }
            target = .asNeeded
        }
        try await Session.run(options) { [target] session in
            var request = DoseRequest(
                plan: try await session.journal.plan(plan, of: named.record),
                target: target,
                status: status,
                at: at,
                comment: comment,
                repetition: repetition.flatMap { DoseRepetition(rawValue: $0.rawValue) } ?? .refuse,
                isConfirmed: yes
            )
            edit(&request)
            let result: DoseResult
            do {
                result = try await DoseOptions.confirmed(request, session)
            } catch let error as JournalError where ["wall", "slot"].contains(error.field) {
                // The names of the interface; here, both are part of the argument.
                let hint =
                    error.code == .conflict && error.field == "slot" ? "; the options are --again and --instead" : ""
                throw JournalError(error.code, field: "dose", "\(error.text)\(hint)")
            }
            let warnings = JSONValue.array(result.warnings.map { .string($0.rawValue) })
            let entry = result.write.entry
            let dose = await session.dose(entry)
            session.output.result(
                result.write,
                "logged as \(status.rawValue): \(dose.map { "\($0); " } ?? "")entry \(entry?.text ?? "")",
                adding: [.init("warnings", warnings)]
            )
            if !session.output.isJSON { for warning in result.warnings { session.output.warn(warning.sentence) } }
        }
    }
}

/// Logs a dose that was taken.
struct DoseTakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take",
        abstract: "Log a dose that was taken.",
        discussion: """
            Example:  healthjournal dose take 018f2c3b@2026-03-02T08:00 --at 2026-03-02T08:05:00+01:00
            Example:  healthjournal dose take lisinopril --record maria
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var dose: DoseOptions

    @Option(name: .long, help: "The amount, in the unit of the plan (default: the planned amount).")
    var amount: Amount?

    func run() async throws {
        try await dose.log(.taken, options) { $0.amount = amount?.value }
    }
}

extension LoggedDose.Reason: ExpressibleByArgument {}

extension DoseRequest.Moment: ExpressibleByArgument {
    package init?(argument: String) {
        guard let moment = try? DoseRequest.Moment(parsing: WallTime.withTwoDigits(argument)) else { return nil }
        self = moment
    }
}

/// Logs a dose that was skipped.
struct DoseSkipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Log a dose that was skipped, or will be.",
        discussion: "Example:  healthjournal dose skip 018f2c3b@2026-03-05T08:00 --why outOfStock"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var dose: DoseOptions

    @Option(name: .long, help: ArgumentHelp("Why it was skipped.", valueName: "why"))
    var why: LoggedDose.Reason?

    @Option(name: .long, help: "Why, in words.")
    var text: String?

    func run() async throws {
        try await dose.log(.skipped, options) {
            $0.reason = why
            $0.reasonText = text
        }
    }
}

/// Takes back a dose that was logged.
struct DoseUndoCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Retract a dose that was logged by mistake.",
        discussion: "Example:  healthjournal dose undo 7c1d9a02"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The id of the dose, as logging it printed it.")
    var dose: String

    func run(in session: Session) async throws {
        let id = try await session.journal.entry(dose)
        let (record, kind, version) = try await session.journal.place(of: id)
        // A service would record a refused attempt on the entry.
        if let kind, kind != Dose.kind { throw JournalError(ModelError.noDose) }
        let result = try await session.perform(CareEndpoints.undoDose, record, id, version)
        let dose = await session.dose(id)
        session.output.result(result, "retracted the dose\(dose.map { ": \($0)" } ?? "")")
    }
}

extension Session {
    fileprivate func record(ofPlan plan: UUID) async throws -> UUID {
        do {
            return try await journal.place(of: plan).record
        } catch let error as JournalError where error.code == .notFound {
            throw JournalError.noPlan
        }
    }

    /// Says for people what a dose is of, how much, when, and for when it was planned; nil if the account may not read
    /// it.
    fileprivate func dose(_ entry: UUID?) async -> String? {
        guard !output.isJSON, let entry, let dose = try? await perform(.entry(entry)),
            let plan = dose.content.body.id(Dose.of), let product = try? await perform(.entry(plan)).planProduct
        else { return nil }
        let body = dose.content.body
        let amount = body.decimal(Dose.amount).map { product.text(of: $0) }
        let planned = body.instant(Dose.planned).map { "planned for \(output.time($0))" }
        let parts = [product.name, amount, "at \(output.date(dose.content.date))", planned]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

/// Postpones the reminders of a dose.
struct DoseSnoozeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Postpone the reminders of a planned dose, which stays due at its time.",
        discussion: "Example:  healthjournal dose snooze 018f2c3b@2026-03-02T08:00 --until 2026-03-02T08:30"
    )

    @OptionGroup var options: CommonOptions

    @Argument(
        help: ArgumentHelp(
            "The plan, by id or name, and, after an @, the time for which the dose is planned; without a time, the open dose.",
            valueName: "PLAN[@WALL]"
        )
    )
    var dose: String

    @OptionGroup var named: PlanRecordOption

    @Option(name: .long, help: "Until when: by the person's clock, 2026-03-02T08:30, or an RFC 3339 time.")
    var until: DoseRequest.Moment

    func run() async throws {
        let (plan, target) = try DoseOptions.target(dose)
        try await Session.run(options) { session in
            let plan = try await session.journal.plan(plan, of: named.record)
            let snooze = SnoozeRequest(plan: plan, target: target, until: until)
            let record = try await session.record(ofPlan: plan)
            let result = try await session.perform(CareEndpoints.snoozeDose, record, snooze)
            session.output.result(result, "postponed")
        }
    }
}

extension DoseWarning {
    /// The warning in a table of doses, in few words.
    var remark: String? {
        switch self {
        case .overMaximum: "MORE THAN THE PLAN ALLOWS"
        case .tooSoon: "TOO CLOSE TO ANOTHER DOSE"
        case .moreThanPlanned: "MORE THAN PLANNED"
        case .early, .unplanned, .paused, .stopped, .uncounted, .finding: nil
        }
    }

    /// The warning for people.
    fileprivate var sentence: String {
        switch self {
        case .overMaximum: "this is more than the plan allows within its period; ask a doctor or pharmacist"
        case .tooSoon: "this is closer to another dose than the plan allows; ask a doctor or pharmacist"
        case .moreThanPlanned: "this is more than the plan has for this dose; correct the entry if that is a mistake"
        case .early: "this dose is planned for later; correct the entry if another one was meant"
        case .unplanned: "the plan has no such dose"
        case .paused: "the plan is paused"
        case .stopped: "the plan was stopped"
        case .uncounted: "its amount cannot be counted: the stock and the limits of the plan leave it out"
        case .finding: "an interaction of this medication is open; ask a doctor or pharmacist"
        }
    }
}
