import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The complexity of a case: its parts, their limits, and the entries that count.
@Suite("Triage complexity")
struct TriageComplexityTests {
    private static let rules = TriageRules.version1

    private static func entries(
        _ kind: PatientFacts.HistoryEntry.Kind,
        _ count: Int,
        daysAgo: Int? = nil
    ) -> [PatientFacts.HistoryEntry] {
        (0..<count)
            .map { _ in
                PatientFacts.HistoryEntry(id: UUID(), kind, on: daysAgo.map { PatientFacts.today.adding(days: -$0) })
            }
    }

    private static func history(_ entries: [PatientFacts.HistoryEntry]) -> CaseComplexity {
        var patient = PatientFacts.example(.dog)
        patient.history = entries
        return rules.complexity(of: patient, at: .blue)
    }

    @Test("The base is that of the level", arguments: zip(1...5, ["4.0", "3.0", "2.0", "1.0", "0.5"]))
    func base(level: Int, points: String) throws {
        let level = try #require(UrgencyLevel(rawValue: level))
        let complexity = Self.rules.complexity(of: .example(.dog), at: level)
        #expect(complexity.base.description == points)
        #expect(complexity.overall.description == points)
    }

    @Test(
        "Each species has its points",
        arguments: [
            (SpeciesCode.dog, 0), (.cat, 0), (.horse, 10), (.rabbit, 10), (.guineaPig, 10), (.ferret, 10), (.bird, 15),
            (.reptile, 15), (.other, 15), (nil, 5),
        ] as [(SpeciesCode?, Int)]
    )
    func species(species: SpeciesCode?, tenths: Int) {
        let complexity = Self.rules.complexity(of: .example(species), at: .red)
        #expect(complexity.speciesTenths == tenths)
        #expect(complexity.tenths == 40 + tenths)
    }

    @Test("The points of age change on the birthday")
    func age() throws {
        let day = try Day(parsing: "2026-06-15")
        func points(_ species: SpeciesCode?, _ birth: String?) throws -> Int {
            let age = try birth.flatMap { PatientAge(bornOn: try Day(parsing: $0), at: day) }
            let patient = PatientFacts(asOf: day, species: species, age: age)
            return Self.rules.complexity(of: patient, at: .green).ageTenths
        }
        // 83, 84 and 85 days.
        for species in [SpeciesCode.dog, .cat, .bird, nil] {
            #expect(try points(species, "2026-03-24") == 10)
            #expect(try points(species, "2026-03-23") == 0)
            #expect(try points(species, "2026-03-22") == 0)
            #expect(try points(species, "2026-06-15") == 10)
            #expect(try points(species, nil) == 0)
        }
        for (birth, dog, cat) in [
            ("2018-06-16", 0, 0), ("2018-06-15", 5, 0), ("2018-06-14", 5, 0), ("2015-06-16", 5, 0),
            ("2015-06-15", 5, 5), ("2014-06-16", 5, 5), ("2014-06-15", 10, 5), ("2011-06-16", 10, 5),
            ("2011-06-15", 10, 10), ("2000-01-01", 10, 10),
        ] {
            #expect(try points(.dog, birth) == dog, "\(birth)")
            #expect(try points(.cat, birth) == cat, "\(birth)")
            #expect(try points(.horse, birth) == 0 && points(nil, birth) == 0)
        }
    }

    @Test("The history counts illnesses, allergies, recent surgeries and drugs beyond two, up to 3.0")
    func history() {
        #expect(Self.history([]).historyTenths == 0)
        #expect(Self.history(Self.entries(.illness, 1)).historyTenths == 5)
        #expect(Self.history(Self.entries(.allergy, 2)).historyTenths == 10)
        for (count, tenths) in [(1, 0), (2, 0), (3, 2), (4, 5), (5, 7), (6, 10), (14, 30), (15, 30)] {
            #expect(Self.history(Self.entries(.drug, count)).historyTenths == tenths, "\(count) drugs")
        }
        for (count, tenths) in [(5, 25), (6, 30), (7, 30)] {
            #expect(Self.history(Self.entries(.illness, count)).historyTenths == tenths)
        }
        let mixed = Self.entries(.illness, 1) + Self.entries(.allergy, 1) + Self.entries(.surgery, 1, daysAgo: 1)
        #expect(Self.history(mixed + Self.entries(.drug, 3)).history.description == "1.7")
        #expect(Self.history(mixed + Self.entries(.drug, 3)).overall.description == "2.2")
    }

    @Test("A surgery counts for 90 days, and only if its day is known and has come")
    func surgeries() {
        for (days, tenths) in [(-1, 0), (0, 5), (89, 5), (90, 5), (91, 0)] {
            #expect(Self.history(Self.entries(.surgery, 1, daysAgo: days)).historyTenths == tenths, "\(days)")
        }
        #expect(Self.history(Self.entries(.surgery, 1)).historyTenths == 0)
    }

    @Test("The entries that counted are listed, each once, in the order of their ids")
    func counted() {
        let counting = Self.entries(.illness, 2) + Self.entries(.surgery, 1, daysAgo: 3)
        let ignored = Self.entries(.surgery, 1, daysAgo: 200) + Self.entries(.drug, 2)
        let result = Self.history((counting + ignored + counting).reversed())
        #expect(result.historyTenths == 15)
        #expect(result.counted == counting.map(\.id).sorted { $0.text < $1.text })
        let drugs = Self.entries(.drug, 3)
        #expect(Set(Self.history(drugs).counted) == Set(drugs.map(\.id)))
    }

    @Test("No case is above 10.0")
    func greatest() {
        var patient = PatientFacts.example(.bird, days: 10)
        patient.history = Self.entries(.illness, 100)
        #expect(Self.rules.complexity(of: patient, at: .red).overall.description == "9.5")
        #expect(Self.rules.complexityWeights.maximum <= 1_000)
    }
}
