import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("International Patient Summaries")
struct PatientSummaryTests {
    private static let stamp = Stamp(
        position: 9,
        recordedAt: Instant(microseconds: 1_771_000_000_000_000),
        actor: UUID()
    )

    private func record(_ fields: [(String, String)], _ subject: Subject = .human) throws -> RecordState {
        var profile = RecordProfile(subject: subject)
        for (name, value) in fields { try profile.set(name, text: value) }
        return RecordState(id: UUID(), profile: profile, owners: [], created: Self.stamp)
    }

    private func entry(_ kind: Kind, date: String? = nil, _ fields: [(String, String)]) throws -> EntryState {
        var content = EntryContent(kind: kind)
        content.date = try date.map { try OccurredDate(parsing: $0) }
        try content.set(fields.map { (name: $0.0, value: $0.1) })
        return EntryState(id: UUID(), record: UUID(), content: content, added: Self.stamp)
    }

    private func summary(
        _ record: RecordState,
        _ entries: [EntryState],
        without hidden: Set<Kind> = []
    ) throws -> JSONValue {
        var writer = PatientSummaryWriter(record, asOf: Self.stamp) { !hidden.contains($0) }
        for entry in entries where !hidden.contains(entry.kind) { writer.add(entry) }
        return try writer.document()
    }

    private func resources(_ summary: JSONValue) -> [JSONValue] {
        guard case .array(let items)? = summary["entry"] else { return [] }
        return items.compactMap { $0["resource"] }
    }

    /// The sections by their titles.
    private func sections(_ summary: JSONValue) -> [String: JSONValue] {
        guard case .array(let items)? = resources(summary).first?["section"] else { return [:] }
        return Dictionary(
            items.map { section in
                if case .string(let title)? = section["title"] { (title, section) } else { ("", section) }
            }
        ) { first, _ in first }
    }

    private func reason(_ section: JSONValue?) -> JSONValue? {
        guard case .array(let codings)? = section?["emptyReason"]?["coding"] else { return nil }
        return codings.first?["code"]
    }

    @Test("A dosage states the amount with its unit and its strength, and a third as a third")
    func dosages() throws {
        let rule: [(String, String)] = [
            ("rules.0.id", "0f8fad5b-d9cb-469f-a165-70867728950e"), ("rules.0.from", "2026-03-20"),
            ("rules.0.pattern", "days"), ("rules.0.times.0.id", "0f8fad5b-d9cb-469f-a165-70867728950f"),
            ("rules.0.times.0.at", "08:00"), ("substances.0.name", "prednisone"), ("substances.0.strength", "5"),
            ("substances.0.strengthUnit", "mg"), ("unit", "tablet"), ("name", "Prednisone"),
        ]
        for (amount, text, quantity) in [
            ("8", "8 tablets × 5 mg = 40 mg; daily 08:00=8; from 2026-03-20", JSONValue.number("8")),
            ("1/3", "1/3 tablet × 5 mg = 1 2/3 mg; daily 08:00=1/3; from 2026-03-20", nil),
        ] {
            let drug = try entry(Drug.kind, rule + [("rules.0.times.0.amount", amount)])
            let found = try summary(record([("givenName", "Ada")]), [drug])
            let statement = resources(found).first { $0["resourceType"] == "MedicationStatement" }
            #expect(statement?["status"] == "active")
            func first(_ value: JSONValue?) -> JSONValue? {
                if case .array(let items)? = value { items.first } else { nil }
            }
            let dosage = first(statement?["dosage"])
            #expect(dosage?["text"] == JSONValue.string(text))
            #expect(first(dosage?["doseAndRate"])?["doseQuantity"]?["value"] == quantity)
        }
    }

    @Test(
        "A summary begins with its Composition, and has present entries, the latest values, and all that they refer to"
    )
    func full() throws {
        let entries = try [
            entry(Illness.kind, date: "2010", [("name", "Asthma")]),
            entry(Illness.kind, date: "2001", [("name", "Pneumonia"), ("ended", "2002")]),
            entry(Allergy.kind, [("name", "Penicillin"), ("information", "rash")]),
            entry(Drug.kind, [("name", "Lisinopril"), ("dosage", "10 mg")]),
            entry(Drug.kind, date: "2020", [("name", "Amoxicillin"), ("ended", "2020-02")]),
            entry(Blood.kind, date: "2024-01-01", [("name", "HbA1c"), ("value", "6.8"), ("unit", "%")]),
            entry(Blood.kind, date: "2025-01-01", [("name", "HbA1c"), ("value", "6.4"), ("unit", "%")]),
            entry(Blood.kind, date: "2025", [("name", "LDL"), ("value", "3")]),
            entry(Weight.kind, date: "2026-01-01", [("value", "75.50"), ("unit", "kg")]),
        ]
        let human = try record([("givenName", "Ada"), ("familyName", "Winter"), ("socialSecurityNumber", "756.1")])
        let found = try summary(human, entries)
        #expect(found["type"] == "document")
        #expect(found["timestamp"] != nil)
        #expect(found["identifier"] != nil)
        let types = resources(found).compactMap { $0["resourceType"] }
        #expect(types.prefix(3) == ["Composition", "Patient", "Device"])
        let sections = sections(found)
        #expect(
            Set(sections.keys) == [
                "Problems", "Allergies and intolerances", "Medication", "Results", "Vital signs", "Past problems",
            ]
        )
        let text = JSONWriter.text(found)
        #expect(text.contains("6.4"))
        #expect(!text.contains("6.8"))
        #expect(text.contains("75.50"))
        #expect(text.contains("Amoxicillin") == false)
        #expect(text.contains("1 results without a day are left out."))
        #expect(!text.contains("756.1"), "numbers of authorities are left out")
        #expect(text.contains("_birthDate"))
        // Each reference leads to a resource of the same document.
        let ids = Set(resources(found).compactMap { $0["id"] })
        for section in sections.values {
            guard case .array(let items)? = section["entry"] else { continue }
            for item in items {
                guard case .string(let reference)? = item["reference"] else { continue }
                #expect(ids.contains(.string(String(reference.dropFirst("urn:uuid:".count)))))
            }
        }
        #expect(try summary(human, entries) == found, "the same moment gives the same document")
    }

    @Test("An empty section says that nothing is recorded, never that there is nothing")
    func empty() throws {
        let found = try summary(record([("givenName", "Ada")]), [])
        #expect(Set(sections(found).keys) == ["Problems", "Allergies and intolerances", "Medication"])
        #expect(sections(found).values.allSatisfy { reason($0) == "unavailable" })
        #expect(!JSONWriter.text(found).contains("nilknown"))
    }

    @Test("What the reader may not see is withheld, and said to be")
    func withheld() throws {
        let hidden = Set(Kind.all.filter { $0.section == .myhealth })
        let found = try summary(
            record([("givenName", "Ada")]),
            [entry(Allergy.kind, [("name", "Penicillin")])],
            without: hidden
        )
        #expect(
            ["Problems", "Allergies and intolerances", "Medication"]
                .allSatisfy { reason(sections(found)[$0]) == "withheld" }
        )
        #expect(!JSONWriter.text(found).contains("Penicillin"))
    }

    @Test("An animal is a Patient with a species")
    func animal() throws {
        let found = try summary(record([("name", "Biscuit"), ("species", "dog")], .animal), [])
        let patient = resources(found)[1]
        #expect(JSONWriter.text(patient).contains("patient-animal"))
        #expect(JSONWriter.text(patient).contains("dog"))
    }
}
