import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Columns of CSV files that no mapping fits")
struct CSVColumnsTests {
    private static let bytes = Array(
        """
        Datum;Uhrzeit;Gewicht;Sys;Dia;Puls;Glukose (mmol/L);Temp;Bemerkung;Gerät
        03.02.2026;07:15;72,5 kg;131;84;66;5,4;36,9 °C;nüchtern;X
        04.02.2026;07:20;;128;;64;;;;X

        """
        .utf8
    )

    private static func document(_ contents: [CSVColumns.Content], unit: String = "") throws -> CSVDocument {
        let mapping = try CSVMapping(CSVColumns(bytes).mapping(contents, weightUnit: unit))
        return try CSVDocument(bytes, as: mapping, options: CSVDocumentTests.options())
    }

    private static let contents: [CSVColumns.Content] = [
        .date, .time, .weight, .systolic, .diastolic, .pulse, .measurement, .measurement, .comment, .nothing,
    ]

    @Test("What the columns contain is guessed by their names, and examples are shown")
    func guesses() throws {
        let columns = try CSVColumns(Self.bytes)
        #expect(columns.columns.map(\.guess) == Self.contents.map { $0 == .measurement ? .nothing : $0 })
        #expect(columns.columns[2].samples == ["72,5 kg"] && columns.columns[3].samples == ["131", "128"])
        let twice = try CSVColumns(Array("Date,Date added,Weight (lbs),Diabetes\n1,2,3,4\n".utf8))
        #expect(twice.columns.map(\.guess) == [.date, .nothing, .weight, .nothing])
    }

    @Test("Each line becomes the entries whose columns have values, with names and units from the columns and cells")
    func entries() throws {
        let document = try Self.document(Self.contents)
        #expect(document.faultCount == 0, "\(document.listedFaults)")
        let shown = document.entries.map { entry in
            let members = NativeDocument.members(of: entry.content)
                .filter { $0.name != "kind" }
                .map { "\($0.name)=\(JSONWriter.text($0.value))" }
            return "\(entry.content.kind.name) \(members.joined(separator: " "))"
        }
        let first = "\"2026-02-03T06:15:00Z\""
        let second = "\"2026-02-04T06:20:00Z\""
        #expect(
            shown == [
                "weight date=\(first) value=\"72.5\" unit=\"kg\" comment=\"nüchtern\"",
                "measurement date=\(first) name=\"Blood pressure\" "
                    + #"parts=[{"name":"Systolic","value":"131","unit":"mmHg"},{"name":"Diastolic","value":"84","unit":"mmHg"}]"#,
                "measurement date=\(first) name=\"Heart rate\" value=\"66\" unit=\"/min\"",
                "measurement date=\(first) name=\"Glukose\" value=\"5.4\" unit=\"mmol/L\"",
                "measurement date=\(first) name=\"Temp\" value=\"36.9\" unit=\"°C\"",
                "measurement date=\(second) name=\"Blood pressure\" "
                    + #"parts=[{"name":"Systolic","value":"128","unit":"mmHg"}]"#,
                "measurement date=\(second) name=\"Heart rate\" value=\"64\" unit=\"/min\"",
            ]
        )
    }

    @Test("A weight in another unit than the chosen one is a fault, not another weight")
    func otherUnit() throws {
        let columns = try CSVColumns(Array("Date,Weight\n2026-02-03,72.5 kg\n".utf8))
        let mapping = try CSVMapping(columns.mapping([.date, .weight], weightUnit: "lb"))
        #expect(mapping.text.contains(#""unit":"kg""#), "the cells say it")
        let later = Array("Date,Weight\n2026-02-03,72.5 kg\n2026-02-04,160 LBS\n2026-02-05,73\n".utf8)
        let document = try CSVDocument(later, as: mapping, options: CSVDocumentTests.options())
        #expect(document.entries.count == 2)
        let fault = "line 3, column Weight: is in lb, but the mapping says kg"
        #expect(document.listedFaults.map(\.description) == [fault])
    }

    @Test(
        "A value has the unit that the table says, and a contradiction is a fault",
        arguments: [
            ("Glucose (fasting)", "104 mg/dL", "Glucose (fasting) 104 mg/dL"),
            ("Sugar (mmol/L)", "5.4", "Sugar 5.4 mmol/L"),
            ("Sugar (mmol/L)", "99 mg/dL", "Sugar 99 mg/dL"), ("Points", "7", "Points 7 "),
        ]
    )
    func units(_ name: String, _ cell: String, _ expected: String) throws {
        let columns = try CSVColumns(Array("Date,\(name)\n2026-02-03,\(cell)\n".utf8))
        let mapping = try CSVMapping(columns.mapping([.date, .measurement], weightUnit: ""))
        let later = Array("Date,\(name)\n2026-02-03,\(cell)\n2026-02-04,-\n".utf8)
        let document = try CSVDocument(later, as: mapping, options: CSVDocumentTests.options())
        let shown = document.entries.map(\.content.body)
            .map { body in
                [MeasuredValue.name, MeasuredValue.value, MeasuredValue.unit].map { body.text($0) ?? "" }
                    .joined(separator: " ")
            }
        #expect(shown == [expected], "\(document.listedFaults)")
        #expect(document.faultCount == 0, "\(document.listedFaults)")
        let mixed = Array("Date,\(name)\n2026-02-03,1 kPa\n".utf8)
        let other = try CSVDocument(mixed, as: mapping, options: CSVDocumentTests.options())
        // With a unit in the name alone, the cell contradicts it.
        #expect(other.faultCount == (mapping.text.contains(#""unit":"mmol/L""#) ? 1 : 0))
    }

    @Test("A pressure in kPa stays one, the lower value alone is kept, and the comment is that of the line")
    func pressure() throws {
        let bytes = Array("Date,Weight,Sys (kPa),Dia (kPa),Note\n2026-02-03,,16,11,a\n2026-02-04,,,10,b\n".utf8)
        let contents: [CSVColumns.Content] = [.date, .weight, .systolic, .diastolic, .comment]
        let mapping = try CSVMapping(CSVColumns(bytes).mapping(contents, weightUnit: "kg"))
        let document = try CSVDocument(bytes, as: mapping, options: CSVDocumentTests.options())
        let shown = document.entries.map { entry in
            JSONWriter.text(
                entry.content.body.items.isEmpty ? .null : .object(NativeDocument.members(of: entry.content))
            )
        }
        #expect(shown.count == 2 && shown[0].contains(#"{"name":"Systolic","value":"16","unit":"kPa"}"#), "\(shown)")
        #expect(shown[1].contains(#""parts":[{"name":"Diastolic","value":"10","unit":"kPa"}]"#), "\(shown)")
        #expect(document.entries.map(\.content.comment) == ["a", "b"])
    }

    @Test("Columns whose names are repeated, missing or contain braces are found by their number")
    func unusualNames() throws {
        let bytes = Array("Date,,{a|b} (g),X,X\n2026-02-03,1.5,2.5,3.5,4.5\n".utf8)
        let columns = try CSVColumns(bytes)
        #expect(columns.columns.map(\.name) == ["Date", "2", "{a|b} (g)", "X", "X"])
        let contents: [CSVColumns.Content] = [.date, .measurement, .measurement, .measurement, .measurement]
        let mapping = try CSVMapping(columns.mapping(contents, weightUnit: ""))
        let document = try CSVDocument(bytes, as: mapping, options: CSVDocumentTests.options())
        #expect(document.faultCount == 0, "\(document.listedFaults)")
        let values = document.entries.map(\.content.body)
            .map { "\($0.text(MeasuredValue.name) ?? "") \($0.text(MeasuredValue.value) ?? "")" }
        #expect(values == ["2 1.5", "{a|b} 2.5", "X 3.5", "X 4.5"])
        let remembered = try CSVMapping(JSONReader.read(Array(try #require(document.mapping).utf8)))
        let names = try CSVMapping.columnNames(bytes)
        #expect(remembered.fitsExactly(names))
        #expect(!remembered.fitsExactly([names[0].union(["new"])]))
        #expect(!remembered.fitsExactly([["Date"]]))
    }

    @Test(
        "A choice that makes no entries is refused with the reason",
        arguments: [
            ([CSVColumns.Content.weight, .nothing], "kg", "has the date"), ([.date, .date], "kg", "only one column"),
            ([.date, .weight], "", "the unit of the weights"), ([.date, .diastolic], "kg", "systolic"),
            ([.date, .comment], "kg", "at least one column"),
        ]
    )
    func refused(_ contents: [CSVColumns.Content], _ unit: String, _ message: String) throws {
        let columns = try CSVColumns(Array("a,b\n2026-01-01,2\n".utf8))
        let error = #expect(throws: ModelError.self) { try columns.mapping(contents, weightUnit: unit) }
        #expect(error?.message.contains(message) ?? false)
    }

    @Test(
        "A file without columns or lines is refused",
        arguments: ["", "a,b\n", "a\n1\n", "2026-01-01,70.5\n2026-01-02,71\n", "Date,X,X,2\n1,2,3,4\n"]
    )
    func noColumns(_ text: String) {
        #expect(throws: ModelError.self) { try CSVColumns(Array(text.utf8)) }
    }
}
