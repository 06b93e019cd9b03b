import Interchange
import TestSupport
import Testing

@Suite("Undoing a dose")
struct DoseUndoTests {
    @Test("Only a dose can be undone: other entries stay, on the folder and through a service")
    func onlyDoses() throws {
        let service = try LiveService()
        let record = try service.local.person()
        let needed = ["plan", "add", record, "Ibuprofen", "--as-needed", "--amount", "1", "--format", "json"]
        let plan = try service.local.run(needed).succeeded().json.string("entry")
        let weight = try service.local.json("weight", "log", record, "71kg").string("entry")
        let dose = try service.local.json("dose", "take", plan).string("entry")
        for entry in [plan, weight] {
            for refused in [try service.local.run("dose", "undo", entry), try service.run("dose", "undo", entry)] {
                #expect(refused.status == 2, "\(refused.message)")
                #expect(refused.message.contains("not a dose"), "\(refused.message)")
            }
        }
        #expect(try service.local.json("plan", "list", record).items.count == 1)
        #expect(try service.local.json("entry", "list", record, "weight").items.count == 1)
        try service.run("dose", "undo", dose).succeeded()
        #expect(try service.local.json("entry", "list", record, "dose").items.isEmpty)
    }

    @Test("Logging and undoing a dose say of which medication it is, how much and when; so does the history")
    func namesMedication() throws {
        let plans = try PlanFixture(["TZ": "UTC"])
        let product = ["--unit", "tablet", "--strength", "500 mg", "--daily", "08:00=2", "--from", "2026-03-01"]
        let add = ["plan", "add", plans.record, "Paracetamol"] + product + ["--format", "json"]
        let plan = try plans.tool.run(add).succeeded().json.string("entry")
        let at = "2026-03-02T08:05"
        let taken = try plans.tool.run("dose", "take", "\(plan)@2026-03-02T08:00", "--at", at).succeeded().text
        for part in ["Paracetamol, 2 tablets", "500 mg", "at 2026-03-02T08:05:00", "planned for 2026-03-02T08:00:00"] {
            #expect(taken.contains(part), "\(taken)")
        }
        let dose = try plans.tool.json("entry", "list", plans.record, "dose").items[0].string("id")
        let undone = try plans.tool.run("dose", "undo", dose).succeeded().text
        #expect(undone.hasPrefix("retracted the dose: Paracetamol, 2 tablets"), "\(undone)")
        let history = try plans.tool.run("record", "history", plans.record).succeeded().text
        #expect(history.contains("Added: Dose of Paracetamol taken 2, planned for 2026-03-02T08:00:00"), "\(history)")
        #expect(history.contains("Retracted: Dose of Paracetamol"), "\(history)")
    }
}
