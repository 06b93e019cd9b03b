import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

/// Names that a journal suggests, lists of names, and dictated sentences.
@Suite("Names and drafts")
struct NameTests {
    @Test("Names of the record come first, the most recent first, and their read is audited without the text")
    func ownNames() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        _ = try await home.add("drug", ["name": "Lisinopril Alfa"], to: record)
        let gone = try await home.add("supplement", ["name": "Lisita"], to: record)
        _ = try await home.add("supplement", ["name": "Lisibeta"], to: record)
        _ = try await home.journal.entries.retractEntry(gone, home.owner)
        let before = try home.head
        let found = try await home.journal.names.suggest("lisi", in: record, home.owner)
        #expect(found.map(\.name).prefix(3) == ["Lisibeta", "Lisinopril Alfa", "Lisinopril"])
        let drugs = try await home.journal.names.suggest("lisi", in: record, kind: Drug.kind, home.owner)
        #expect(drugs.map(\.name).prefix(2) == ["Lisinopril Alfa", "Lisinopril"])
        let reads = try home.events(after: before)
        #expect(reads.map(\.type) == [RecordRead.type, RecordRead.type])
        let access = try #require((reads[0].event.data as? RecordRead)?.access)
        #expect(access.action == .list)
        #expect(access.sections == [.myhealth])
        #expect(access.entryCount == 2)
        for read in reads { #expect(!"\(read)".contains("lisi")) }
    }

    @Test("Without a record, nothing is read and nothing is recorded")
    func withoutRecord() async throws {
        let home = try await TestHousehold()
        _ = try await home.person("Anna")
        let before = try home.head
        let found = try await home.journal.names.suggest("metfor", home.owner)
        #expect(found.map(\.substance) == ["metformin"])
        #expect(try home.head == before)
    }

    @Test("Foods and allergies are completed from their own entries")
    func kinds() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let foods = ["mealType": "lunch", "foods.0.name": "Penne rigate", "foods.1.name": "Salad"]
        _ = try await home.add("meal", foods.merging(["date": "2024-03-02T11:40:00Z"]) { $1 }, to: record)
        _ = try await home.add("allergy", ["name": "Penicillin", "information": "rash"], to: record)
        let meals = try await home.journal.names.suggest("pen", in: record, kind: Meal.kind, home.owner)
        #expect(meals.map(\.name) == ["Penne rigate"])
        let allergies = try await home.journal.names.suggest("pen", in: record, kind: Allergy.kind, home.owner)
        #expect(allergies.first?.name == "Penicillin")
        #expect(allergies.count > 1)
        let problem = await refusal {
            _ = try await home.journal.names.suggest("pen", in: record, kind: Weight.kind, home.owner)
        }
        #expect(problem?.code == .invalid)
        #expect(problem?.field == "kind")
    }

    @Test("A caller who may not read gets no names for a form, and no refusal is recorded")
    func forms() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        _ = try await home.add("drug", ["name": "Secretol"], to: record)
        let helper = try await home.account("helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await home.journal.sharing.grant(terms, to: helper.account, on: record, home.owner)
        let before = try home.head
        #expect(try await home.journal.names.namesForForm(of: record, Plan.kinds, helper) == nil)
        #expect(try home.head == before)
        #expect(try await home.journal.names.namesForForm(of: record, Plan.kinds, home.owner) == ["Secretol"])
        #expect(try home.head == before + 1)
    }

    @Test("A list that is loaded is suggested, replaced by one of its name, and sealed")
    func lists() async throws {
        let home = try await TestHousehold()
        let first = Array("Qvexifin 20;omeprazole;X02\n".utf8)
        let loaded = try await home.journal.names.loadNames(first, named: "national", version: "1", home.owner)
        #expect(loaded.write.isChanged)
        #expect(loaded.names.count == 1)
        #expect(loaded.names.isCurrent)
        let found = try await home.journal.names.suggest("qvexi", home.owner)
        #expect(found.map(\.name) == ["Qvexifin 20"])
        #expect(found.first?.substance == "omeprazole")
        #expect(found.first?.code == "X02")
        let again = try await home.journal.names.loadNames(first, named: "national", version: "1", home.owner)
        #expect(!again.write.isChanged)
        #expect(again.names == loaded.names)
        _ = try await home.journal.names.loadNames(
            Array("Qvexinova\n".utf8),
            named: "national",
            version: "2",
            home.owner
        )
        #expect(try await home.journal.names.suggest("qvexi", home.owner).map(\.name) == ["Qvexinova"])
        #expect(try home.journal.names.loadedNames().map(\.isCurrent) == [false, true])
        for file in try FileManager.default.subpathsOfDirectory(atPath: home.folder.path) {
            guard let bytes = FileManager.default.contents(atPath: home.folder.path + "/" + file) else { continue }
            #expect(bytes.range(of: Data("Qvexi".utf8)) == nil, "\(file)")
        }
    }

    @Test("A list with a mistake is not loaded")
    func wrongList() async throws {
        let home = try await TestHousehold()
        let before = try home.head
        let problem = await refusal {
            _ = try await home.journal.names.loadNames(Array("good\n;bad".utf8), named: "list", home.owner)
        }
        #expect(problem?.code == .invalid)
        #expect(problem?.field == "line 2")
        let unnamed = await refusal {
            _ = try await home.journal.names.loadNames(Array("good".utf8), named: "", home.owner)
        }
        #expect(unnamed?.field == "name")
        #expect(try home.head == before)
    }

    @Test("A draft reads the plans of the record, stores nothing of the sentence, and is counted")
    func drafts() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let plan = try await home.add("drug", ["name": "Zorbifin", "unit": "tablet"], to: record)
        let before = try home.head
        let draft = try await home.journal.names.draft("took two zorbifin just now", in: record, home.owner)
        #expect(draft.content?.body.id(Dose.of) == plan)
        #expect(draft.content?.body.decimal(Dose.amount)?.description == "2")
        let events = try home.events(after: before)
        #expect(events.map(\.type) == [RecordRead.type])
        #expect(!"\(events)".lowercased().contains("zorbifin"))
        let empty = await refusal { _ = try await home.journal.names.draft(" ", in: record, home.owner) }
        #expect(empty?.code == .invalid)
        #expect(empty?.field == "text")
        _ = try await home.journal.names.draft("the weather is fine", in: record, home.owner)
        let counts = Dictionary(uniqueKeysWithValues: home.journal.usage.drafts.map { ($0.outcome, $0.count) })
        #expect(counts == ["understood": 1, "partly": 0, "nothing": 1, "saved": 0, "discarded": 0])
    }

    @Test("Entries that are added are counted by kind and input, once each")
    func counters() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        var spoken = try entry("weight", ["value": "70"])
        spoken.voiceEntryUsed = true
        var caller = home.owner
        caller.request = RequestKey("one", digest: [1])
        _ = try await home.journal.entries.addEntry(spoken, to: record, caller)
        _ = try await home.journal.entries.addEntry(spoken, to: record, caller)
        let typed = try await home.add("weight", ["value": "71"], to: record)
        _ = try await home.journal.entries.correctEntry(typed, home.owner) { content throws(ModelError) in
            try content.set("value", text: "72")
        }
        let counts = home.journal.usage.added.map { "\($0.0.kind) \($0.0.voice) \($0.1)" }
        #expect(counts == ["weight false 1", "weight true 1"])
    }
}
