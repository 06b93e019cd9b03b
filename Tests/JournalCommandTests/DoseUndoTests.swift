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
                #expect(refused.status == 2 && refused.message.contains("not a dose"), "\(refused.message)")
            }
        }
        #expect(try service.local.json("plan", "list", record).items.count == 1)
        #expect(try service.local.json("entry", "list", record, "weight").items.count == 1)
        try service.run("dose", "undo", dose).succeeded()
        #expect(try service.local.json("entry", "list", record, "dose").items.isEmpty)
    }
}
