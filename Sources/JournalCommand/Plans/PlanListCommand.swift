import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Lists plans.
struct PlanListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List medication and supplements with their plans.",
        discussion: "Example:  healthjournal plan list 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var record: RecordArgument

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await record.id(in: session)
            var entries: [EntryState] = []
            for kind in Plan.kinds {
                entries += try await session.perform(.entries(of: id, kind, moment.moment, retracted: false))
            }
            if session.output.isJSON {
                session.output.json(.array(entries.map(\.listed)))
                return
            }
            var table = TextTable([.init("PLAN"), .init("NAME"), .init("FROM"), .init("UNTIL"), .init("WHEN")])
            for entry in entries {
                let plan = Plan(id: entry.id, entry.content) { _ in
                    Plan.Recorded(at: entry.added.recordedAt, day: Day(of: entry.added.recordedAt))
                }
                let name = entry.content.body.text(Drug.name) ?? entry.content.body.text(Drug.rawText) ?? ""
                for rule in plan.rules {
                    let until = [rule.until, plan.stopped].compactMap(\.self).min()
                    table.add([
                        entry.id.text, name, rule.from.description, until?.description ?? "",
                        rule.pattern.description,
                    ])
                }
                if plan.rules.isEmpty { table.add([entry.id.text, name, "", "", "no plan"]) }
            }
            session.output.table(table, ifEmpty: "no medication or supplement is recorded")
        }
    }
}
