import Foundation
import Testing

@testable import HealthModel

@Suite("Doubts about new entries")
struct EntryDoubtTests {
    private let today: Day

    init() throws {
        today = try Day(parsing: "2026-03-02")
    }

    private func entry(_ kind: String, _ values: [String: String], at position: UInt64 = 5) throws -> EntryState {
        var content = EntryContent(kind: try #require(Kind.named(kind)))
        for (name, value) in values { try content.set(name, text: value) }
        let time = try Instant(parsing: "2026-03-01T10:00:00Z")
        return EntryState(
            id: UUID(),
            record: UUID(),
            content: content,
            added: Stamp(position: position, recordedAt: time, actor: UUID())
        )
    }

    private func reasons(_ kind: String, _ new: [String: String], among known: [[String: String]]) throws -> [String] {
        let entries = try known.enumerated().map { try entry(kind, $0.element, at: UInt64($0.offset + 1)) }
        return try entry(kind, new).content.doubts(among: entries, today: today).map(\.text)
    }

    @Test(
        "A weight far from the last one is doubted, in whatever units",
        arguments: [
            ("754", "kg", true), ("7.54", "kg", true), ("75.9", "kg", false), ("166", "lb", false),
            ("75.4", "lb", true),
            ("100", "kg", false), ("120", "kg", true), ("40", "kg", true),
        ]
    )
    func weights(value: String, unit: String, isDoubted: Bool) throws {
        let known = [
            ["value": "20", "unit": "kg", "date": "2019-01-01"], ["value": "75.4", "unit": "kg", "date": "2026-02-01"],
            ["value": "30", "unit": "kg", "date": "2020-01-01"],
        ]
        let found = try reasons("weight", ["value": value, "unit": unit, "date": "2026-03-01"], among: known)
        #expect(found == (isDoubted ? ["\(value) \(unit) is far from the last one: 75.4 kg on 2026-02-01"] : []))
    }

    @Test("A medication that is taken already is doubted, whatever its dosage, unless it has ended")
    func medication() throws {
        let new = ["name": "lisinopril", "dosage": "20 mg"]
        let taken = ["name": "Lisinopril", "dosage": "10 mg", "date": "2025-01-01"]
        #expect(try reasons("drug", new, among: [taken]).count == 1)
        #expect(try reasons("drug", ["name": "Metformin"], among: [taken]).isEmpty)
        let ended = taken.merging(["ended": "2025-06"]) { $1 }
        #expect(try reasons("drug", new, among: [ended]).isEmpty)
        #expect(try reasons("drug", ended, among: [ended]).count == 1)
        #expect(try reasons("drug", new, among: [taken.merging(["ended": "2026-12"]) { $1 }]).count == 1)
    }

    @Test("A weight of zero is doubted, and is not what the next one is compared with")
    func zero() throws {
        let known = ["value": "80", "unit": "kg", "date": "2026-02-01"]
        let nothing = ["value": "0", "unit": "kg", "date": "2026-02-02"]
        #expect(
            try reasons("weight", nothing, among: [known]) == ["0 kg is far from the last one: 80 kg on 2026-02-01"]
        )
        let small = ["value": "0.1", "unit": "kg", "date": "2026-02-03"]
        #expect(try reasons("weight", small, among: [known, nothing]).count == 1)
        let pain = ["name": "Pain", "date": "2026-02-01"]
        func scored(_ value: String) -> [String: String] { pain.merging(["value": value]) { $1 } }
        #expect(try reasons("measurement", scored("0"), among: [scored("3")]).isEmpty)
        #expect(try reasons("measurement", scored("-1.2"), among: [scored("0.5")]).isEmpty)
        let usual = ["value": "81", "unit": "kg", "date": "2026-02-03"]
        #expect(try reasons("weight", usual, among: [known, nothing]).isEmpty)
    }

    @Test("The same is doubted if it is of the same day, and a file whatever its name and date")
    func repeated() throws {
        let known = [["value": "75.4", "unit": "kg", "date": "2026-03-01"]]
        let same = ["value": "75.4", "unit": "kg", "date": "2026-03-01T07:00:00Z", "comment": "again"]
        #expect(
            try reasons("weight", same, among: known) == ["the same is in the record already: 75.4 kg on 2026-03-01"]
        )
        let next = ["value": "75.4", "unit": "kg", "date": "2026-03-02"]
        #expect(try reasons("weight", next, among: known).isEmpty)
        let digest = String(repeating: "a", count: 64)
        let files = [["name": "Letter", "content.digest": digest, "content.size": "3", "date": "2020"]]
        let again = ["name": "scan.pdf", "content.digest": digest, "content.size": "3"]
        #expect(try reasons("document", again, among: files) == ["the same is in the record already: Letter on 2020"])
        #expect(try reasons("allergy", ["name": "Nuts"], among: [["name": "Nuts"]]).count == 1)
        #expect(try reasons("allergy", ["comment": "none"], among: [["comment": "none"]]).isEmpty)
    }

    @Test("A retracted entry is not compared, and another measurement neither")
    func others() throws {
        var gone = try entry("weight", ["value": "75.4", "unit": "kg"])
        gone.retracted = gone.added
        let new = try entry("weight", ["value": "754", "unit": "kg"]).content
        #expect(new.doubts(among: [gone], today: today).isEmpty)
        let pulse = [["name": "Heart rate", "value": "64", "unit": "/min"]]
        #expect(
            try reasons("measurement", ["name": "heart rate", "value": "640", "unit": "/min"], among: pulse).count == 1
        )
        #expect(try reasons("measurement", ["name": "Glucose", "value": "640", "unit": "/min"], among: pulse).isEmpty)
        #expect(
            try reasons("measurement", ["name": "Heart rate", "value": "pale", "unit": "/min"], among: pulse).isEmpty
        )
    }

    @Test(
        "A date in the future is doubted, but not tomorrow, which has begun elsewhere",
        arguments: [("2026-03-03", false), ("2026-03-04", true), ("2027", true), ("2026", false)]
    )
    func future(date: String, isDoubted: Bool) throws {
        let found = try reasons("illness", ["name": "Cold", "date": date], among: [])
        #expect(found == (isDoubted ? ["\(date) is in the future"] : []))
    }
}
