import Foundation
import TestSupport
import Testing

@Suite("Long texts on a terminal", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
struct PagerTests {
    /// Runs a command on a terminal with so many rows, whose pager marks each line.
    private func lines(
        _ tool: CommandLineTool,
        rows: Int,
        pager: String = "sed s/^/:/",
        _ command: String
    ) throws -> [String] {
        let line = "stty rows \(rows) columns 80; PAGER='\(pager)' \(command)"
        return try tool.run("/usr/bin/script", ["-qec", line, "/dev/null"]).succeeded().text
            .split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test("A table that is longer than the terminal is shown by the pager, and a shorter one is printed")
    func paged() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for day in 10...30 {
            try tool.run("weight", "log", record, "7\(day % 10).5kg", "--date", "2026-01-\(day)", "--yes").succeeded()
        }
        let list = "\(CommandLineTool.executable) entry list \(record)"
        let paged = try lines(tool, rows: 10, list)
        #expect(paged.count == 22 && paged.allSatisfy { $0.hasPrefix(":") })
        let whole = try lines(tool, rows: 60, list)
        #expect(whole.count == 22 && !whole.contains { $0.hasPrefix(":") })
        let switchedOff = try lines(tool, rows: 10, pager: "", list)
        #expect(switchedOff == whole)
        // The reader may end the pager before everything is shown.
        #expect(try lines(tool, rows: 10, pager: "head -n 3", list).count == 3)
        let trail = "\(ChildProcess.shipped("healthjournal-replay")) trail --record \(record) --journal \(tool.journal)"
        let shown = try lines(tool, rows: 10, trail)
        #expect(shown.count > 22 && shown.allSatisfy { $0.hasPrefix(":") })
        // Without a terminal there is no pager.
        #expect(try !tool.run("entry", "list", record).succeeded().text.contains(":7"))
    }
}
