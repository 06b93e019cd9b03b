import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Lists the planned doses of a period.
struct DueCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "due",
        abstract: "List the planned doses of a period, and what became of them.",
        discussion: """
            Example:  healthjournal due 018f2c3a --from 2026-03-01 --to 2026-04-01
            Times are those of the person's clock: of the time zone where the person was then.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var period: PeriodOptions
    @OptionGroup var care: CareOptions

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let question = try await care.question(period, of: id, in: session)
        let doses = try await session.perform(CareEndpoints.due, id, question)
        if session.output.isJSON {
            session.output.json(.array(doses.doses.map(\.json)))
        } else {
            session.output.table(TextTable(doses), ifEmpty: "nothing is due")
        }
    }
}

/// Lists the doses of a day.
struct TodayCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "List what is to be taken today, what was taken, when what is possible again, and due vaccinations.",
        discussion: "Example:  healthjournal today 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var care: CareOptions

    @Option(name: .long, help: "Another day, such as yesterday or 2026-03-01.")
    var day: TypedDay?

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let question = try await care.question(from: day, of: id, in: session)
        let doses = try await session.perform(CareEndpoints.today, id, question)
        if session.output.isJSON {
            session.output.json(doses.json)
            return
        }
        if !doses.alarmed.isEmpty {
            let names = doses.alarmed.map(\.name).joined(separator: ", ")
            session.output.line("a serious interaction is open for \(names): see interactions list")
        }
        for vaccination in doses.vaccinations {
            let due = vaccination.isOverdue ? "overdue since" : "due"
            session.output.line("vaccination \(due) \(vaccination.due): \(vaccination.name)")
        }
        let what = doses.vaccinations.isEmpty ? "nothing is" : "no doses are"
        session.output.table(TextTable(doses), ifEmpty: "\(what) due on \(doses.from)")
        for allowance in doses.allowances {
            let isAlarmed = doses.alarmed.contains { $0.plan == allowance.plan }
            session.output.line(allowance.sentence(isAlarmed: isAlarmed))
        }
    }
}

extension AllowanceDocument {
    /// When another dose is possible, and how many are left.
    fileprivate func sentence(isAlarmed: Bool) -> String {
        let now = isAlarmed ? "possible by its own limits, but a serious interaction is open" : "possible now"
        var parts = [possibleFrom.map { "possible again at \($0.shownTime)" } ?? now]
        if let left, let maximum {
            let until = leftUntil.map { " until \($0.shownTime)" } ?? ""
            parts.append("\(left) of \(maximum) left\(until)")
        }
        return "\(name): \(parts.joined(separator: ", "))"
    }
}

extension AdherenceGrouping: ExpressibleByArgument {}

/// Counts how many of the planned doses were taken.
struct AdherenceCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "adherence",
        abstract: "Count how many of the planned doses were taken.",
        discussion: """
            Example:  healthjournal adherence 018f2c3a --from 2026-03-01 --to 2026-04-01 --by week
            The percentage is the number of doses that were taken, divided by the number of those that were taken, \
            partly taken, skipped or missed. Doses that were skipped because it was advised, that are open or ahead, \
            that are in a pause or that were due before their plan was recorded are left out.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var period: PeriodOptions
    @OptionGroup var care: CareOptions

    @Option(name: .long, help: "How to group: day, week, plan or time.")
    var by: AdherenceGrouping = .day

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let question = try await care.question(period, of: id, in: session)
        let adherence = try await session.perform(CareEndpoints.adherence, id, AdherenceQuestion(question, by: by))
        if session.output.isJSON {
            session.output.json(adherence.json)
            return
        }
        var table = TextTable([
            .init(by.rawValue.uppercased()), .init("TAKEN", .right), .init("OF", .right), .init("SHARE", .right),
            .init("PARTLY", .right), .init("SKIPPED", .right), .init("MISSED", .right), .init("ON TIME", .right),
            .init("LEFT OUT", .right),
        ])
        for group in adherence.groups { table.add([group.name ?? group.key] + group.counts.cells) }
        table.add(["total"] + adherence.total.cells)
        session.output.table(table, ifEmpty: "nothing was due")
    }
}

extension Adherence {
    fileprivate var cells: [String] {
        [
            String(taken), String(settled), percentage.map { "\($0) %" } ?? "nothing due", String(partly),
            String(skipped), String(missed), String(onTime), String(leftOut),
        ]
    }
}
