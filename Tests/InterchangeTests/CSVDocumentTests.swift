import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("CSV files with a mapping")
struct CSVDocumentTests {
    private static let record = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x78, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    static func options(zone: String = "Europe/Zurich") throws -> CSVOptions {
        CSVOptions(
            now: try Instant(parsing: "2026-11-01T00:00:00Z"),
            zone: try #require(TimeZone(identifier: zone)),
            namespace: record
        ) { TimeZone(identifier: $0) }
    }

    /// A mapping of the columns Datum, Gewicht and Bemerkung, with other members beside.
    private static func mapping(text: String) throws -> CSVMapping {
        try CSVMapping(JSONReader.read(Array(text.utf8)))
    }

    private static func mapping(_ members: JSONValue = [:]) throws -> CSVMapping {
        let names = Set(members.members.map(\.name))
        let usual: JSONValue = [
            "format": "healthjournal-csv/1", "date": ["columns": ["Datum"]],
            "rows": [
                [
                    "if": "Gewicht", "kind": "weight",
                    "set": ["value": "{Gewicht}", "unit": "kg", "comment": "{Bemerkung}"],
                ]
            ],
        ]
        return try CSVMapping(.object(usual.members.filter { !names.contains($0.name) } + members.members))
    }

    private static func read(_ text: String, _ members: JSONValue = [:]) throws -> CSVDocument {
        try CSVDocument(Array(text.utf8), as: mapping(members), options: options())
    }

    private func values(_ document: CSVDocument) -> [String] {
        document.entries.map { entry in
            let date = entry.content.date?.description ?? "-"
            return "\(date) \(entry.content.body.decimal(Weight.value)?.description ?? "-") \(entry.content.comment)"
        }
    }

    @Test("A file with semicolons, decimal commas, German dates and Windows-1252 is read as it is meant")
    func german() throws {
        let text =
            "Datum;Gewicht;Bemerkung\r\n13.04.2024 08:30;80,5;Größe „ok“\r\n14.4.2024 8:30;1080,25;\"zwei\nZeilen\"\r\n"
        let bytes = [UInt8](try #require(text.data(using: .windowsCP1252)))
        let document = try CSVDocument(bytes, as: Self.mapping(), options: Self.options())
        #expect(
            values(document) == ["2024-04-13T06:30:00Z 80.5 Größe „ok“", "2024-04-14T06:30:00Z 1080.25 zwei\nZeilen"]
        )
        #expect(document.preview.map(\.number) == [2, 3])
        #expect(
            document.reading == [
                "encoding windows-1252 (guessed)", "cells separated by \";\" (guessed)", "decimal sign \",\" (guessed)",
                "dates dd.MM.yyyy HH:mm (guessed)", "times in Europe/Zurich",
            ]
        )
    }

    @Test(
        "A file that can be read in two ways is refused, with the line that shows it, until it is said which is meant",
        arguments: [
            ("03/04/2026;80", "line 2, column Datum", ["date": ["columns": ["Datum"], "pattern": "MM/dd/yyyy"]]),
            ("2026-03-04;1,500", "line 2, column Gewicht", ["decimal": ",", "thousands": "."]),
        ] as [(String, String, JSONValue)]
    )
    func ambiguous(_ line: String, _ place: String, _ answer: JSONValue) throws {
        let text = "Datum;Gewicht;Bemerkung\n\(line);\n"
        let document = try Self.read(text)
        #expect(document.entries.isEmpty)
        #expect(document.faultCount == 1)
        #expect(document.listedFaults.first?.field == place)
        let said = try Self.read(text, answer)
        #expect(values(said).count == 1)
        #expect(said.faultCount == 0)
    }

    @Test("Another line that fits one reading alone decides it for all")
    func decided() throws {
        let dates = try Self.read("Datum;Gewicht;Bemerkung\n03/04/2026;80;\n13/04/2026;81;\n")
        #expect(values(dates) == ["2026-04-03 80 ", "2026-04-13 81 "])
        let numbers = try Self.read("Datum;Gewicht;Bemerkung\n2026-03-04;1,500;\n2026-03-05;80,5;\n")
        #expect(values(numbers) == ["2026-03-04 1.500 ", "2026-03-05 80.5 "])
    }

    @Test(
        "A line with more or fewer cells than columns is a fault: nothing of a value is cut off",
        arguments: [
            ("Datum,Gewicht,Bemerkung\n2026-03-04,71,2,\"a, b\"\n2026-03-05,71.4,\n", ["line 2"]),
            ("Datum,Gewicht\n2026-03-04,71,2\n2026-03-05,80,5\n", ["line 2", "line 3"]),
            ("Datum,Gewicht,Bemerkung\n2026-03-04,71.2,\n2026-03-05,7", ["line 3"]),
            ("Datum,Gewicht,Bemerkung\n2026-03-04\n2026-03-05,71.5,\n", ["line 2"]),
            ("Datum,Gewicht,Bemerkung\n2026-03-04,\"71,2\",\n", []), ("Datum,Gewicht,\n2026-03-04,71.2,,,\n", []),
            ("Datum,Gewicht,\n2026-03-04,71.2\n", []),
        ]
    )
    func cells(_ text: String, _ places: [String]) throws {
        let rows: JSONValue = ["rows": [["kind": "weight", "set": ["value": "{Gewicht}", "unit": "kg"]]]]
        let document = try Self.read(text, rows)
        #expect(document.listedFaults.map { $0.field ?? "" } == places)
        #expect(!document.listedFaults.map(\.description).joined().contains("80"))
        #expect(document.entries.count == text.split(separator: "\n").count - 1 - places.count)
    }

    @Test("Each fault is listed by its line and its column, and without a value")
    func faults() throws {
        let document = try Self.read(
            """
            Datum;Gewicht;Bemerkung
            13.04.2024;eighty;
            14.13.2024;80,5;
            ;80,5;
            15.04.2024;80,5;
            16.04.2024;-80,5;
            """,
            ["date": ["columns": ["Datum"], "pattern": "dd.MM.yyyy"], "decimal": ","]
        )
        #expect(
            document.listedFaults.map { $0.field ?? "" } == [
                "line 2, column Gewicht", "line 3, column Datum", "line 4, column Datum", "line 6, column Gewicht",
            ]
        )
        #expect(!document.listedFaults.map(\.description).joined().contains("eighty"))
        #expect(values(document) == ["2024-04-15 80.5 "])
        #expect(throws: ModelError.self) { try document.record(Self.record) }
    }

    @Test("One line becomes several entries, units are cut off, and cells that say that there is no value are none")
    func several() throws {
        let text = "Day,Time,Sys,Pulse\n2024-03-01,\"7:05 am\",104 mmHg/66,-\n2024-03-02,7:05 pm,,61\n"
        let mapping = try CSVMapping([
            "format": "healthjournal-csv/1", "missing": ["-"], "date": ["columns": ["Day", "Time"]],
            "rows": [
                [
                    "if": "Sys", "kind": "measurement",
                    "set": [
                        "name": "Blood pressure",
                        "parts": [["name": "Systolic", "value": "{Sys|number}", "unit": "{Sys|unit}"]],
                    ],
                ],
                [
                    "if": ["Pulse": "61"], "kind": "measurement",
                    "set": ["name": "Pulse", "value": "{Pulse|number} {{x}"],
                ],
            ],
        ])
        let document = try CSVDocument(Array(text.utf8), as: mapping, options: Self.options())
        #expect(document.faultCount == 0)
        let native = document.entries.map { JSONWriter.text(.object(NativeDocument.members(of: $0.content))) }
        #expect(
            native == [
                #"{"date":"2024-03-01T06:05:00Z","name":"Blood pressure","parts":[{"name":"Systolic","value":"104","unit":"mmHg/66"}]}"#,
                #"{"date":"2024-03-02T18:05:00Z","name":"Pulse","value":"61 {x}"}"#,
            ]
        )
    }

    @Test("A time that the clock skips is a fault, and of one that it shows twice the first is taken")
    func clockChanges() throws {
        let pattern: JSONValue = ["date": ["columns": ["Datum"], "pattern": "dd.MM.yyyy HH:mm"]]
        let document = try Self.read("Datum;Gewicht;Bemerkung\n31.03.2024 02:30;80;\n27.10.2024 02:30;80;\n", pattern)
        #expect(document.listedFaults.map(\.field) == ["line 2, column Datum"])
        #expect(values(document) == ["2024-10-27T00:30:00Z 80 "])
    }

    @Test("An id comes from the line, so that a longer file adds only its new lines, and equal lines stay apart")
    func identity() throws {
        let first = try Self.read("Datum;Gewicht;Bemerkung\n2024-03-01;80;\n2024-03-01;80;\n")
        #expect(Set(first.entries.map(\.id)).count == 2)
        let second = try Self.read("Datum;Gewicht;Bemerkung\n2024-02-28;79;\n2024-03-01;80;\n2024-03-01;80;\n")
        #expect(Array(second.entries.map(\.id).dropFirst()) == first.entries.map(\.id))
        let other = try Self.read("Datum;Gewicht;Bemerkung\n2024-03-01;80;\n", ["source": "other"])
        #expect(other.entries.first?.id != first.entries.first?.id)
    }

    @Test(
        "A mapping that makes no sense is refused by the member that is wrong",
        arguments: [
            (["format": "other/1"], "format"), (["delimiter": "x"], "delimiter"),
            (["decimal": ",", "thousands": ","], "thousands"), (["header": 0], "header"), (["colour": "red"], "colour"),
            (["date": ["columns": ["Datum"], "pattern": "dd.MM"]], "date.pattern"),
            (["date": ["columns": ["Datum"], "pattern": "week w"]], "date.pattern"),
            (["date": ["columns": ["Datum"], "pattern": "dd.MM.yyyy HH:mm a"]], "date.pattern"),
            (["date": ["columns": ["Datum"], "pattern": "dd.MM.yyyy hh:mm"]], "date.pattern"),
            (["date": ["columns": ["Datum"], "pattern": "dd.MM.dd.yyyy"]], "date.pattern"), (["rows": []], "rows"),
            (["rows": [["kind": "wight", "set": [:]]]], "rows[0].kind"),
            (["rows": [["kind": "weight", "set": ["vaule": "1"]]]], "rows[0].set.vaule"),
            (["rows": [["kind": "weight", "set": ["value": "{Gewicht"]]]], "rows[0].set.value"),
            (["rows": [["kind": "weight", "set": ["value": "{Gewicht|round}"]]]], "rows[0].set.value"),
            (["rows": [["if": 3, "kind": "weight", "set": ["value": "1"]]]], "rows[0].if"),
        ] as [(JSONValue, String)]
    )
    func refusedMapping(_ members: JSONValue, _ field: String) throws {
        let error = #expect(throws: ModelError.self) { try Self.mapping(members) }
        #expect(error?.field == field)
    }

    @Test("A file without a column that the mapping needs is refused, as is one whose quotation mark never ends")
    func refusedFile() throws {
        let missing = #expect(throws: ModelError.self) { try Self.read("Datum;Bemerkung\n2024-03-01;x\n") }
        #expect(missing?.message.contains("no column Gewicht") == true)
        let open = #expect(throws: ModelError.self) { try Self.read("Datum;Gewicht;Bemerkung\n2024-03-01;80;\"x\n") }
        #expect(open?.field == "line 2")
        let behind = #expect(throws: ModelError.self) { try Self.read("Datum;Gewicht;Bemerkung\n\"a\"b;80;\n") }
        #expect(behind?.field == "line 2")
    }

    @Test("Another column of the same name, and another measurement with the same cells, do not take an entry's place")
    func reviewed() throws {
        func read(_ column: String) throws -> [UUID] {
            let mapping = try CSVMapping([
                "format": "healthjournal-csv/1", "date": ["columns": ["Date"]],
                "rows": [
                    ["kind": "measurement", "set": ["name": .string(column), "value": .string("{\(column)|number}")]]
                ],
            ])
            let text = "Date,\(column)\n2024-01-01,75\n"
            return try CSVDocument(Array(text.utf8), as: mapping, options: Self.options()).entries.map(\.id)
        }
        #expect(try read("Pulse") != read("Glucose") && read("Pulse") == read("Pulse"))
        let twice = #expect(throws: ModelError.self) {
            try Self.read("Datum;Gewicht;Gewicht;Bemerkung\n2024-01-01;75;165;\n")
        }
        #expect(twice?.message.contains("twice") == true)
    }

    @Test(
        "Nothing is cut off from what is more than one number",
        arguments: [
            ("104 mmHg", "104", "mmHg"), ("12 345 steps", "12 345", "steps"), ("1\u{202F}234,5", "1\u{202F}234,5", ""),
            ("9’830", "9’830", ""), ("7½", nil, ""), ("9·5", nil, ""), ("36.6 °C", "36.6", "°C"), ("97%", "97", "%"),
            ("120/80", nil, ""), ("5e3", nil, ""), ("7:30", nil, ""), ("120 80", "120 80", ""), ("mmHg", nil, ""),
        ] as [(String, String?, String)]
    )
    func divided(_ text: String, _ number: String?, _ unit: String) {
        let parts = CSVNumbers.divided(text)
        #expect(parts?.number == number)
        #expect((parts?.unit ?? "") == unit)
        #expect(CSVNumbers.point.canonical("120 80") == nil)
        #expect(
            CSVNumbers(decimal: UInt8(ascii: ","), thousands: UInt8(ascii: " ")).canonical("1\u{202F}234,5") == "1234.5"
        )
    }

    @Test(
        "The files of known devices are recognized by their columns",
        arguments: [
            (
                "withings-weight",
                "Date,\"Weight (kg)\",\"Fat mass (kg)\",\"Bone mass (kg)\",\"Muscle mass (kg)\",\"Hydration (kg)\",Comments\n"
                    + "\"2024-03-01 07:30:10\",80.5,20.1,3.1,55.2,,fine\n",
                3
            ),
            (
                "withings-pressure",
                "Date,\"Heart rate\",Systolic,Diastolic,Comments\n2024-03-01 07:30:10,61,120,80,\n", 2
            ),
            (
                "omron-connect",
                "Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Symptoms,Consumed,TruRead,Notes\n"
                    + "\"Jun 13, 2023\",08:41 am,120,80,61,-,-,-,-\n",
                2
            ),
            (
                "openscale",
                "\"bone\",\"comment\",\"dateTime\",\"fat\",\"muscle\",\"waist\",\"water\",\"weight\"\n"
                    + "12.85,\"\",\"2021-04-18 11:51\",20.3,40.5,0.0,53.0,77.35\n",
                2
            ),
            (
                "openscale-3",
                "DATE,TIME,WEIGHT,BODY_FAT\n2025-04-07,08:30:05,72.5,18.1\n2025-04-08,8:31:00 AM,72.4,18.0\n", 4
            ),
            (
                "omron-connect",
                "Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Notes\n\"Nov 5, 2025\",7:02\u{202F}AM,131,84,66,\n",
                2
            ),
            (
                "libreview-de-mmol",
                "\u{FEFF}Glukosewerte,Erstellt am,03-06-2025 10:15 UTC,Erstellt von\nGerät,Seriennummer,Gerätezeitstempel,"
                    + "Aufzeichnungstyp,Glukosewert-Verlauf mmol/L,Glukose-Scan mmol/L,Notizen\n"
                    + "Libre,0F1E,01-06-2025 08:03,0,\"5,6\",,\nLibre,0F1E,13-06-2025 08:20,1,,\"6,1\",\"Reis, viel\"\n",
                2
            ),
            (
                "samsung-weight",
                "com.samsung.health.weight,6113011,4\nstart_time,weight,time_offset,comment\n"
                    + "2017-09-24 06:28:38.459,77.4,UTC+0200,,\n", 1
            ),
            ("garmin-pressure", "Measured On,Systolic,Diastolic,Pulse,Notes\n2025-04-07 08:30,120,80,61,\n", 2),
        ]
    )
    func builtIn(_ name: String, _ text: String, _ count: Int) throws {
        #expect(CSVMapping.builtIn.count == 13)
        let mapping = try #require(CSVMapping.builtIn(for: CSVMapping.columnNames(Array(text.utf8))))
        #expect(mapping.source == name)
        let document = try CSVDocument(Array(text.utf8), as: mapping, options: Self.options())
        #expect(document.faultCount == 0, "\(document.listedFaults)")
        #expect(document.entries.count == count, "\(document.listedFaults)")
        #expect(try CSVMapping.builtIn(for: CSVMapping.columnNames(Array("a,b\n1,2\n".utf8))) == nil)
    }

    @Test(
        "The whole cell is a number with its unit, or it is a fault: nothing is cut off",
        arguments: [
            ("9’830", "9830"), ("10'250", "10250"), ("1\u{202F}080", nil), ("120⁄80", nil), ("1_080", nil),
            ("5.6×10³", nil),
            ("1h 30min", nil), ("11 st 4 lb", nil), ("5.2 x10^9/L", "5.2"), ("104 mmHg", "104"), ("7½", nil),
        ] as [(String, String?)]
    )
    func wholeCells(_ cell: String, _ expected: String?) throws {
        let mapping = try Self.mapping(
            text: """
                {"format": "healthjournal-csv/1", "delimiter": ";", "date": {"columns": ["Date"]},
                 "rows": [{"if": "Steps", "kind": "measurement", "set": {"name": "Steps", "value": "{Steps|number}", "unit": "1"}}]}
                """
        )
        let bytes = Array("Date;Steps\n2025-04-13;\(cell)\n".utf8)
        let document = try CSVDocument(bytes, as: mapping, options: Self.options())
        #expect(document.entries.first?.content.body.text(MeasuredValue.value) == expected)
        #expect((document.faultCount == 0) == (expected != nil))
    }

    @Test("A line that states the separator, and lines before the names of the columns, are no data")
    func headers() throws {
        let mapping = try Self.mapping(
            text: """
                {"format": "healthjournal-csv/1", "date": {"columns": ["Datum"]},
                 "rows": [{"if": "kg", "kind": "weight", "set": {"value": "{kg}", "unit": "kg"}}]}
                """
        )
        for text in ["sep=;\r\nDatum;kg\r\n13.04.2025;80,5\r\n", "Export\nfür;M\nDatum;kg\n13.04.2025;80,5\n"] {
            let document = try CSVDocument(Array(text.utf8), as: mapping, options: Self.options())
            #expect(document.entries.first?.content.body.decimal(Weight.value)?.description == "80.5")
            #expect(document.entries.count == 1)
            let remembered = try CSVMapping(JSONReader.read(Array(try #require(document.mapping).utf8)))
            #expect(try remembered.fitsExactly(CSVMapping.columnNames(Array(text.utf8))))
        }
    }

    @Test("A blood pressure in one cell becomes two parts, also if a person chooses its column")
    func pressureInOneCell() throws {
        let plain = try CSVColumns(Array("Tag;Blutdruck\n2025-04-13;120/80 mmHg\n2025-04-14;131 / 84\n".utf8))
        #expect(plain.columns.map(\.guess) == [.nothing, .pressure])
        let mapping = try CSVMapping(plain.mapping([.date, .pressure], weightUnit: ""))
        let text = "Tag;Blutdruck\n2025-04-13;120/80 mmHg\n2025-04-14;131 / 84\n2025-04-15;120\n"
        let document = try CSVDocument(Array(text.utf8), as: mapping, options: Self.options())
        let parts = document.entries.map { $0.content.body.groups(MeasuredValue.parts) }
        #expect(parts.map { $0.map { $0.text(MeasuredValue.partValue) } } == [["120", "80"], ["131", "84"]])
        #expect(document.listedFaults.map(\.field) == ["line 4, column Blutdruck"])
    }

    @Test(
        "Dates are read by their pattern, and by nothing else",
        arguments: [
            ("dd.MM.yyyy", "1.2.2024", "2024-02-01"), ("dd.MM.yyyy", "01.02.24", nil),
            ("d.M.yy", "1.2.24", "2024-02-01"),
            ("yyyyMMdd", "20240201", "2024-02-01"), ("yyyyMMdd", "2024021", nil), ("dd.MM.yyyy", "30.02.2024", nil),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-02-01T08:00:00+02:00", "2024-02-01T06:00:00Z"),
            ("yyyy-MM-dd HH:mm:ssXXX", "2024-02-01 08:00:00Z", "2024-02-01T08:00:00Z"),
            ("MM/dd/yyyy h:mm a", "02/01/2024 12:05 AM", "2024-01-31T23:05:00Z"),
            ("MM/dd/yyyy h:mm a", "02/01/2024 13:05 PM", nil), ("d MMM yyyy", "1 feb 2024", "2024-02-01"),
            ("d MMM yyyy", "1 Fév 2024", "2024-02-01"), ("d. MMM yyyy", "3. März 2024", "2024-03-03"),
            ("d MMM yyyy", "14 juil. 2024", "2024-07-14"), ("d MMM yyyy", "1 Foo 2024", nil),
            ("yyyy-MM-ddTHH:mm:ssXXX", "2025-03-29T06:30:15.123+01:00", "2025-03-29T05:30:15.123Z"),
            ("epoch milliseconds", "1743660000123", "2025-04-03T06:00:00.123Z"),
            ("epoch seconds", "1743660000", "2025-04-03T06:00:00Z"), ("epoch seconds", "1743660000123", nil),
            ("dd.MM.yyyy HH:mm", "01.02.2024 24:00", nil),
        ]
    )
    func patterns(_ pattern: String, _ text: String, _ expected: String?) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
        #expect(try CSVDatePattern(pattern).date(text, in: zone)?.description == expected)
    }

    @Test(
        "A number has groups of three digits or none",
        arguments: [
            ("1.500", CSVNumbers.comma, "1500"), ("1.50", .comma, nil), ("1.5", .comma, nil), ("1,5", .comma, "1.5"),
            ("1,500.25", .point, "1500.25"), ("-1.5", .point, "-1.5"), ("+2", .point, "2"), ("1e3", .point, nil),
            ("1.", .point, nil), (".5", .point, nil), ("\u{A0}7\u{A0}", .point, "7"), ("−3,5", .comma, "-3.5"),
        ] as [(String, CSVNumbers, String?)]
    )
    func numbers(_ text: String, _ numbers: CSVNumbers, _ expected: String?) {
        #expect(numbers.canonical(text) == expected)
    }

    @Test(
        "An exported table, also one for spreadsheets, changes nothing, and each changed cell changes its field alone"
    )
    func ownTable() throws {
        var generator = SeededGenerator()
        var entries: [EntryState] = []
        for _ in 0..<20 { entries += RandomRecord.state(&generator).entries }
        let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
        for isForSpreadsheets in [false, true] {
            let table = CSVTable(kinds: Kind.all, isForSpreadsheets: isForSpreadsheets)
            let text = table.header + entries.map(table.row).joined()
            #expect(CSVTable.isTable(Array(text.utf8)))
            let document = try CSVTable.read(Array(text.utf8), known: known, options: Self.options())
            #expect(document.faultCount == 0, "\(document.listedFaults)")
            #expect(document.entries.count == entries.count)
            for entry in document.entries { #expect(entry.content == known[entry.id]?.content && entry.seen == 3) }
        }
    }

    @Test("A changed cell changes its field alone, an empty one takes the value away, and a line without an id is new")
    func editedTable() throws {
        let stamp = Stamp(position: 7, recordedAt: try Instant(parsing: "2026-10-01T00:00:00Z"), actor: Self.record)
        var content = EntryContent(kind: Weight.kind)
        content.date = .day(try Day(parsing: "2024-02-16"))
        content.body[Weight.value] = .decimal(try ExactDecimal(parsing: "75.50"))
        content.body[Weight.unit] = .text("kg")
        content.comment = "=2+1"
        content.extra = [Extra(name: "mood", json: "1")]
        let entry = EntryState(id: UUID(), record: Self.record, content: content, added: stamp)
        let table = CSVTable(kinds: [Weight.kind], isForSpreadsheets: true)
        let text = table.header + table.row(entry)
        func read(_ text: String) throws -> CSVDocument {
            try CSVTable.read(Array(text.utf8), known: [entry.id: entry], options: Self.options())
        }
        var changed = content
        changed.body[Weight.value] = .decimal(try ExactDecimal(parsing: "76"))
        #expect(try read(text.replacing("75.50", with: "76")).entries.map(\.content) == [changed])
        var emptied = content
        emptied.comment = ""
        #expect(try read(text.replacing("'=2+1", with: "")).entries.map(\.content) == [emptied])
        let added = try read(text + "weight,,2024-02-17,74,kg,'=new,,\r\n")
        #expect(added.entries.count == 2 && added.entries[1].seen == nil && added.entries[1].content.comment == "=new")
        for cut in ["75,50", "7\r\n"] {
            #expect(try read(text.replacing("75.50", with: cut)).listedFaults.first?.field == "line 2")
        }
        let wrong = try read(text.replacing("75.50", with: "heavy"))
        #expect(wrong.listedFaults.map(\.field) == ["line 2, column value"])
        #expect(try read(text.replacing("weight,", with: "doctor,")).faultCount == 1)
    }
}
