import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Vaccinations that are due")
struct DueVaccinationTests {
    private typealias Given = (date: String?, values: [(String, String)])

    private static let today = "2026-03-02"

    /// Returns the names and the dates of what is due after the given vaccinations, which were added in their order.
    private func due(_ given: [Given]) throws -> [String] {
        let entries = try given.enumerated()
            .map { index, vaccination in
                EntryState(
                    id: Example.id(UInt8(index + 1)),
                    record: Example.id(90),
                    content: try Example.content(Vaccination.kind, date: vaccination.date, vaccination.values),
                    added: Example.stamp(UInt64(index + 1))
                )
            }
        return DueVaccination.all(of: entries, on: try Day(parsing: Self.today))
            .map {
                "\($0.last.content.body.text(Vaccination.name) ?? "") \($0.due)\($0.isOverdue ? " overdue" : "")"
            }
    }

    @Test("One is announced a month before its day, month or year, and overdue after it")
    func dates() throws {
        for (next, expected) in [
            ("2026-04-01", ["Rabies 2026-04-01"]), ("2026-04-02", []), ("2026-03-02", ["Rabies 2026-03-02"]),
            ("2026-03-01", ["Rabies 2026-03-01 overdue"]), ("2026-04", ["Rabies 2026-04"]), ("2026-05", []),
            ("2026-02", ["Rabies 2026-02 overdue"]), ("2026", ["Rabies 2026"]), ("2025", ["Rabies 2025 overdue"]),
        ] {
            #expect(try due([("2023-03-02", [("name", "Rabies"), ("nextDue", next)])]) == expected, "\(next)")
        }
    }

    @Test("Without a date of the next one, the end of the protection counts")
    func protection() throws {
        let values = [("name", "Rabies"), ("validUntil", "2026-03-10")]
        #expect(try due([("2023-03-02", values)]) == ["Rabies 2026-03-10"])
        #expect(try due([("2023-03-02", values + [("nextDue", "2026-09-01")])]).isEmpty)
        #expect(try due([("2023-03-02", [("name", "Rabies")])]).isEmpty)
    }

    @Test("A later one of the same name replaces an earlier one, in whatever order they were added")
    func replaced() throws {
        let earlier: Given = ("2023-03-02", [("name", "Rabies"), ("nextDue", "2026-03-02")])
        let later: Given = ("2026-02-20", [("name", "RABIES"), ("nextDue", "2029-02-20")])
        #expect(try due([earlier, later]).isEmpty)
        #expect(try due([later, earlier]).isEmpty)
        #expect(try due([earlier, ("2026-02-20", [("name", "Rabies")])]).isEmpty)
        #expect(try due([earlier, ("2026-02-20", [("name", "Distemper")])]) == ["Rabies 2026-03-02"])
        // Nobody knows when it was given: it may have been earlier.
        #expect(try due([earlier, (nil, [("name", "Rabies")])]) == ["Rabies 2026-03-02"])
        // A mistyped year hides nothing, and a dose that is only planned was not given.
        #expect(try due([earlier, ("2062-02-20", [("name", "Rabies")])]) == ["Rabies 2026-03-02"])
        #expect(try due([("2026-03-20", [("name", "Rabies"), ("nextDue", "2026-03-25")])]).isEmpty)
    }

    @Test("One that protects from all diseases of an earlier one replaces it; from some of them, it does not")
    func diseases() throws {
        let combined: Given = (
            "2025-03-02", [("name", "DHPPi/L4"), ("diseases", "Distemper, Leptospirosis"), ("nextDue", "2026-03-02")]
        )
        let part: Given = ("2026-02-20", [("name", "L4"), ("diseases", "leptospirosis")])
        let whole: Given = ("2026-02-20", [("name", "Combined"), ("diseases", "distemper,leptospirosis, Parvo")])
        #expect(try due([combined, part]) == ["DHPPi/L4 2026-03-02"])
        #expect(try due([combined, whole]).isEmpty)
    }

    @Test("The most urgent one is first")
    func order() throws {
        let found = try due([
            ("2023-03-02", [("name", "Rabies"), ("nextDue", "2026-03-20")]),
            ("2025-03-02", [("name", "Influenza"), ("nextDue", "2026-01-10")]),
        ])
        #expect(found == ["Influenza 2026-01-10 overdue", "Rabies 2026-03-20"])
    }
}
