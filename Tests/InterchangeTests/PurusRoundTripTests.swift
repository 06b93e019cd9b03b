import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Export and import of Purus documents")
struct PurusRoundTripTests {
    @Test("A record from the models shape is the same after an export in the CloudKit shape")
    func modelsRoundTrip() throws {
        let record = try Fixtures.read(PurusTexts.models, Fixtures.options(.reference))
        let again = try Fixtures.again(record)
        #expect(again.id == record.id)
        #expect(again.profile == record.profile)
        #expect(again.entries.map(\.id) == record.entries.map(\.id))
        #expect(again.entries.map(\.attachment) == record.entries.map(\.attachment))
        for (after, before) in zip(again.entries, record.entries) {
            #expect(after.content.hasSameContent(as: before.content), "\(before.path)")
        }
    }

    @Test("Unknown fields are exported as they were imported")
    func exportsUnknownFields() throws {
        let record = try Fixtures.read(PurusTexts.webServices)
        #expect(record.unrepresented == ["personalGender", "recordType", "recordChangeTag", "weightEntries[0].mood"])
        let exported = PurusDocument.write(Fixtures.state(record))
        #expect(exported["recordChangeTag"] == .string("k1"))
        #expect(exported["personalGender"] == .string("Male (neutered)"))
        let weight = try #require(try Fixtures.array("weightEntries", of: exported).first)
        #expect(weight["mood"] == .object([.init("a", .array([.number("1.50"), .null]))]))
        #expect(try Fixtures.again(record).profile == record.profile)
        #expect(Set(try Fixtures.again(record).entries.map(\.content)) == Set(record.entries.map(\.content)))
    }

    @Test("The keys of an export are in the order of the CloudKit shape")
    func ordersKeys() throws {
        let text = Fixtures.person(#""weightEntries": [{"weightKg": 1, "date": 1672639200}]"#)
        guard case .object(let members) = PurusDocument.write(Fixtures.state(try Fixtures.read(text))) else {
            Issue.record("the document is no object")
            return
        }
        #expect(members.map(\.name).prefix(4) == ["uuid", "isPet", "personalFamilyName", "personalGivenName"])
        #expect(members.map(\.name).suffix(12) == PurusKind.ofPurus.map(\.cloudKitName)[...])
        let weight = try Fixtures.array("weightEntries", of: .object(members))[0]
        guard case .object(let keys) = weight else {
            Issue.record("the weight is no object")
            return
        }
        #expect(keys.map(\.name) == ["uuid", "createdAt", "updatedAt", "date", "weightKg", "comment"])
    }

    @Test("The order of hundreds of weights is the same after an export and an import")
    func keepsOrder() throws {
        var generator = SeededGenerator(seed: 11)
        let weights = (0..<400)
            .map { _ in
                #"{"date": \#(1_600_000_000 + Int.random(in: 0..<9_000, using: &generator)), "weightKg": \#(Int.random(in: 60...80, using: &generator))}"#
            }
        let record = try Fixtures.read(Fixtures.person(#""weightEntries": [\#(weights.joined(separator: ","))]"#))
        #expect(record.entries.count == 400)
        #expect(Set(record.entries.map(\.id)).count == 400)
        #expect(record.entries.map(\.path) == (0..<400).map { "weightEntries[\($0)]" })
        #expect(try Fixtures.again(record).entries.map(\.id) == record.entries.map(\.id))
        #expect(try Fixtures.again(record).entries.map(\.content.body) == record.entries.map(\.content.body))
    }

    @Test("A weight is exported in the unit in which it was imported")
    func keepsUnits() throws {
        let record = try Fixtures.read(
            Fixtures.person(#""weightEntries": [{"weight": 180, "unit": "lbs", "weightKg": 81.65}, {"weight": 7}]"#)
        )
        #expect(record.entries[0].content.body.text(Weight.unit) == "lb")
        #expect(record.entries[1].content.body.text(Weight.unit) == nil)
        let exported = try Fixtures.array("weightEntries", of: PurusDocument.write(Fixtures.state(record)))
        #expect(exported[0]["weight"] == .number("180") && exported[0]["unit"] == .string("lbs"))
        #expect(exported[0]["weightKg"] == .number("81.65"))
        #expect(exported[1]["weight"] == .number("7") && exported[1]["weightKg"] == nil && exported[1]["unit"] == nil)
    }

    @Test("A corrected value is exported instead of the original that was kept from the import")
    func exportsCorrections() throws {
        let record = try Fixtures.read(
            Fixtures.person(
                #""personalBirthdate": 453592800, "weightEntries": [{"date": 1672639200.1234567, "weight": 180, "unit": "lbs", "weightKg": 81.65}]"#
            )
        )
        var state = Fixtures.state(record)
        state.profile.values[RecordProfile.birthdate] = .day(try Day(parsing: "1984-06-01"))
        state.entries[0].content.date = .instant(try Instant(parsing: "2024-01-02T03:04:05Z"))
        state.entries[0].content.body[Weight.value] = .decimal(try ExactDecimal(parsing: "181"))
        let document = PurusDocument.write(state)
        let weight = try Fixtures.array("weightEntries", of: document)[0]
        #expect(weight["date"] == .number("1704164645"))
        #expect(weight["weight"] == .number("181"))
        #expect(weight["weightKg"] == nil)
        #expect(document["personalBirthdate"] == .number("454896000"))
        #expect(document["personalBirthdateDay"] == nil)
        // The outdated original value that the journal still stores does not make the exported document differ.
        let again = try PurusDocument.read(JSONWriter.bytes(document), options: Fixtures.options())
        #expect(again.entries[0].id == state.entries[0].id)
        #expect(again.entries[0].content.hasSameContent(as: state.entries[0].content))
        #expect(again.profile.hasSameContent(as: state.profile))
    }

    @Test("A date is exported with all of its digits, and a day, a month or a year remains one")
    func keepsDatePrecision() throws {
        let record = try Fixtures.read(
            Fixtures.person(
                #"""
                "allergyEntries": [{"date": 1672639200.1234567, "name": "a"}, {"date": 1672617600, "name": "b"},
                {"name": "c"}, {"name": "d"}]
                """#
            )
        )
        var state = Fixtures.state(record)
        state.entries[1].content.date = .day(try Day(parsing: "2023-01-02"))
        state.entries[2].content.date = .date(.month(year: 2010, month: 5))
        state.entries[3].content.date = .date(.year(2010))
        let document = PurusDocument.write(state)
        let exported = try Fixtures.array("allergyEntries", of: document)
        #expect(exported[0]["date"] == .number("1672639200.1234567"))
        #expect(exported[2]["date"] == .number("1272672000") && exported[2]["datePrecision"] == .string("month"))
        #expect(exported[3]["date"] == .number("1262304000") && exported[3]["datePrecision"] == .string("year"))
        #expect(exported[1]["date"] == .number("1672617600") && exported[1]["datePrecision"] == .string("day"))
        let again = try PurusDocument.read(JSONWriter.bytes(document), options: Fixtures.options())
        #expect(again.entries.map(\.content.date) == state.entries.map(\.content.date))
        #expect(again.entries.map(\.id) == state.entries.map(\.id))
    }

    @Test("A random record has the same content after an export and an import")
    func roundTrip() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<60 {
            let state = RandomRecord.state(&generator)
            let document = PurusDocument.write(state)
            let again = try PurusDocument.read(JSONWriter.bytes(document), options: Fixtures.options())
            #expect(again.id == state.id && again.profile.hasSameContent(as: state.profile), "seed \(seed)")
            #expect(Set(again.entries.map(\.id)) == Set(state.entries.map(\.id)), "seed \(seed)")
            for entry in state.entries {
                let content = again.entries.first { $0.id == entry.id }?.content
                #expect(content?.hasSameContent(as: entry.content) == true, "seed \(seed), \(entry.content.kind.name)")
            }
            let twice = PurusDocument.write(Fixtures.state(again))
            #expect(
                try Fixtures.array("weightEntries", of: twice).count
                    == state.entries.count { $0.content.kind == Weight.kind }
            )
        }
    }
}
