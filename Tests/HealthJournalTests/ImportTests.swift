import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Platform
import Testing

@testable import JournalCore

@Suite("Imports")
struct ImportTests {
    private func document(
        _ id: UUID = UUID(),
        _ subject: Subject = .human,
        _ entries: [(UUID, EntryContent)]
    ) -> ImportedRecord {
        var profile = RecordProfile(subject: subject)
        try? profile.set(subject == .human ? "givenName" : "name", text: "Imported")
        return ImportedRecord(
            id: id,
            profile: profile,
            entries: entries.enumerated()
                .map { index, entry in
                    ImportedEntry(id: entry.0, content: entry.1, path: "entries[\(index)]")
                },
            shape: .native,
            unrepresented: []
        )
    }

    @Test("Importing the same document again appends nothing, and a changed one appends only what changed")
    func again() async throws {
        let home = try await TestHousehold()
        let (one, two, three) = (UUID(), UUID(), UUID())
        var first = try document(
            entries: [(one, entry("weight", ["value": "70"])), (two, entry("blood", ["name": "LDL"]))])
        let report = try await home.journal.imports.take(first, home.owner)
        #expect(report.isNewRecord)
        #expect(report.added == 2)
        #expect(report.corrected == 0)
        let head = try home.head
        #expect(report.position == head)
        let again = try await home.journal.imports.take(first, home.owner)
        #expect(again.unchanged == 2)
        #expect(again.position == nil)
        #expect(!again.isProfileChanged)
        #expect(try home.head == head)

        first.entries[0].content = try entry("weight", ["value": "71"])
        first.entries.append(ImportedEntry(id: three, content: try entry("risk", ["name": "r"]), path: "entries[2]"))
        let changed = try await home.journal.imports.take(first, home.owner)
        #expect(changed.corrected == 1)
        #expect(changed.added == 1)
        #expect(changed.unchanged == 1)
        #expect(try home.events(after: head).map(\.type) == [EntryCorrected.type, EntryAdded.type])
    }

    @Test("Importing an older export of this journal undoes no later changes here, and reports them as kept")
    func merged() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        var owner = home.owner
        owner.reason = "read off wrongly"
        let record = try await home.person("Ida")
        let corrected = try await home.add("weight", ["value": "70"], to: record)
        let retracted = try await home.add("drug", ["name": "Aspirin"], to: record)
        let both = try await home.add("blood", ["name": "LDL"], to: record)
        let edited = try await home.add("risk", ["name": "smoking"], to: record)
        var written: [UInt8] = []
        try await journal.exports.export(record, by: owner).writeNative { written += $0 }
        let bytes = written
        let export = { try NativeDocument.read(bytes, now: journal.now) }
        for (entry, field, value) in [(corrected, "value", "69"), (both, "name", "HDL")] {
            _ = try await journal.entries.correctEntry(entry, owner) { content throws(ModelError) in
                try content.set(field, text: value)
            }
        }
        _ = try await journal.entries.retractEntry(retracted, owner)
        _ = try await journal.records.changeRecord(record, owner) { profile throws(ModelError) in
            try profile.set("nickName", text: "Vi")
        }
        let head = try home.head
        // An unchanged export changes nothing.
        let same = try await journal.imports.take(export(), owner)
        #expect(same.position == nil)
        #expect(same.corrected == 0)
        #expect(!same.isProfileChanged)
        #expect(same.kept == 3)
        #expect(try home.head == head)
        #expect(Set(same.changes.map(\.entry)) == [corrected, retracted, both])
        let weight = try #require(same.changes.first { $0.entry == corrected })
        #expect(weight.what == .kept)
        #expect(weight.kind == Weight.kind)
        #expect(weight.fields.first { $0.path == "value" }.map { [$0.before, $0.after] } == ["69", "70"])
        // An edited export changes only what has not been changed here since.
        var document = try export()
        for (id, value) in [(both, "VLDL"), (edited, "sun")] {
            let index = try #require(document.entries.firstIndex { $0.id == id })
            try document.entries[index].content.set("name", text: value)
        }
        let trial = try await journal.imports.take(document, isTrial: true, owner)
        #expect(trial.corrected == 1)
        #expect(trial.kept == 3)
        #expect(trial.position == nil)
        #expect(trial.changes.filter { $0.what == .corrected }.map(\.entry) == [edited])
        #expect(try home.head == head)
        let taken = try await journal.imports.take(document, owner)
        #expect(taken.corrected == 1)
        #expect(try home.events(after: head).map(\.type) == [EntryCorrected.type])
        // An export of another journal with the same position does not count as one of this journal: what it says that was
        // never said here is new. What was corrected here stays.
        document.exported?.recordedAt = Instant(microseconds: 1)
        document.exported?.position = 3
        let foreign = try await journal.imports.take(document, isTrial: true, owner)
        #expect(foreign.corrected == 1)
        #expect(foreign.kept == 1)
        #expect(!foreign.isProfileChanged)
        #expect(foreign.changes.first { $0.entry == both }?.what == .corrected)
    }

    @Test("A correction made here stays while the document still contains its earlier value")
    func corrected() async throws {
        let home = try await TestHousehold()
        var importer = home.owner
        importer.source = .import
        let weight = UUID()
        var document = try document(entries: [(weight, entry("weight", ["value": "70"]))])
        _ = try await home.journal.imports.take(document, importer)
        _ = try await home.journal.entries.correctEntry(weight, home.owner) { content throws(ModelError) in
            try content.set("value", text: "69")
        }
        _ = try await home.journal.records.changeRecord(document.id, home.owner) { profile throws(ModelError) in
            try profile.set("nickName", text: "Vi")
        }
        let head = try home.head
        #expect(try await home.journal.imports.take(document, importer).position == nil)
        #expect(try home.head == head)
        document.entries[0].content = try entry("weight", ["value": "68"])
        #expect(try await home.journal.imports.take(document, importer).corrected == 1)
        #expect(
            try await home.state(document.id).entry(weight)?.content.body.decimal(Weight.value)?.description == "68"
        )
    }

    @Test("A document without a position that contains a value which was corrected here since does not bring it back")
    func outdated() async throws {
        let home = try await TestHousehold()
        var importer = home.owner
        importer.source = .import
        let record = try await home.person("Anna")
        let weight = try await home.add("weight", ["value": "50"], to: record)
        var document = try document(entries: [(weight, entry("weight", ["value": "50"]))])
        document.id = record
        document.profile = try await home.state(record).profile
        for value in ["49", "48"] {
            _ = try await home.journal.entries.correctEntry(weight, home.owner) { content throws(ModelError) in
                try content.set("value", text: value)
            }
        }
        func imported(_ value: String) async throws -> ImportReport {
            document.entries[0].content = try entry("weight", ["value": value])
            return try await home.journal.imports.take(document, importer)
        }
        let head = try home.head
        for old in ["50", "49"] {
            let report = try await imported(old)
            #expect(report.kept == 1)
            #expect(report.corrected == 0)
            #expect(report.changes.first?.what == .kept)
        }
        #expect(try home.head == head)
        // An app that returns to an earlier value of its own is believed.
        for value in ["47", "46", "47"] { #expect(try await imported(value).corrected == 1) }
    }

    @Test("An edit of this journal's own export is taken, although it returns to an earlier value")
    func returned() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Anna")
        let weight = try await home.add("weight", ["value": "50"], to: record)
        _ = try await journal.entries.correctEntry(weight, owner) { content throws(ModelError) in
            try content.set("value", text: "49")
        }
        var written: [UInt8] = []
        try await journal.exports.export(record, by: owner).writeNative { written += $0 }
        var document = try NativeDocument.read(written, now: journal.now)
        let index = try #require(document.entries.firstIndex { $0.id == weight })
        try document.entries[index].content.set("value", text: "50")
        #expect(try await journal.imports.take(document, owner).corrected == 1)
    }

    @Test("A retraction made here stays")
    func retracted() async throws {
        let home = try await TestHousehold()
        let weight = UUID()
        var document = try document(entries: [(weight, entry("weight", ["value": "70"]))])
        _ = try await home.journal.imports.take(document, home.owner)
        _ = try await home.journal.entries.retractEntry(weight, home.owner)
        document.entries[0].content = try entry("weight", ["value": "80"])
        let head = try home.head
        #expect(try await home.journal.imports.take(document, home.owner).unchanged == 1)
        #expect(try home.head == head)
    }

    @Test("One error refuses the whole document, and names the path of the invalid part")
    func allOrNothing() async throws {
        let home = try await TestHousehold()
        let mine = try await home.person("Vi")
        let strange = try await home.add("weight", ["value": "1"], to: mine)
        var bad = try entry("weight", ["value": "1"])
        bad.body[Weight.value] = nil
        let good = try entry("weight", ["value": "70"])
        let record = UUID()
        let same = UUID()
        let cases: [(ImportedRecord, JournalError.Code, String?)] = [
            (document(record, entries: [(UUID(), good), (UUID(), bad)]), .invalid, "entries[1].value"),
            (document(record, entries: [(UUID(), good), (strange, good)]), .conflict, "entries[1]"),
            (document(record, entries: [(same, good), (same, good)]), .invalid, "entries[1].id"),
            (document(record, entries: [(record, good)]), .invalid, "entries[0].id"),
            (document(strange, entries: []), .conflict, "id"),
            (document(home.owner.account, entries: []), .conflict, "id"),
        ]
        let before = try home.head
        for (document, code, field) in cases {
            let error = await refusal { _ = try await home.journal.imports.take(document, home.owner) }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.field == field, "\(String(describing: error))")
            #expect(try home.head == before)
        }
        #expect(
            await refusal { _ = try await home.journal.records.read(record, ReadOptions(), home.owner) }?.code
                == .notFound
        )
    }

    @Test("Several documents are imported together or not at all")
    func several() async throws {
        let home = try await TestHousehold()
        let good = try document(entries: [(UUID(), entry("weight", ["value": "70"]))])
        let bad = document(entries: [(UUID(), EntryContent(kind: Weight.kind))])
        let before = try home.head
        #expect(await refusal { _ = try await home.journal.imports.take([good, bad], home.owner) }?.code == .invalid)
        #expect(await refusal { _ = try await home.journal.imports.take([good, good], home.owner) }?.code == .invalid)
        var (one, two) = (document(UUID(), .animal, []), document(UUID(), .animal, []))
        try one.profile.set("animalID", text: "42")
        try two.profile.set("animalID", text: "4 2")
        let twice = [one, two]
        #expect(await refusal { _ = try await home.journal.imports.take(twice, home.owner) }?.field == "animalID")
        #expect(try home.head == before)
        let other = document(entries: [])
        let reports = try await home.journal.imports.take([good, other], home.owner)
        #expect(try reports.map(\.position) == [home.head, home.head])
        #expect(try await home.journal.imports.take([good, other], home.owner).map(\.position) == [nil, nil])
    }

    @Test("Attachments are imported with their entries, and a dry run writes nothing")
    func attachments() async throws {
        let home = try await TestHousehold()
        let paper = UUID()
        var document = try document(entries: [(paper, entry("document", ["name": "ecg"]))])
        document.entries[0].attachment = Array("the bytes of an electrocardiogram".utf8)
        let before = try home.head
        let trial = try await home.journal.imports.take(document, isTrial: true, home.owner)
        #expect(trial.added == 1)
        #expect(trial.position == nil)
        #expect(trial.isNewRecord)
        #expect(try home.head == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.blobs).isEmpty)
        _ = try await home.journal.imports.take(document, home.owner)
        #expect(try await home.journal.entries.document(paper, home.owner).bytes == document.entries[0].attachment)
        let head = try home.head
        #expect(try await home.journal.imports.take(document, home.owner).unchanged == 1)
        #expect(try home.head == head)
    }

    @Test("A cost without a currency takes that of all others, marked as inferred, or none if they have several")
    func currency() async throws {
        let home = try await TestHousehold()
        let bare = try entry("cost", ["year": "2024", "amount": "5", "basis": "item"])
        let francs = try entry("cost", ["year": "2024", "amount": "6", "basis": "item", "currency": "CHF"])
        let euros = try entry("cost", ["year": "2024", "amount": "7", "basis": "item", "currency": "EUR"])
        func taken(_ contents: [EntryContent], currency: String? = nil) async throws -> EntryContent {
            let document = document(entries: contents.map { (UUID(), $0) })
            _ = try await home.journal.imports.take(document, currency: currency, home.owner)
            let head = try home.head
            #expect(try await home.journal.imports.take(document, currency: currency, home.owner).position == nil)
            #expect(try home.head == head)
            return try #require(try await home.state(document.id).entries.first).content
        }
        let guessed = try await taken([bare, francs])
        #expect(guessed.body.text(Cost.currency) == "CHF")
        #expect(guessed.inferred == ["currency"])
        let undecided = try await taken([bare, francs, euros])
        #expect(undecided.body.text(Cost.currency) == nil)
        #expect(undecided.inferred.isEmpty)
        let said = try await taken([bare, francs, euros], currency: "usd")
        #expect(said.body.text(Cost.currency) == "USD")
        #expect(said.inferred == ["currency"])
        let given = try await taken([francs], currency: "USD")
        #expect(given.body.text(Cost.currency) == "CHF")
        #expect(given.inferred.isEmpty)
        let error = await refusal { _ = try await taken([bare], currency: "francs") }
        #expect(error?.code == .invalid && error?.field == "entries[0].currency")
    }

    @Test("A closed record accepts nothing new, but a document with the same content is imported without error")
    func closed() async throws {
        let home = try await TestHousehold()
        var document = try document(entries: [(UUID(), entry("weight", ["value": "70"]))])
        _ = try await home.journal.imports.take(document, home.owner)
        _ = try await home.journal.records.closeRecord(document.id, home.owner)
        let head = try home.head
        #expect(try await home.journal.imports.take(document, home.owner).unchanged == 1)
        document.entries.append(ImportedEntry(id: UUID(), content: try entry("risk", ["name": "r"]), path: "e"))
        let more = document
        #expect(await refusal { _ = try await home.journal.imports.take(more, home.owner) }?.code == .conflict)
        #expect(try home.head == head)
    }

    @Test("An import that is concurrent with retractions of the same entries loses none of them")
    func beside() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let ids = (0..<5).map { _ in UUID() }
        let first = try document(entries: ids.map { ($0, try entry("weight", ["value": "70"])) })
        _ = try await journal.imports.take(first, owner)
        var second = first
        for index in second.entries.indices { second.entries[index].content = try entry("weight", ["value": "71"]) }
        let later = second
        await withTaskGroup { group in
            group.addTask { _ = await refusal { _ = try await journal.imports.take(later, owner) } }
            for id in ids {
                group.addTask { _ = await refusal { _ = try await journal.entries.retractEntry(id, owner) } }
            }
        }
        // In either order, no retracted entry is corrected afterwards.
        for id in ids {
            let types = try await journal.trail.history(ofEntry: id, owner).map(\.type)
            if let place = types.firstIndex(of: EntryRetracted.type) { #expect(place == types.count - 1, "\(types)") }
        }
    }

    @Test("An import that was interrupted is listed as not complete, and undone")
    func interrupted() async throws {
        let home = try await TestHousehold()
        var importer = home.owner
        importer.source = .import
        let record = try await home.person("Anna")
        importer.correlation = UUID()
        let (weight, changed) = (UUID(), UUID())
        var change = try Change(home.journal, importer)
        try change.add(.importBegun(ImportBegun(format: "apple", digest: "")), in: .own(record))
        for id in [weight, changed] {
            for event in try decide(.add(entry("weight", ["value": "70"])), nil, isClosed: false, now: home.journal.now)
            {
                try change.add(event, in: .entry(id, of: record), expecting: .empty)
            }
        }
        _ = try await change.commit()
        let listed = try #require(try await home.journal.imports.list(into: record, home.owner).first)
        #expect(!listed.isComplete)
        #expect(listed.added == 2)
        #expect(listed.undone == nil)
        // What a person changes before the import goes on is not undone.
        _ = try await home.journal.entries.correctEntry(changed, home.owner) { content throws(ModelError) in
            try content.set("value", text: "71")
        }
        let more = UUID()
        change = try Change(home.journal, importer)
        for event in try decide(.add(entry("weight", ["value": "72"])), nil, isClosed: false, now: home.journal.now) {
            try change.add(event, in: .entry(more, of: record), expecting: .empty)
        }
        _ = try await change.commit()
        let undone = try await home.journal.imports.undoImport(into: record, home.owner)
        #expect(undone.retracted == 2)
        #expect(undone.kept.map(\.id) == [changed])
        #expect(try await home.state(record).entry(weight)?.isRetracted == true)
        let after = try #require(try await home.journal.imports.list(into: record, home.owner).first)
        #expect(after.undone == undone.position)
        #expect(after.position == listed.position)
    }

    @Test("What was corrected here stays so after a later import was undone, and when another field is filled in")
    func protected() async throws {
        let home = try await TestHousehold()
        var importer = home.owner
        importer.source = .import
        let weight = UUID()
        var document = try document(entries: [(weight, entry("weight", ["value": "70"]))])
        _ = try await home.journal.imports.take(document, importer)
        _ = try await home.journal.entries.correctEntry(weight, home.owner) { content throws(ModelError) in
            try content.set("value", text: "72")
        }
        _ = try await home.journal.records.changeRecord(document.id, home.owner) { profile throws(ModelError) in
            try profile.set("givenName", text: "Corrected")
            try profile.set("nickName", text: "Vi")
        }
        let first = document
        document.entries[0].content = try entry("weight", ["value": "75"])
        let second = try await home.journal.imports.take(document, importer)
        #expect(second.corrected == 1)
        #expect(second.kept == 1)
        #expect(!second.isProfileChanged)
        _ = try await home.journal.imports.undoImport(into: document.id, home.owner)
        let again = try await home.journal.imports.take(first, importer)
        #expect(again.corrected == 0)
        #expect(again.kept == 2)
        #expect(!again.isProfileChanged)
        let state = try await home.state(document.id)
        #expect(state.entry(weight)?.content.body.decimal(Weight.value)?.description == "72")
        #expect(state.profile.values.text(RecordProfile.givenName) == "Corrected")
        // The import that was undone can be repeated.
        #expect(try await home.journal.imports.take(document, importer).corrected == 1)
    }

    @Test("A document without a part of the profile leaves it as it is")
    func narrowProfile() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let caregiver = try await home.account("caregiver")
        let terms = GrantTerms(sections: [.doctorlist])
        _ = try await home.journal.sharing.grant(terms, to: caregiver.account, on: record, home.owner)
        let before = try await home.state(record).profile
        var bytes: [UInt8] = []
        try await home.journal.exports.export(record, by: caregiver).writeNative { bytes += $0 }
        let document = try NativeDocument.read(bytes, now: home.journal.now)
        #expect(document.profile.values.day(RecordProfile.birthdate) == nil)
        #expect(document.profile.values != before.values)
        let head = try home.head
        let report = try await home.journal.imports.take(document, home.owner)
        #expect(!report.isProfileChanged)
        #expect(report.kept == 0)
        #expect(report.position == nil)
        #expect(try home.head == head)
    }

    @Test("An import that is too large to be decided on again imports nothing if the record changes meanwhile")
    func largeBesideChanges() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        var large = try document(entries: [(UUID(), entry("weight", ["value": "70"]))])
        let id = large.id
        _ = try await journal.imports.take(large, owner)
        let content = try entry("weight", ["value": "71"])
        large.entries += (1...10_001).map { ImportedEntry(id: UUID(), content: content, path: "entries[\($0)]") }
        let isOver = Guarded(false)
        // On a thread of its own, because an import does not wait for other tasks while it decides.
        async let changes = BlockingWork.run {
            var count = 0
            while !isOver.withLock(\.self) {
                var change = try Change(besides: journal, owner)
                try change.add(.importBegun(ImportBegun(format: "native", digest: "")), in: .own(id))
                try change.enqueue { _ in }
                count += 1
                usleep(10_000)
            }
            return count
        }
        let error = await refusal { [large] in _ = try await journal.imports.take(large, owner) }
        isOver.withLock { $0 = true }
        #expect(try await changes > 0)
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("import again") == true)
        #expect(try await home.state(id).entries.count == 1)
        let alone = try await journal.imports.take(large, owner)
        #expect(alone.added == 10_001)
        #expect(alone.unchanged == 1)
    }
}

extension ImportTests {
    private func document(_ id: UUID = UUID(), entries: [(UUID, EntryContent)]) -> ImportedRecord {
        document(id, .human, entries)
    }
}
