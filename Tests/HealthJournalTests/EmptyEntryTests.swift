import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Entries that say nothing")
struct EmptyEntryTests {
    @Test("A new entry of any kind without a value and without a comment is refused", arguments: Kind.all)
    func refused(_ kind: Kind) async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let head = try home.head
        let content = EntryContent(kind: kind, date: .instant(home.journal.now))
        let error = await refusal { _ = try await home.journal.entries.addEntry(content, to: record, home.owner) }
        #expect(error?.code == .invalid)
        #expect(error?.field != nil)
        #expect(try home.head == head)
    }

    @Test("A medication needs a name, or words about it", arguments: [Drug.kind, Supplement.kind])
    func medication(_ kind: Kind) async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        func add(_ fields: [String: String], comment: String = "") async -> JournalError? {
            await refusal {
                var content = try entry(kind.name, fields)
                content.comment = comment
                _ = try await home.journal.entries.addEntry(content, to: record, home.owner)
            }
        }
        #expect(await add(["dosage": "10 mg"])?.field == "name")
        #expect(await add(["name": "", "information": "twice a day"])?.field == "name")
        #expect(await add(["name": "Lisinopril"]) == nil)
        #expect(await add(["rawText": "the white ones, one each morning"]) == nil)
        #expect(await add(["codes.0.code": "29046"]) == nil)
        #expect(await add(["dosage": "1"], comment: "the white ones") == nil)
    }

    @Test("A correction may not empty an entry, but an imported empty entry is taken and can be corrected")
    func corrected() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let named = try await home.add("illness", ["name": "Bronchitis"], to: record)
        let refused = await refusal {
            _ = try await home.journal.entries.correctEntry(named, home.owner) { content in content.body = FieldValues()
            }
        }
        #expect(refused?.field == "name")

        let blank = UUID()
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        let document = ImportedRecord(
            id: record,
            profile: profile,
            entries: [ImportedEntry(id: blank, content: EntryContent(kind: Drug.kind), path: "drugs[0]")],
            shape: .native,
            unrepresented: []
        )
        #expect(try await home.journal.imports.take(document, home.owner).added == 1)
        let dosage = try await home.journal.entries.correctEntry(blank, home.owner) { content throws(ModelError) in
            try content.set("dosage", text: "10 mg")
        }
        #expect(dosage.isChanged)
    }
}
