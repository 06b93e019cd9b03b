import FoundationEssentials
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Searches of FHIR")
struct FHIRSearchTests {
    private static let stamp = Stamp(
        position: 9,
        recordedAt: Instant(microseconds: 1_780_000_000_000_000),
        actor: UUID()
    )

    /// Observations with an id and a time or a period.
    private static let observations: [(String, JSONValue)] = [
        ("fraction", ["effectiveDateTime": "2025-03-10T20:47:12.500+03:30"]),
        ("day", ["effectiveDateTime": "2025-03-10"]),
        ("month", ["effectiveDateTime": "2025-03"]),
        ("period", ["effectivePeriod": ["start": "2025-03-01T00:00:00Z", "end": "2025-03-20T00:00:00Z"]]),
        ("open", ["effectivePeriod": ["start": "2025-01-01T00:00:00Z"]]),
        ("second", ["effectiveDateTime": "2025-03-10T17:17:12Z"]),
        ("offset", ["effectiveDateTime": "2025-03-11T00:30:00+01:00"]),
    ]

    @Test(
        "Dates are compared as intervals of their precision, and periods at both ends",
        arguments: [
            ("2025-03-10T17:17:12Z", ["fraction", "second"]), ("2025-03-10T17:17Z", ["fraction", "second"]),
            ("2025-03-10T17:17", ["fraction", "second"]), ("2025-03-10T17:17:12.5Z", ["fraction"]),
            ("2025-03-10", ["fraction", "day", "second", "offset"]),
            ("2025-03", ["fraction", "day", "month", "period", "second", "offset"]),
            ("2025-03-10T18:17:12 01:00", ["fraction", "second"]),
            ("2024,2025-03-10T17:17:12Z", ["fraction", "second"]),
            ("gt2025-03-15", ["month", "period", "open"]), ("lt2025-03-05", ["month", "period", "open"]),
            ("sa2025-03-10T17:17:12Z", ["offset"]), ("eb2025-03-10T18:00Z", ["fraction", "second"]),
            ("ge2025-03-20", ["month", "open"]), ("le2025-01", []), ("ap2025-01", ["open"]),
            ("ne2025-03-10", ["month", "period", "open"]),
        ] as [(String, [String])]
    )
    func dates(_ value: String, _ expected: [String]) throws {
        let search = try FHIRSearch(of: "Observation", [("date", value)])
        let resources = Self.observations.map { id, time -> JSONValue in
            let members: JSONValue = [
                "resourceType": "Observation", "id": .string(id), "status": "final", "code": ["text": "Pulse"],
                "valueQuantity": ["value": 60, "unit": "/min"],
            ]
            return .object(members.members + time.members)
        }
        let namespaces = PurusNamespaces(records: UUID()) { _ in UUID() }
        let options = FHIROptions(now: Self.stamp.recordedAt, namespaces: namespaces)
        let bytes = JSONWriter.bytes(FHIRTexts.bundle(resources))
        let record = try #require(try FHIRDocument.read(bytes, options: options).first)
        let found = record.entries
            .map { EntryState(id: $0.id, record: record.id, content: $0.content, added: Self.stamp) }
            .filter { search.admits($0) }
            .compactMap { FHIRKept($0.content.extra)?.resource["id"] }
        #expect(found == expected.map { .string($0) })
    }

    @Test("What is no date is refused", arguments: ["x", "2025-13", "2025-03-10T25:00Z", "2025-03-10T17", ",", "gt"])
    func refused(_ value: String) {
        #expect(throws: FHIRSearch.Fault.self) { try FHIRSearch(of: "Observation", [("date", value)]) }
    }
}
