import TestSupport
import Testing

@testable import HealthModel

/// Levels, species, ages and vital signs.
@Suite("Triage vocabulary")
struct TriageVocabularyTests {
    @Test("The levels have the times of the list")
    func levels() {
        #expect(UrgencyLevel.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(UrgencyLevel.allCases.map(\.name) == ["red", "orange", "yellow", "green", "blue"])
        #expect(UrgencyLevel.allCases.map(\.seenWithinMinutes) == [0, 15, 30, 120, 240])
        #expect(UrgencyLevel.allCases.map(\.overdueAfterMinutes) == [0, 15, 60, 120, 240])
        #expect(UrgencyLevel.allCases.map(\.lookAgainMinutes) == [nil, 15, 30, 60, 120])
        #expect(UrgencyLevel.red < .orange)
        #expect(UrgencyLevel.green < .blue)
    }

    @Test("The stored words are those of the documents")
    func words() {
        #expect(AssessmentResult.allCases.map(\.rawValue) == ["notAssessed", "normal", "compromised", "critical"])
        #expect(ABCDE() == .all(.notAssessed))
        #expect(VitalSigns.MucousMembrane.allCases.map(\.rawValue) == ["pink", "pale", "blue", "yellow", "brickRed"])
        #expect(VitalSigns.Consciousness.allCases.map(\.rawValue) == ["alert", "voice", "pain", "unresponsive"])
        #expect(
            SpeciesCode.allCases.map(\.rawValue) == [
                "dog", "cat", "rabbit", "guineaPig", "ferret", "horse", "bird", "reptile", "other",
            ]
        )
        #expect(ClinicRole.allCases.map(\.rawValue) == ["veterinarian", "nurse", "receptionist", "manager"])
        #expect(TriageReason.Rule.allCases.map(\.rawValue) == ["R1", "R2", "R3", "R4", "R5", "R6"])
    }

    // MARK: - Species

    @Test(
        "A common name in four languages has a code, whatever its case, accents and hyphens",
        arguments: [
            (SpeciesCode.dog, ["dog", "Hund", "CHIEN", "perro", " Dog ", "Hundin"]),
            (.cat, ["cat", "Katze", "chat", "gato", "Katzchen"]),
            (.rabbit, ["rabbit", "Kaninchen", "lapin", "conejo"]),
            (.guineaPig, ["guinea pig", "guinea-pig", "guineaPig", "Meerschweinchen", "cochon d’Inde", "cobaya"]),
            (.ferret, ["ferret", "Frettchen", "furet", "hurón", "huron"]),
            (.horse, ["horse", "Pferd", "cheval", "caballo"]), (.bird, ["bird", "Vogel", "oiseau", "pájaro"]),
            (.reptile, ["reptile", "Schildkröte", "tortue", "tortuga"]),
            (.other, ["other", "Hamster", "souris", "ratón"]),
        ]
    )
    func species(code: SpeciesCode, names: [String]) {
        for name in names { #expect(SpeciesCode(name: name) == code, "\(name)") }
    }

    @Test("A name that is not in the table has no code", arguments: ["", " ", "doge", "hot dog", "Axolotl", "dog/cat"])
    func unknownSpecies(name: String) {
        #expect(SpeciesCode(name: name) == nil)
    }

    @Test("No name stands for two species, and each stored word is a name of its species")
    func speciesTable() {
        var seen: [FoldedName: SpeciesCode] = [:]
        for code in SpeciesCode.allCases {
            #expect(SpeciesCode(name: code.rawValue) == code)
            for name in code.names {
                let folded = FoldedName(name)
                #expect(!folded.isEmpty, "\(name)")
                #expect(seen[folded] ?? code == code, "\(name)")
                seen[folded] = code
            }
        }
    }

    // MARK: - Ages

    @Test(
        "Months are counted by the calendar",
        arguments: [
            ("2026-03-01", "2026-03-01", 0, 0), ("2025-08-31", "2026-02-27", 180, 5),
            ("2025-08-31", "2026-02-28", 181, 6), ("2024-02-29", "2025-02-27", 364, 11),
            ("2024-02-29", "2025-02-28", 365, 12), ("2020-01-15", "2026-01-14", 2_191, 71),
            ("2020-01-15", "2026-01-15", 2_192, 72),
        ]
    )
    func ages(birth: String, day: String, days: Int, months: Int) throws {
        let age = try #require(PatientAge(bornOn: try Day(parsing: birth), at: try Day(parsing: day)))
        #expect(age.days == days)
        #expect(age.months == months)
        #expect(age.weeks == days / 7)
        #expect(age.years == months / 12)
    }

    @Test("A patient that is born later has no age, and no age ever shrinks")
    func growing() throws {
        let birth = try Day(parsing: "2020-05-31")
        #expect(PatientAge(bornOn: birth, at: birth.adding(days: -1)) == nil)
        var before = 0
        for days in 0..<3_000 {
            let age = try #require(PatientAge(bornOn: birth, at: birth.adding(days: days)))
            #expect(age.days == days)
            #expect((before...before + 1).contains(age.months))
            before = age.months
        }
    }

    // MARK: - Vital signs

    @Test("A vital sign outside its range is refused, by name")
    func ranges() {
        func field(_ edit: (inout VitalSigns) -> Void) -> String? {
            do {
                try VitalSigns(edit).validate()
                return nil
            } catch {
                return error.field
            }
        }
        for (value, isValid) in [(99, false), (100, true), (500, true), (501, false)] {
            #expect(field { $0.temperature = .tenths(value) } == (isValid ? nil : "temperature"))
        }
        for (value, isValid) in [(-1, false), (0, true), (100, true), (101, false)] {
            #expect(field { $0.capillaryRefill = .tenths(value) } == (isValid ? nil : "capillaryRefill"))
        }
        for value in [0, 1_001] { #expect(field { $0.heartRate = value } == "heartRate") }
        for value in [0, 501] { #expect(field { $0.respiratoryRate = value } == "respiratoryRate") }
        for value in [0, 101] { #expect(field { $0.oxygenSaturation = value } == "oxygenSaturation") }
        for value in [-1, 5] { #expect(field { $0.pain = value } == "pain") }
        for value in [0, 401] {
            #expect(field { $0.bloodPressure = BloodPressure(systolic: value) } == "bloodPressure.systolic")
            #expect(field { $0.bloodPressure = BloodPressure(diastolic: value) } == "bloodPressure.diastolic")
            #expect(field { $0.bloodPressure = BloodPressure(mean: value) } == "bloodPressure.mean")
        }
        let good = field {
            ($0.heartRate, $0.respiratoryRate, $0.oxygenSaturation, $0.pain) = (1_000, 500, 1, 4)
            $0.bloodPressure = BloodPressure(systolic: 400, diastolic: 1, mean: 90)
        }
        #expect(good == nil && field { $0.weight = .tenths(-1) } == "weight")
    }

    @Test(
        "A temperature in Fahrenheit is converted to two decimal places",
        arguments: [("32", "0"), ("104.9", "40.5"), ("104.95", "40.53"), ("101.5", "38.61"), ("-40", "-40")]
    )
    func fahrenheit(given: String, celsius: String) throws {
        #expect(VitalSigns.celsius(fromFahrenheit: try ExactDecimal(parsing: given))?.description == celsius)
    }

    @Test("A blood pressure is read from two numbers, and from no other text")
    func bloodPressure() {
        #expect(BloodPressure("120/80") == BloodPressure(systolic: 120, diastolic: 80))
        for text in ["", "120", "120/80/90", "120/", "/80", "120 / 80", "+120/80", "1200/80", "120/80 mmHg"] {
            #expect(BloodPressure(text) == nil, "\(text)")
        }
    }

    @Test("Signs are codes of letters and digits, at most a hundred in one input")
    func signs() {
        func field(_ signs: [TriageSign]) -> String? {
            do {
                try TriageInput(signs: signs, patient: .example(.dog)).validate()
                return nil
            } catch {
                return error.field
            }
        }
        #expect(field([.nails, TriageSign("a1"), TriageSign(String(repeating: "a", count: 50))]) == nil)
        for code in ["", "1a", "A", "a b", "a\n", "ä", String(repeating: "a", count: 51)] {
            #expect(field([.nails, TriageSign(code)]) == "signs[1]", "\(code)")
        }
        #expect(field(Array(repeating: .nails, count: 100)) == nil)
        #expect(field(Array(repeating: .nails, count: 101)) == "signs")
    }
}
