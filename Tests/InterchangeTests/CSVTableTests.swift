import Foundation
import HealthModel
import Testing

@testable import Interchange

@Suite("CSV tables")
struct CSVTableTests {
    @Test(
        "Only a cell with a separator, a quote, a line break, or a space at an end is quoted",
        arguments: [
            (["a", "b"], "a,b\r\n"), ([""], "\r\n"),
            (["a,b", "c\"d", "e\nf", "g\r"], "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\r\"\r\n"),
            ([" a", "b "], "\" a\",\"b \"\r\n"), (["=1+1", "-3.5", "@x"], "=1+1,-3.5,@x\r\n"), (["漢,字"], "\"漢,字\"\r\n"),
        ]
    )
    func quotes(_ cells: [String], _ line: String) {
        #expect(CSVTable.line(cells) == line)
    }

    @Test("A table has the columns of all its kinds, and a table of one kind only those of that kind")
    func columns() throws {
        let record = try Fixtures.read(
            Fixtures.person(
                #"""
                "weightEntries": [{"uuid": "a3b0c1d2-0000-4000-8000-000000000001", "date": 1672617600, "weightKg": 74.60, "comment": "a, b"}],
                "humanDoctorEntries": [{"uuid": "a3b0c1d2-0000-4000-8000-000000000002", "name": "Dr. \"Ahn\"", "address": "Way 5"}]
                """#
            )
        )
        let lines = CSVTable.write(Fixtures.state(record)).components(separatedBy: "\r\n")
        #expect(lines.count == 4 && lines[3].isEmpty)
        #expect(
            lines[0].hasPrefix("kind,id,date,name,specialty,type,contactName,phone,email,address.text,address.street")
        )
        #expect(lines[0].hasSuffix("value,unit,comment,addedAt,position"))
        #expect(lines[1].hasPrefix(#"doctor,a3b0c1d2-0000-4000-8000-000000000002,,"Dr. ""Ahn""",,,,,,Way 5,"#))
        #expect(lines[2].contains(#",74.60,kg,"a, b",2026-"#))
        #expect(lines[2].hasPrefix("weight,a3b0c1d2-0000-4000-8000-000000000001,2023-01-02T00:00:00Z,"))

        let weights = CSVTable.write(Fixtures.state(record), scope: ExportScope(kinds: [Weight.kind]))
        #expect(weights.hasPrefix("kind,id,date,value,unit,comment,addedAt,position\r\nweight,"))
    }

    @Test(
        "In a table for spreadsheets, no value is a formula, and a number keeps its sign",
        arguments: [
            ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+41 44 123", "'+41 44 123"), ("-3.5", "-3.5"),
            ("+7", "'+7"),
            ("- with a dash", "'- with a dash"), ("plain", "plain"), ("Nuts;=1+1;x", "Nuts;'=1+1;x"), ("＝1", "'＝1"),
            ("'quoted", "'quoted"),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
        ]
    )
    func spreadsheets(_ value: String, _ cell: String) throws {
        var content = EntryContent(kind: Allergy.kind)
        content.body[Allergy.name] = .text(value)
        let stamp = Stamp(position: 1, recordedAt: Instant(microseconds: 0), actor: UUID())
        let entry = EntryState(id: UUID(), record: UUID(), content: content, added: stamp)
        let table = CSVTable(kinds: [Allergy.kind], isForSpreadsheets: true)
        #expect(table.header.hasPrefix("\u{FEFF}kind,id,date,name,"))
        #expect(table.row(entry).contains(",,\(cell),"), "\(table.row(entry))")
    }
}
