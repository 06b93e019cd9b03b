import Interchange
import TestSupport
import Testing

@Suite("Vaccinations that are due, on the command line")
struct DueVaccinationCommandTests {
    @Test("A day lists the vaccinations that are due, each after its last dose")
    func today() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        func vaccinate(_ name: String, _ date: String, _ next: String) throws {
            try tool.run(
                "entry",
                "add",
                record,
                "vaccination",
                "name=\(name)",
                "nextDue=\(next)",
                "--date",
                date
            )
            .succeeded()
        }
        try vaccinate("Rabies", "2024-03-01", "2025-03-01")
        try vaccinate("Tetanus", "2014-03", "2024-03")
        try vaccinate("Rabies", "2025-02-20", "2026-02-20")
        let day = ["today", record, "--day", "2026-02-01"]
        let shown = try tool.run(day).succeeded()
        let text = shown.text
        #expect(text.contains("vaccination due 2026-02-20: Rabies\n"), "\(text)")
        #expect(text.contains("vaccination overdue since 2024-03: Tetanus\n"), "\(text)")
        #expect(shown.message.contains("no doses are due on 2026-02-01"), "\(shown.message)")
        let due = try #require(try tool.json("today", record, "--day", "2026-02-01")["vaccinations"]).items
        #expect(try due.map { try $0.string("due") } == ["2024-03", "2026-02-20"])
        #expect(due.first?["overdue"] == true)
        // A month before, only that of years ago was due.
        let earlier = try tool.run(["today", record, "--day", "2026-01-01"]).succeeded().text
        #expect(!earlier.contains("Rabies"), "\(earlier)")
    }
}
