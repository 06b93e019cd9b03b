import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Lists plans.
struct PlanListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List medication and supplements with their plans.",
        discussion: "Example:  healthjournal plan list 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var record: RecordArgument

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        var entries: [EntryState] = []
        for kind in Plan.kinds {
            entries += try await session.perform(.entries(of: id, kind, moment.moment(in: session), retracted: false))
        }
        if session.output.isJSON {
            session.output.json(.array(entries.map(\.listed)))
            return
        }
        var table = TextTable([.init("PLAN"), .init("NAME"), .init("FROM"), .init("UNTIL"), .init("WHEN")])
        let length = UUID.lengthOfBeginnings(entries.map(\.id))
        for entry in entries {
            let lines = entry.planLines(session.output)
            for line in lines.isEmpty ? [PlanLine(from: "", until: "", what: "no times are planned")] : lines {
                table.add([
                    String(entry.id.text.prefix(length)), entry.planName ?? "", line.from, line.until, line.what,
                ])
            }
        }
        session.output.table(table, ifEmpty: "no medication or supplement is recorded")
    }
}

/// Shows one plan, and its next doses.
struct PlanShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a plan with its next seven doses.",
        discussion: "Example:  healthjournal plan show 018f2c3b"
    )

    /// How far ahead the next doses are looked for, in days.
    private static let days = 92

    @OptionGroup var options: CommonOptions
    @OptionGroup var plan: PlanArgument

    func run(in session: Session) async throws {
        let id = try await plan.id(in: session)
        let entry = try await session.perform(.entry(id))
        let today = try await session.wall(in: session.personZone(of: entry.record)).day
        let question = CareQuestion(from: today, to: today.adding(days: PlanShowCommand.days), plan: id)
        var doses = try await session.perform(CareEndpoints.due, entry.record, question)
        doses.doses = Array(doses.doses.filter { $0.due >= session.journal.now }.prefix(7))
        doses.others = []
        if session.output.isJSON {
            session.output.json(["plan": entry.listed, "next": .array(doses.doses.map(\.json))])
            return
        }
        var table = TextTable([.init("RULE"), .init("FROM"), .init("UNTIL"), .init("WHEN")])
        session.output.line(entry.planName ?? "")
        let lines = entry.planLines(session.output)
        guard !lines.isEmpty else {
            session.output.note("no times are planned; to plan them:  healthjournal plan change \(entry.id.text)")
            return
        }
        for line in lines { table.add([line.number.map { String($0) } ?? "", line.from, line.until, line.what]) }
        session.output.table(table, ifEmpty: "")
        session.output.line("")
        session.output.table(TextTable(doses), ifEmpty: "nothing is due in the next \(PlanShowCommand.days) days")
    }
}

extension EntryState {
    /// The rules and pauses of the plan, each with its first and its last day.
    fileprivate func planLines(_ output: Output) -> [PlanLine] {
        PlanLine.lines(of: content, recordedAt: added.recordedAt, time: output.time)
    }
}
