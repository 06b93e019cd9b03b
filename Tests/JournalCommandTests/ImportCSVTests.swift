import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Importing CSV files")
struct ImportCSVTests {
    private let mapping = """
        {"format": "healthjournal-csv/1", "date": {"columns": ["Datum"]},
         "rows": [{"kind": "weight", "set": {"value": "{Gewicht}", "unit": "kg"}}]}
        """

    @Test("A file is shown, asked about, imported once, and taken back as a whole")
    func imported() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let file = try tool.write("Datum;Gewicht\n03/04/2026;80,5\n05/04/2026;81,25\n", to: "w.csv")
        let named = try ["--record", record, "--mapping", tool.write(mapping, to: "m.json")]
        let head = try tool.position
        let asked = try tool.run(["import", "csv", file] + named)
        #expect(asked.status == 1, "\(asked.message)")
        #expect(asked.message.contains("line 2, column Datum"), "\(asked.message)")
        let said = named + ["--date-pattern", "dd/MM/yyyy"]
        let preview = try tool.run(["import", "csv", file, "--preview"] + said).succeeded().text
        #expect(preview.contains("line 2: 03/04/2026 | 80,5"))
        #expect(preview.contains("Date 2026-04-03, Weight 80.5"))
        #expect(try tool.run(["import", "csv", file, "--dry-run"] + said).succeeded().text.contains("added 2"))
        #expect(try tool.position == head)
        #expect(try tool.run(["import", "csv", file] + said).succeeded().text.contains("added 2"))
        #expect(try tool.run(["import", "csv", file] + said).succeeded().text.contains("nothing to append"))
        // A file with the same columns is read with the same mapping, until the import is undone.
        let more = try tool.write("Datum;Gewicht\n2026-06-03;82\n", to: "more.csv")
        let next = ["import", "csv", more, "--record", record, "--dry-run"]
        #expect(try tool.run(next).succeeded().text.contains("added 1"))
        #expect(try tool.run("import", "undo", record).succeeded().text.contains("retracted 2"))
        let undoing = try tool.position
        #expect(try tool.run("import", "list", record).succeeded().text.contains("undone at #\(undoing)"))
        let unknown = try tool.run(next)
        #expect(unknown.status == 1, "\(unknown.message)")
        #expect(unknown.message.contains("no known mapping fits"), "\(unknown.message)")
        // What an undone import added can be imported again, also with another mapping, and undone again.
        let other = try ["--mapping", tool.write(mapping.replacing("kg", with: "lb"), to: "lb.json")]
        let inPounds = try tool.run(["import", "csv", file, "--record", record] + other + said.suffix(2)).succeeded()
        #expect(inPounds.text.contains("added 2, corrected 0, unchanged 0"), "\(inPounds.text)")
        #expect(try tool.json("entry", "list", record).items.map { try $0.string("unit") } == ["lb", "lb"])
        #expect(try tool.run("import", "undo", record).succeeded().text.contains("retracted 2"))
        #expect(try tool.run("import", "undo", record).status == 2)
        let refusal = try tool.run("undo", record)
        #expect(refusal.status == 4, "\(refusal.message)")
        #expect(refusal.message.contains("import the document again"), "\(refusal.message)")
        #expect(try tool.run(["import", "csv", file] + said).succeeded().text.contains("added 2"))
        let audit = try tool.run(ChildProcess.shipped("healthjournal-replay"), ["verify", "--views"])
        #expect(audit.status == 0, "\(audit.text)\(audit.message)")

        let faulty = try tool.write("Datum;Gewicht\n2026-04-03;much\n2026-04-04;81\n2026-04-05;more\n", to: "f.csv")
        let refused = try tool.run(["import", "csv", file.replacing("w.csv", with: "f.csv")] + named)
        #expect(refused.status == 1, "\(refused.message)")
        #expect(refused.message.contains("\n  line 4, column Gewicht"), "\(refused.message)")
        #expect(!refused.message.contains("much"))
        let shown = try tool.run(["import", "csv", faulty, "--preview", "--format", "json"] + named)
        #expect(try shown.status == 1 && shown.json.integer("faultCount") == 2)
    }

    @Test("An exported table changes nothing, an edited one corrects, and what was changed since stays")
    func ownTable() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for (day, weight) in [("2026-03-01", "80.50kg"), ("2026-03-02", "81kg")] {
            try tool.run("weight", "log", record, weight, "--date", day).succeeded()
        }
        func export(_ format: String) throws -> String {
            try tool.run("export", record, "--as", format).succeeded().text
        }
        func take(_ table: String) throws -> String {
            let file = try tool.write(table, to: "table.csv")
            return try tool.run("import", "csv", file, "--record", record).succeeded().text
        }
        let (table, spreadsheet) = (try export("csv"), try export("spreadsheet"))
        let head = try tool.position
        for same in [table, spreadsheet] { #expect(try take(same).contains("nothing to append")) }
        #expect(try take(table.replacing("80.50", with: "80.75")).contains("corrected 1, unchanged 1"))
        #expect(try export("csv").contains("80.75"))
        #expect(try tool.position > head)
        // The first table does not contain the correction that was made since.
        #expect(try take(table.replacing("80.50", with: "90")).contains("kept (changed here since) 1"))
        #expect(try take(table + "weight,,2026-03-03,82,kg,,,\r\n").contains("added 1"))
        #expect(try export("csv").contains("2026-03-03,82,kg"))
    }
}
