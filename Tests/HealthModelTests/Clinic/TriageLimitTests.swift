import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The limits of `hj-triage/1`, against a table of their own that is written out here.
@Suite("Triage limits")
struct TriageLimitTests {
    /// The limits of a group of patients; nil where there is none.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var patient: PatientFacts
        /// In beats a minute: orange beyond the first two, red beyond the last two.
        var heart: (Int?, Int?, Int?, Int?)
        /// In breaths a minute.
        var breathing: (Int?, Int?, Int?, Int?)
        /// In tenths of a degree.
        var temperature: (Int?, Int?, Int?, Int?)
    }

    private static func row(
        _ name: String,
        _ patient: PatientFacts,
        heart: (Int?, Int?, Int?, Int?),
        breathing: (Int?, Int?),
        temperature: (Int?, Int?, Int?, Int?)
    ) -> Row {
        Row(
            testDescription: name,
            patient: patient,
            heart: heart,
            breathing: (breathing.0, breathing.1, nil, nil),
            temperature: temperature
        )
    }

    static let rows: [Row] = [
        row(
            "large dog",
            .example(.dog, kilograms: 15),
            heart: (50, 180, 40, 240),
            breathing: (8, 60),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "dog that was not weighed",
            .example(.dog),
            heart: (50, 180, 40, 240),
            breathing: (8, 60),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "small dog",
            .example(.dog, kilograms: 14),
            heart: (60, 180, 40, 240),
            breathing: (8, 60),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "dog of unknown age",
            .example(.dog, days: nil, kilograms: 9),
            heart: (60, 180, 40, 240),
            breathing: (8, 60),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "puppy",
            .example(.dog, days: 100, kilograms: 20),
            heart: (60, 240, 40, 270),
            breathing: (8, 135),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "cat",
            .example(.cat),
            heart: (120, 220, 90, 260),
            breathing: (12, 135),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "kitten",
            .example(.cat, days: 100),
            heart: (60, 240, 40, 270),
            breathing: (8, 135),
            temperature: (365, 405, 340, 415)
        ),
        row(
            "rabbit",
            .example(.rabbit),
            heart: (120, 330, nil, nil),
            breathing: (20, 120),
            temperature: (366, 410, nil, nil)
        ),
        row(
            "guinea pig",
            .example(.guineaPig),
            heart: (120, 350, nil, nil),
            breathing: (30, 180),
            temperature: (366, 410, nil, nil)
        ),
        row(
            "ferret",
            .example(.ferret),
            heart: (150, 420, nil, nil),
            breathing: (16, 80),
            temperature: (366, 410, nil, nil)
        ),
        row(
            "horse",
            .example(.horse),
            heart: (20, 60, nil, 80),
            breathing: (6, 30),
            temperature: (365, 400, nil, nil)
        ),
        row(
            "bird",
            .example(.bird),
            heart: (nil, nil, nil, nil),
            breathing: (nil, nil),
            temperature: (nil, nil, nil, nil)
        ),
        row(
            "no species",
            .example(nil),
            heart: (nil, nil, nil, nil),
            breathing: (nil, nil),
            temperature: (nil, nil, nil, nil)
        ),
    ]

    /// The level of a value by the table: a limit itself is within.
    private static func level(_ value: Int, _ limits: (Int?, Int?, Int?, Int?)) -> Int {
        if value < limits.2 ?? .min || value > limits.3 ?? .max { return 1 }
        if value < limits.0 ?? .min || value > limits.1 ?? .max { return 2 }
        return 4
    }

    /// One step below each limit, on it and one above, and a value where there is no limit.
    private static func values(_ limits: (Int?, Int?, Int?, Int?), else other: Int) -> [Int] {
        [limits.0, limits.1, limits.2, limits.3].flatMap { limit in limit.map { [$0 - 1, $0, $0 + 1] } ?? [other] }
    }

    private static func assess(_ patient: PatientFacts, _ edit: (inout VitalSigns) -> Void) -> TriageResult {
        TriageRules.version1.assess(TriageInput(abcde: .all(.normal), vitals: VitalSigns(edit), patient: patient))
    }

    @Test("One step below, on and above each limit, the level is that of the table", arguments: rows)
    func limits(row: Row) {
        for value in Self.values(row.heart, else: 500) {
            let result = Self.assess(row.patient) { $0.heartRate = value }
            #expect(result.level.rawValue == Self.level(value, row.heart), "heart \(value)")
        }
        for value in Self.values(row.breathing, else: 50) {
            let result = Self.assess(row.patient) { $0.respiratoryRate = value }
            #expect(result.level.rawValue == Self.level(value, row.breathing), "breathing \(value)")
        }
        for value in Self.values(row.temperature, else: 450) {
            let result = Self.assess(row.patient) { $0.temperature = .tenths(value) }
            #expect(result.level.rawValue == Self.level(value, row.temperature), "temperature \(value)")
        }
    }

    @Test("A reason names the input, its value and the limit that it is beyond")
    func reasons() {
        let dog = PatientFacts.example(.dog, kilograms: 30)
        #expect(
            Self.assess(dog) { $0.heartRate = 45 }.reasons
                == [TriageReason(.speciesLimit, .heartRate, value: "45", limit: "< 50", level: .orange)]
        )
        #expect(
            Self.assess(dog) { $0.temperature = .tenths(416) }.reasons
                == [TriageReason(.speciesLimit, .temperature, value: "41.6", limit: "> 41.5", level: .red)]
        )
        #expect(
            Self.assess(dog) { $0.bloodPressure = BloodPressure(systolic: 180) }.reasons
                == [
                    TriageReason(.threshold, .systolicPressure, value: "180", limit: ">= 180", level: .yellow)
                ]
        )
    }

    @Test("Another step than the last decimal place is beyond a limit as well")
    func smallSteps() throws {
        let cat = PatientFacts.example(.cat)
        for (text, level) in [("40.5", 4), ("40.50", 4), ("40.501", 2), ("36.499", 2), ("41.5", 2), ("41.51", 1)] {
            let temperature = try ExactDecimal(parsing: text)
            #expect(Self.assess(cat) { $0.temperature = temperature }.level.rawValue == level, "\(text)")
        }
        for (text, level) in [("3.0", 3), ("3.01", 2), ("2.0", 4), ("2.01", 3), ("1.0", 4), ("0.99", 3), ("0", 3)] {
            let refill = try ExactDecimal(parsing: text)
            #expect(Self.assess(cat) { $0.capillaryRefill = refill }.level.rawValue == level, "\(text)")
        }
    }

    @Test(
        "The thresholds of all species are those of the table",
        arguments: [SpeciesCode.dog, .cat, .horse, .bird, .other, nil]
    )
    func thresholds(species: SpeciesCode?) {
        func level(_ edit: (inout VitalSigns) -> Void) -> Int {
            Self.assess(.example(species), edit).level.rawValue
        }
        for (value, expected) in [(88, 2), (89, 2), (90, 3), (91, 3), (94, 3), (95, 4), (96, 4), (100, 4), (1, 2)] {
            #expect(level { $0.oxygenSaturation = value } == expected, "saturation \(value)")
        }
        for (value, expected) in [
            (1, 1), (59, 1), (60, 2), (61, 2), (89, 2), (90, 4), (91, 4), (179, 4), (180, 3), (181, 3), (400, 3),
        ] {
            #expect(level { $0.bloodPressure = BloodPressure(systolic: value) } == expected, "systolic \(value)")
        }
        #expect(level { $0.bloodPressure = BloodPressure(diastolic: 20, mean: 30) } == 4)
        for (value, expected) in [(9, 3), (10, 4), (11, 4), (19, 4), (20, 4), (21, 3), (29, 3), (30, 3), (31, 2)] {
            #expect(level { $0.capillaryRefill = .tenths(value) } == expected, "refill \(value)")
        }
        for (value, expected) in [(0, 4), (1, 4), (2, 4), (3, 3), (4, 2)] {
            #expect(level { $0.pain = value } == expected, "pain \(value)")
        }
        let consciousness: [(VitalSigns.Consciousness, Int)] = [
            (.alert, 4), (.voice, 3), (.pain, 2), (.unresponsive, 1),
        ]
        for (value, expected) in consciousness { #expect(level { $0.consciousness = value } == expected) }
        let membranes: [(VitalSigns.MucousMembrane, Int)] = [
            (.pink, 4), (.pale, 2), (.blue, 1), (.yellow, 3), (.brickRed, 2),
        ]
        for (value, expected) in membranes { #expect(level { $0.mucousMembrane = value } == expected) }
    }

    @Test("A panting dog at 100 breaths and a calm cat at 100 breaths are not orange; a dog that does not pant is")
    func panting() {
        func level(_ species: SpeciesCode, _ rate: Int, _ isPanting: Bool?, days: Int = 1_500) -> Int {
            Self.assess(.example(species, days: days)) { ($0.respiratoryRate, $0.isPanting) = (rate, isPanting) }
                .level.rawValue
        }
        #expect(level(.dog, 100, true) == 4)
        #expect(level(.dog, 400, true) == 4)
        #expect(level(.dog, 100, false) == 2)
        #expect(level(.dog, 100, nil) == 2)
        #expect(level(.dog, 7, true) == 2)
        #expect(level(.dog, 200, true, days: 90) == 4)
        #expect(level(.dog, 200, false, days: 90) == 2)
        #expect(level(.cat, 100, nil) == 4)
        #expect(level(.cat, 100, true) == 4)
        #expect(level(.cat, 136, true) == 2)
        #expect(level(.horse, 31, true) == 2)
    }

    @Test("The limits of the young end on the day on which six months are complete, those of the small at 15 kg")
    func groups() throws {
        func level(bornOn birth: String, heart: Int) throws -> Int {
            let (birth, day) = (try Day(parsing: birth), try Day(parsing: "2026-08-31"))
            let facts = PatientFacts(asOf: day, species: .cat, age: PatientAge(bornOn: birth, at: day))
            return Self.assess(facts) { $0.heartRate = heart }.level.rawValue
        }
        #expect(try level(bornOn: "2026-03-01", heart: 100) == 4)
        #expect(try level(bornOn: "2026-02-28", heart: 100) == 2)
        for (tenths, expected) in [(149, 2), (150, 4), (151, 4)] {
            let measured = Self.assess(.example(.dog)) { ($0.weight, $0.heartRate) = (.tenths(tenths), 55) }
            #expect(measured.level.rawValue == expected, "\(tenths)")
        }
        // The weight that was measured replaces that of the record.
        let shrunk = Self.assess(.example(.dog, kilograms: 40)) { ($0.weight, $0.heartRate) = (.tenths(50), 55) }
        #expect(shrunk.level == .orange)
    }
}
