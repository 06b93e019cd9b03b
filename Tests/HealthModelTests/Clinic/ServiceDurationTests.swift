import HealthModel
import Testing

@Suite("How long an appointment lasts")
struct ServiceDurationTests {
    private func service(_ values: [(String, String)]) throws -> ServiceProfile {
        var profile = ServiceProfile(values: FieldValues())
        for (name, text) in [("name", "Check-up"), ("type", "routine")] + values { try profile.set(name, text: text) }
        return profile
    }

    private func complexity(_ tenths: Int) -> CaseComplexity {
        CaseComplexity(baseTenths: tenths, speciesTenths: 0, ageTenths: 0, historyTenths: 0)
    }

    @Test(
        "A complex case takes a quarter longer from 3.0 points on, and half as long again from 6.0, up to five minutes",
        arguments: [
            (30, nil, 30), (30, 29, 30), (30, 30, 40), (30, 59, 40), (30, 60, 45), (20, 30, 25), (20, 60, 30),
            (5, 30, 10), (5, 60, 10), (1_440, 60, 1_440),
        ] as [(Int, Int?, Int)]
    )
    func complexCases(minutes: Int, tenths: Int?, expected: Int) throws {
        let service = try service([("minutes", "\(minutes)")])
        let duration = service.duration(isFirstVisit: false, complexity: tenths.map { complexity($0) })
        #expect(duration.minutes == expected)
        #expect(duration.reasons == (tenths ?? 0 >= 30 ? [.complexity] : []))
    }

    @Test("The first visit has its own duration, and a complex one lengthens that")
    func firstVisit() throws {
        let service = try service([("minutes", "20"), ("firstVisitMinutes", "40")])
        let first = service.duration(isFirstVisit: true, complexity: nil)
        #expect(first == ServiceDuration(minutes: 40, reasons: [.firstVisit]))
        let both = service.duration(isFirstVisit: true, complexity: complexity(60))
        #expect(both == ServiceDuration(minutes: 60, reasons: [.firstVisit, .complexity]))
        #expect(service.duration(isFirstVisit: false, complexity: nil) == ServiceDuration(minutes: 20))
    }

    @Test("A service for a species is for its names in any language, and refuses no unknown name")
    func species() throws {
        let cats = try service([("minutes", "20"), ("species", "cat")])
        #expect(cats.isFor(species: "Katze"))
        #expect(cats.isFor(species: ""))
        #expect(cats.isFor(species: "axolotl"))
        #expect(!cats.isFor(species: "Hund"))
        let unknown = try service([("minutes", "20"), ("species", "unicorn")])
        #expect(throws: ModelError.self) { try unknown.check() }
    }
}
