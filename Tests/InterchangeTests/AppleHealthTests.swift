import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Exports of Apple Health")
struct AppleHealthTests {
    private static let namespace = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x78, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    /// A document type as iOS 12 and later write it, which no parser accepts.
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
          device CDATA #IMPLIED
        ]>
        <HealthData locale="en_CH">
         <ExportDate value="2026-03-01 10:00:00 +0100"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1984-05-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>

        """

    static func record(
        _ type: String,
        _ value: String,
        _ unit: String,
        _ start: String,
        end: String? = nil,
        source: String = "Watch",
        inside: String? = nil
    ) -> String {
        let kind = type == "SleepAnalysis" ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier"
        let attributes =
            #" <Record type="\#(kind)\#(type)" sourceName="\#(source)" device="&lt;&lt;HKDevice: 0x2834&gt;&gt;" unit="\#(unit)" "#
            + #"creationDate="\#(start)" startDate="\#(start)" endDate="\#(end ?? start)" value="\#(value)""#
        return inside.map { "\(attributes)>\n\($0) </Record>\n" } ?? attributes + "/>\n"
    }

    private static func read(_ text: String, folder: TemporaryFolder) throws -> AppleHealthExport {
        let path = folder.path + "/export.xml"
        try FileBytes.write(Array(text.utf8), to: path)
        return try AppleHealthExport(path) { TimeZone(identifier: $0) }
    }

    private static func contents(_ export: AppleHealthExport) async throws -> [EntryContent] {
        var found: [EntryContent] = []
        try await export.forEachPart(2, namespace, now: try Instant(parsing: "2026-11-01T00:00:00Z")) { part in
            #expect(part.count <= 2)
            found += part.map(\.content)
        }
        return found
    }

    private static func entries(_ export: AppleHealthExport) async throws -> [String] {
        try await contents(export).map { "\($0.kind.name) " + JSONWriter.text(.object(NativeDocument.members(of: $0))) }
    }

    @Test("The report names at most a thousand types, and counts the records of the others")
    func manyTypes() throws {
        let folder = try TemporaryFolder()
        let records = (0..<1_200).map { Self.record("Invented\($0)", "1", "count", "2026-03-01 08:00:00 +0100") }
        let report = try Self.read(Self.head + records.joined() + "</HealthData>", folder: folder).report
        #expect(report.notTaken.count == 1_001)
        #expect(report.notTaken["other types"] == 200)
    }

    @Test("Single values become entries, with their digits, units, devices and zones, and what was written is kept")
    func singles() async throws {
        let folder = try TemporaryFolder()
        let zone = #"  <MetadataEntry key="HKTimeZone" value="Europe/Zurich"/>"# + "\n"
        let text =
            Self.head
            + Self.record(
                "BodyMass",
                "72.50",
                "kg",
                "2026-02-01 07:00:00 +0100",
                source: "Scale & Co".xml,
                inside: zone
            )
            + Self.record("BodyMass", "11.5", "st", "2026-02-02 07:00:00 +0100")
            + Self.record("OxygenSaturation", "0.97", "%", "2026-02-01 08:00:00 -0500")
            + Self.record("BloodPressureSystolic", "120", "mmHg", "2026-02-01 09:00:00 +0100")
            + Self.record("BloodPressureDiastolic", "80", "mmHg", "2026-02-01 09:00:00 +0100")
            + Self.record("BloodPressureDiastolic", "70", "mmHg", "2026-02-01 10:00:00 +0100") + "</HealthData>\n"
        let export = try Self.read(text, folder: folder)
        let found = try await Self.entries(export)
        #expect(
            found == [
                #"weight {"date":"2026-02-01T06:00:00Z","value":"72.50","unit":"kg","extra":{"$apple.zone":"Europe/Zurich"}}"#,
                #"weight {"date":"2026-02-02T06:00:00Z","value":"161","unit":"lb","extra":{"$apple.value":"11.5 st"}}"#,
                #"measurement {"date":"2026-02-01T08:00:00Z","name":"Blood pressure","parts":[{"name":"Systolic","value":"120","unit":"mmHg"},{"name":"Diastolic","value":"80","unit":"mmHg"}],"device":"Watch"}"#,
                #"measurement {"date":"2026-02-01T09:00:00Z","name":"Blood pressure","parts":[{"name":"Diastolic","value":"70","unit":"mmHg"}],"device":"Watch"}"#,
                #"measurement {"date":"2026-02-01T13:00:00Z","name":"Oxygen saturation","value":"97","unit":"%","device":"Watch","extra":{"$apple.value":"0.97"}}"#,
            ]
        )
        #expect(export.profile.values[RecordProfile.birthdate] == .day(try Day(parsing: "1984-05-01")))
        #expect(export.profile.values[RecordProfile.sex] == .text("female"))
    }

    @Test(
        "Values that the document repeats within correlations count once, however many a day has",
        arguments: [24, 25, 60]
    )
    func correlated(_ count: Int) async throws {
        let folder = try TemporaryFolder()
        var (records, correlations) = ("", "")
        for minute in 0..<count {
            let time = "2026-02-01 08:\(minute < 10 ? "0" : "")\(minute):00 +0100"
            let pair =
                Self.record("BloodPressureSystolic", "\(100 + minute)", "mmHg", time)
                + Self.record("BloodPressureDiastolic", "\(60 + minute)", "mmHg", time)
            let meal = Self.record("DietaryEnergyConsumed", "10", "kcal", time)
            records += pair + meal
            for inside in [pair, meal] {
                let type = "HKCorrelationTypeIdentifier" + (inside == pair ? "BloodPressure" : "Food")
                correlations +=
                    #" <Correlation type="\#(type)" sourceName="Watch" startDate="\#(time)" endDate="\#(time)">"#
                    + inside
                    + "</Correlation>\n"
            }
        }
        // Another day lies between the records and their copies.
        records += Self.record("BloodPressureSystolic", "120", "mmHg", "2026-02-02 08:00:00 +0100")
        records += Self.record("DietaryEnergyConsumed", "7", "kcal", "2026-02-02 08:00:00 +0100")
        let path = folder.path + "/export.xml"
        try FileBytes.write(Array((Self.head + records + correlations + "</HealthData>\n").utf8), to: path)
        let export = try AppleHealthExport(path, types: ["DietaryEnergyConsumed"]) { TimeZone(identifier: $0) }
        let day = OccurredDate.day(try Day(parsing: "2026-02-01"))
        let found = try await Self.contents(export)
        let pressures = found.filter { content in
            content.body.text(MeasuredValue.name) == (count > 24 ? "Systolic" : "Blood pressure")
        }
        if count > 24 {
            let summary = try #require(pressures.first { $0.date == day })
            #expect(summary.body.integer(MeasuredValue.count) == Int64(count))
        } else {
            #expect(pressures.count == count + 1)
        }
        let meals = found.filter { $0.date == day && $0.body.text(MeasuredValue.unit) == "kcal" }
        #expect(meals.map { $0.body.text(MeasuredValue.value) } == ["\(count * 10)"])
    }

    @Test("What a watch records becomes one summary for each day and device, and sums are not added over devices")
    func summaries() async throws {
        let folder = try TemporaryFolder()
        var text = Self.head
        for (source, steps) in [("Watch", 100), ("Phone", 90)] {
            for hour in 8..<11 {
                text += Self.record(
                    "StepCount",
                    "\(steps)",
                    "count",
                    "2026-02-01 \(hour < 10 ? "0" : "")\(hour):00:00 +0100",
                    source: source
                )
            }
        }
        text += Self.record("HeartRate", "60", "count/min", "2026-02-01 23:59:00 -0500")
        text += Self.record("HeartRate", "71", "count/min", "2026-02-01 08:00:00 -0500")
        text += Self.record("HeartRate", "71", "count/min", "2026-02-01 08:00:00 -0500")
        text += Self.record(
            "SleepAnalysis",
            "HKCategoryValueSleepAnalysisAsleepCore",
            "",
            "2026-02-01 23:00:00 +0100",
            end: "2026-02-02 05:30:00 +0100"
        )
        text += Self.record(
            "SleepAnalysis",
            "HKCategoryValueSleepAnalysisAwake",
            "",
            "2026-02-02 05:30:00 +0100",
            end: "2026-02-02 05:40:00 +0100"
        )
        for minute in 10..<40 {
            text += Self.record("BloodGlucose", "\(minute)", "mg/dL", "2026-02-03 08:\(minute):00 +0100")
        }
        let export = try Self.read(text + "</HealthData>", folder: folder)
        let found = try await Self.entries(export)
        #expect(
            found == [
                #"measurement {"date":"2026-02-03","name":"Blood glucose","value":"24.5","unit":"mg/dL","minimum":"10","maximum":"39","count":30,"device":"Watch"}"#,
                #"measurement {"date":"2026-02-01","name":"Heart rate","value":"65.5","unit":"count/min","minimum":"60","maximum":"71","count":2,"device":"Watch"}"#,
                #"measurement {"date":"2026-02-01","name":"Steps","value":"300","unit":"count","count":3,"device":"Watch"}"#,
                #"measurement {"date":"2026-02-01","name":"Steps","value":"270","unit":"count","count":3,"device":"Phone"}"#,
                #"measurement {"date":"2026-02-02","name":"Sleep","value":"390","unit":"min","device":"Watch"}"#,
            ]
        )
        #expect(export.report.repeated == 1)
        #expect(export.report.summaries == 5)
        #expect(export.report.notTaken == ["SleepAnalysis": 1])
    }

    @Test("A night is one night on the day on which it ends, and time that two segments cover counts once")
    func nights() async throws {
        let folder = try TemporaryFolder()
        func asleep(_ stage: String, _ start: String, _ end: String) -> String {
            Self.record("SleepAnalysis", "HKCategoryValueSleepAnalysis" + stage, "", start, end: end)
        }
        let text =
            asleep("AsleepCore", "2025-05-01 22:30:00 +0200", "2025-05-01 23:45:00 +0200")
            + asleep("AsleepDeep", "2025-05-01 23:45:00 +0200", "2025-05-02 00:30:00 +0200")
            + asleep("AsleepREM", "2025-05-02 00:30:00 +0200", "2025-05-02 06:30:00 +0200")
            + asleep("Asleep", "2025-05-01 22:30:00 +0200", "2025-05-02 06:00:00 +0200")
            + asleep("AsleepCore", "2025-05-02 14:00:00 +0200", "2025-05-02 14:20:00 +0200")
            + asleep("InBed", "2025-05-01 22:20:00 +0200", "2025-05-02 06:40:00 +0200")
        let export = try Self.read(Self.head + text + "</HealthData>", folder: folder)
        #expect(
            try await Self.entries(export) == [
                #"measurement {"date":"2025-05-02","name":"Sleep","value":"500","unit":"min","device":"Watch"}"#,
                #"measurement {"date":"2025-05-02","name":"Time in bed","value":"500","unit":"min","device":"Watch"}"#,
            ]
        )
    }

    @Test("A workout keeps its distance, energy and heart rate, of old and new exports; glucose has its unit")
    func workouts() async throws {
        let folder = try TemporaryFolder()
        let times = #"startDate="2021-05-01 07:00:00 +0200" endDate="2021-05-01 07:30:00 +0200""#
        let text = """
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" totalDistance="5.2" \
            totalDistanceUnit="km" totalEnergyBurned="330" totalEnergyBurnedUnit="kcal" sourceName="Uhr" \(times)/>
            <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="30" durationUnit="min" sourceName="Uhr" \(times)>
            <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="150" minimum="90" maximum="176" \
            unit="count/min"/>
            <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceCycling" sum="15.1" unit="km"/>
            <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="320" unit="kcal"/>
            </Workout>
            """
        let glucose = Self.record("BloodGlucose", "6.1", "mmol&lt;180.1558800000541&gt;/L", "2025-05-01 07:31:00 +0200")
        let export = try Self.read(Self.head + glucose + text + "</HealthData>", folder: folder)
        let found = try await Self.entries(export)
        #expect(found.count == 3)
        #expect(found[0].contains(#""value":"6.1","unit":"mmol/L""#), "\(found[0])")
        let parts = [
            #"{"name":"Active energy","value":"330","unit":"kcal"},{"name":"Distance","value":"5.2","unit":"km"}"#,
            #"{"name":"Heart rate","value":"150","unit":"count/min"},{"name":"Lowest heart rate","value":"90","#,
            #"{"name":"Distance","value":"15.1","unit":"km"},{"name":"Active energy","value":"320","unit":"kcal"}"#,
        ]
        #expect(found[1].contains(parts[0]), "\(found[1])")
        #expect(found[2].contains(parts[1]), "\(found[2])")
        #expect(found[2].contains(parts[2]), "\(found[2])")
    }

    @Test("Damaged lines are skipped and named, characters that XML forbids are replaced, and the rest is read")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let good = { (day: Int) in Self.record("BodyMass", "7\(day)", "kg", "2026-02-0\(day) 07:00:00 +0100") }
        let text =
            Self.head + good(1) + " <Record type=\"HKQuantityTypeIdentifierBodyMass\" source Name=\"x\" value=\"1\"/>\n"
            + good(2)
            + Self.record(
                "BodyMass",
                "73",
                "kg",
                "2026-02-03 07:00:00 +0100",
                source: "a\u{0B}b",
                inside: "  <MetadataEntry key=\"a\" value=\"b\"/>\n"
            )
            + " <Record type=\"HKQuantityTypeIdentifierBodyMass\" value=\"1\">\n  <Broken\n </Record>\n" + good(4)
            + Self.record("BodyMass", "heavy", "kg", "2026-02-05 07:00:00 +0100")
            + Self.record("BodyMass", "75", "kg", "2026-02-31 07:00:00 +0100") + "</HealthData>\n"
        let export = try Self.read(text, folder: folder)
        #expect(try await Self.entries(export).count == 4)
        #expect(export.report.replacedCharacters == 1)
        #expect(export.report.invalid >= 2)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let broken = try #require(lines.firstIndex { $0.contains("source Name") }) + 1
        #expect(export.report.skippedLines.first == broken)
        let many = String(repeating: " <Record a b/>\n", count: 1_001)
        #expect(throws: ModelError.self) { try Self.read(Self.head + many + "</HealthData>", folder: folder) }
    }

    @Test("The same file gives the same ids, and a longer export corrects the summary of its last day")
    func identity() async throws {
        let folder = try TemporaryFolder()
        func ids(_ text: String) async throws -> [UUID] {
            var ids: [UUID] = []
            try await Self.read(text, folder: folder)
                .forEachPart(10, Self.namespace, now: try Instant(parsing: "2026-11-01T00:00:00Z")) {
                    ids += $0.map(\.id)
                }
            return ids
        }
        let first =
            Self.head + Self.record("StepCount", "5", "count", "2026-02-01 08:00:00 +0100")
            + Self.record("BodyMass", "72", "kg", "2026-02-01 07:00:00 +0100")
        let more = Self.record("StepCount", "7", "count", "2026-02-01 09:00:00 +0100")
        #expect(try await ids(first + "</HealthData>") == ids(first + more + "</HealthData>"))
    }

    @Test(
        "Units are not added to each other, readings of one time stay pairs, and repetitions between others are noticed"
    )
    func review() async throws {
        let folder = try TemporaryFolder()
        let nine = "2026-02-01 09:00:00 +0100"
        var text = Self.head + Self.record("DistanceWalkingRunning", "1000", "m", nine)
        text += Self.record("DistanceWalkingRunning", "2", "km", "2026-02-01 10:00:00 +0100")
        for value in ["120", "140"] { text += Self.record("BloodPressureSystolic", value, "mmHg", nine) }
        for value in ["80", "90"] { text += Self.record("BloodPressureDiastolic", value, "mmHg", nine) }
        for (value, time) in [("100", "09:00"), ("101", "09:30"), ("100", "09:00"), ("0x10", "09:40")] {
            text += Self.record("StepCount", value, "count", "2026-02-01 \(time):00 +0100")
        }
        let earlier = "2026-02-01 08:00:00 +0100"
        text += Self.record("SleepAnalysis", "HKCategoryValueSleepAnalysisAsleep", "", nine, end: earlier)
        text += "</HealthData>\n"
        let export = try Self.read(text, folder: folder)
        let found = try await Self.entries(export).joined(separator: "\n")
        for part in [
            #""value":"1000","unit":"m""#, #""value":"2","unit":"km""#, #""value":"201","unit":"count","count":2"#,
            #""value":"120","unit":"mmHg"},{"name":"Diastolic","value":"80""#,
            #""value":"140","unit":"mmHg"},{"name":"Diastolic","value":"90""#,
        ] { #expect(found.contains(part), "\(part) in \(found)") }
        #expect(export.report.invalid == 2)
        #expect(export.report.repeated == 1)
    }

    @Test("Elements that are nested without end, or never end, are refused at once, as is a document that is cut")
    func hostile() throws {
        let folder = try TemporaryFolder()
        let deep = "<HealthData>" + String(repeating: "<a>", count: 100_000)
        let long = "<HealthData><Record type=\"" + String(repeating: "x", count: 12 << 20)
        let cut = Self.head + "<HealthData/>\n" + Self.record("BodyMass", "72", "kg", "2026-02-01 07:00:00 +0100")
        for text in [deep, long, cut] { #expect(throws: ModelError.self) { try Self.read(text, folder: folder) } }
    }

    @Test(
        "A file that is no export is refused",
        arguments: ["", "<HealthData", "<ClinicalDocument/>", "{}", "PK\u{3}\u{4}"]
    )
    func refused(_ text: String) throws {
        let folder = try TemporaryFolder()
        #expect(throws: ModelError.self) { try Self.read(text, folder: folder) }
    }

    @Test("Types that are asked for are taken by the day, added up or as a mean, or as single values")
    func asked() async throws {
        let folder = try TemporaryFolder()
        func day(_ type: String, _ values: Int) -> [String] {
            (0..<values)
                .map { index in
                    let time = "2026-02-01 07:\(index < 10 ? "0" : "")\(index):00 +0100"
                    return Self.record(type, "\(index + 1)", "u", time)
                }
        }
        let records = day("VO2Max", 1) + day("WalkingSpeed", 30) + day("DietaryWater", 3) + day("HeartRate", 30)
        let path = folder.path + "/export.xml"
        try FileBytes.write(Array((Self.head + records.joined() + "</HealthData>\n").utf8), to: path)
        func read(_ types: [String], raw: [String] = []) async throws -> [String: [String]] {
            let export = try AppleHealthExport(path, types: types, raw: raw) { TimeZone(identifier: $0) }
            let found = try await Self.contents(export)
                .map { content in
                    (content.body.text(MeasuredValue.name) ?? "", content.body.text(MeasuredValue.value) ?? "")
                }
            return Dictionary(grouping: found, by: \.0).mapValues { $0.map(\.1) }
        }
        #expect(try await read([]) == ["Heart rate": ["15.5"]])
        let more = try await read(["VO2Max", "HKQuantityTypeIdentifierWalkingSpeed", "DietaryWater"])
        #expect(
            more == [
                "Heart rate": ["15.5"], "VO2 max": ["1"], "Walking speed": ["15.5"], "Dietary water": ["6"],
            ]
        )
        let raw = try await read([], raw: ["HeartRate", "DietaryWater"])
        #expect(raw["Heart rate"]?.count == 30)
        #expect(raw["Dietary water"] == ["1", "2", "3"])
        for types in [["VO2max"], ["a b"], [String(repeating: "x", count: 200)]] {
            await #expect(throws: ModelError.self) { try await read(types) }
        }
        await #expect(throws: ModelError.self) { try await read([], raw: ["BodyMass"]) }
    }

    @Test("An archive is read as its document is, whatever it is called, and a damaged one is refused")
    func archives() async throws {
        let folder = try TemporaryFolder()
        let records = (1...9).map { Self.record("BodyMass", "7\($0)", "kg", "2026-02-0\($0) 07:00:00 +0100") }
        let text = Self.head + records.joined() + "</HealthData>\n"
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED if sys.argv[2] == "8" else zipfile.ZIP_STORED) as z:
                z.writestr("apple_health_export/export_cda.xml", "<ClinicalDocument>" + "x" * 100000 + "</ClinicalDocument>")
                z.writestr("apple_health_export/Экспорт.xml", sys.stdin.buffer.read())
                z.writestr("apple_health_export/workout-routes/a.gpx", "x")
            """
        let path = folder.path + "/export.zip"
        for method in ["8", "0"] {
            try FileManager.default.removeItem(atPathIfExists: path)
            let made = try Outcome(of: "/usr/bin/python3", ["-c", script, path, method], input: Array(text.utf8))
            #expect(made.status == 0, "\(made.message)")
            let export = try AppleHealthExport(path) { TimeZone(identifier: $0) }
            #expect(try await Self.entries(export).count == 9)
            #expect(export.digest == (try Self.read(text, folder: folder).digest))
        }
        let deflated = try Outcome(of: "/usr/bin/python3", ["-c", script, path + "2", "8"], input: Array(text.utf8))
        #expect(deflated.status == 0)
        let bytes = try FileBytes.read(path + "2")
        for end in stride(from: 0, to: bytes.count, by: 37) {
            try FileBytes.write(Array(bytes[..<end]), to: path)
            #expect(throws: ModelError.self) { try AppleHealthExport(path) { TimeZone(identifier: $0) } }
        }
    }
}

extension String {
    fileprivate var xml: String { replacing("&", with: "&amp;") }
}

extension FileManager {
    fileprivate func removeItem(atPathIfExists path: String) throws {
        if fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
