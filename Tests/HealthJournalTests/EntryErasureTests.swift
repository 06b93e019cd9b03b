import CostSummary
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import MedicalRecords
import PlanCalendar
import TestSupport
import Testing

@testable import EventLog
@testable import JournalCore

@Suite("Erasure of an entry")
struct EntryErasureTests {
    private static let reason = "the letter was about somebody else"

    /// A person with a document of which there are two versions, and a weight.
    private struct Scene {
        let home: TestHousehold
        let record: UUID
        /// The position of the record's creation.
        let begun: UInt64
        let letter: UUID
        let weight: UUID

        init() async throws {
            home = try await TestHousehold(clock: TestClock("2026-03-10"))
            record = try await home.person("Ida")
            begun = try home.head
            let content = try entry("document", ["name": "Befund Ottilie.pdf"])
            let added = try await home.journal.entries.attachDocument(
                Array("Ottilie has measles".utf8),
                content,
                to: record,
                home.owner
            )
            letter = try #require(added.entry)
            _ = try await home.journal.entries.correctEntry(letter, home.owner) { content throws(ModelError) in
                try content.set("name", text: "Befund Zumsteg.pdf")
            }
            weight = try await home.add("weight", ["value": "71.5", "unit": "kg"], to: record)
        }

        var giving: Caller {
            var caller = home.owner
            caller.reason = EntryErasureTests.reason
            return caller
        }

        func erase() async throws -> WriteResult { try await home.journal.erasure.eraseEntry(letter, giving) }
    }

    @Test("An erased entry is gone from the record at every position, and the rest of the record stays")
    func gone() async throws {
        let scene = try await Scene()
        let home = scene.home
        let preview = try await home.journal.erasure.previewErasure(ofEntry: scene.letter, home.owner)
        #expect(preview.versionCount == 2)
        #expect(preview.hasFile)
        #expect(preview.referring.isEmpty)
        let before = try home.head
        let corrected = try #require(home.journal.log.events(of: scene.letter).last).position
        let result = try await scene.erase()
        let sentence = "entry \(scene.letter.text): erased on 2026-03-10 (position \(result.position))"
        #expect(result.position == before + 1)
        #expect(result.entry == scene.letter)

        // The last change was the erasure: an earlier one is not undone in its place.
        let undone = await refusal { _ = try await home.journal.entries.undo(in: scene.record, home.owner) }
        #expect(undone?.code == .conflict)
        #expect(undone?.message.contains("position \(result.position)") == true)
        #expect(try home.head == result.position)

        for round in 0..<3 {
            for position in 1...(try home.head) {
                let options = ReadOptions(asOf: .position(position), includesRetracted: true)
                guard position >= scene.begun else { continue }
                let state = try await home.journal.records.read(scene.record, options, home.owner).state
                #expect(!state.entries.contains { $0.id == scene.letter }, "position \(position)")
            }
            let now = try await home.state(scene.record)
            #expect(now.entries.map(\.id) == [scene.weight])
            for (number, operation) in [
                {
                    _ = try await home.journal.entries.entry(
                        scene.letter,
                        of: Document.kind,
                        in: scene.record,
                        home.owner
                    )
                },
                {
                    _ = try await home.journal.entries.entry(
                        named: scene.letter.text,
                        asOf: .position(before),
                        home.owner
                    )
                },
                { _ = try await home.journal.trail.history(ofEntry: scene.letter, home.owner) },
                { _ = try await home.journal.entries.document(scene.letter, home.owner) },
                { _ = try await home.journal.entries.retractEntry(scene.letter, home.owner) },
                { _ = try await home.journal.erasure.eraseEntry(scene.letter, scene.giving) },
                { _ = try await home.journal.entries.undo(in: scene.record, position: corrected, home.owner) },
            ]
            .enumerated() as EnumeratedSequence<[() async throws -> Void]> {
                let error = await refusal(operation)
                // What is undone is a change, which is not there any more.
                let code: JournalError.Code = number == 6 ? .notFound : .erased
                #expect(error?.code == code, "operation \(number)")
                if code == .erased { #expect(error?.message == sentence, "operation \(number)") }
            }
            #expect(try home.journal.log.verify().isSound)
            // Read from views that were rebuilt, and after a restart.
            if round == 0 {
                for view in Journal.viewNames {
                    _ = try await home.journal.rebuildView(view, home.owner)
                }
            }
            if round == 1 { try home.reopen { try home.remove(home.folder.index, home.folder.views) } }
        }
    }

    @Test("No file of the journal contains the key, the sealed key or the attachment, and nothing can be decrypted")
    func traces() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        let blobs = try FileManager.default.subpathsOfDirectory(atPath: home.folder.blobs).filter { $0.contains("/") }
        #expect(blobs.count == 1)
        _ = try await scene.erase()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.folder.blobs).allSatisfy { !$0.contains("/") })
        var readable = ""
        for event in try journal.log.events(after: 0, limit: 1_000) {
            if event.isSealedByEntry, event.header.entry == scene.letter {
                let error = #expect(throws: EventLogError.self) { try journal.log.recorded(event) }
                #expect(error?.code == .subjectErased)
            } else {
                readable += "\(try journal.log.recorded(event))"
            }
        }
        for word in ["Ottilie", "Zumsteg", "measles", "Befund"] { #expect(!readable.contains(word), "\(word)") }
        #expect(readable.contains(Self.reason))
        #expect(readable.contains("71.5"))
    }

    @Test("A file that another entry of the record has as well is kept")
    func sharedFile() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        let copy = try await journal.entries.attachDocument(
            Array("Ottilie has measles".utf8),
            try entry("document", ["name": "a copy"]),
            to: scene.record,
            home.owner
        )
        #expect(try await !journal.erasure.previewErasure(ofEntry: scene.letter, home.owner).hasFile)
        _ = try await scene.erase()
        let file = try await journal.entries.document(try #require(copy.entry), home.owner)
        #expect(file.bytes == Array("Ottilie has measles".utf8))
    }

    @Test("Sums of costs, also those of the past, are as if the entry had never been added")
    func costs() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        func add(_ amount: String, _ year: String) async throws -> UUID {
            try await home.add(
                "cost",
                ["amount": amount, "currency": "EUR", "year": year, "basis": "item"],
                to: record
            )
        }
        _ = try await add("10", "2026")
        let wrong = try await add("99", "2026")
        let middle = try home.head
        // A correction moves it to another year, so that two sums contain it, at different times.
        _ = try await home.journal.entries.correctEntry(wrong, home.owner) { content throws(ModelError) in
            try content.set("year", text: "2025")
        }
        _ = try await add("5", "2025")
        var caller = home.owner
        caller.reason = "not her bill"
        _ = try await home.journal.erasure.eraseEntry(wrong, caller)
        for round in 0..<2 {
            func sums(_ position: UInt64) throws -> [Int64: String] {
                var sums: [Int64: String] = [:]
                for total in try home.journal.costs.totals(of: record, asOf: position) {
                    sums[total.bucket.year] = total.sum.description
                }
                return sums
            }
            #expect(try sums(home.head) == [2026: "10", 2025: "5"], "round \(round)")
            #expect(try sums(middle) == [2026: "10"], "round \(round)")
            if round == 0 { try home.reopen { try home.remove(home.folder.index, home.folder.views) } }
        }
    }

    @Test("Doses stay when their plan is erased, and the preview counts them")
    func references() async throws {
        let home = try await TestHousehold(clock: TestClock("2026-03-10"))
        let record = try await home.person("Ida")
        let drug = try await home.add("drug", ["name": "Aspirin", "date": "2026-01-01"], to: record)
        let finding = try await home.add("weight", ["value": "70", "unit": "kg"], to: record)
        _ = try await home.journal.care.logDose(DoseRequest(plan: drug, status: .taken), in: record, home.owner)
        let preview = try await home.journal.erasure.previewErasure(ofEntry: drug, home.owner)
        #expect(preview.referring == [Dose.kind: 1])
        #expect(preview.sentences.last == "entries that refer to it stay, and may name it: 1 dose")
        var caller = home.owner
        caller.reason = "it was her sister's"
        _ = try await home.journal.erasure.eraseEntry(drug, caller)
        let kinds = try await home.state(record).entries.map(\.kind)
        #expect(kinds == [Weight.kind, Dose.kind])
        // The pages of the day, and every other query of the record, work without the plan.
        _ = try await home.journal.care.due(of: record, CareQuestion(), home.owner)
        let refused = await refusal {
            _ = try await home.journal.care.logDose(DoseRequest(plan: drug, status: .taken), in: record, home.owner)
        }
        #expect(refused?.code == .erased)
        #expect(try await home.journal.entries.entry(finding, of: Weight.kind, in: record, home.owner).id == finding)
    }

    @Test("An erased dose leaves no day on which it was ever listed, and its slot can be logged again")
    func doses() async throws {
        let home = try await TestHousehold(clock: TestClock("2026-03-10"))
        let record = try await home.person("Ida")
        var content = try entry("drug", ["name": "Lisinopril"])
        let from = try WallMoment(parsing: "2026-03-01")
        let pattern = try PlanRule.Pattern(.daily, parsing: "08:00=1", anchor: from.day) { UUID() }
        content.addRule(PlanRule(id: UUID(), from: from, pattern: pattern, recordedAt: Instant(microseconds: 0)))
        let plan = try #require(try await home.journal.entries.addEntry(content, to: record, home.owner).entry)
        func log() async throws -> UUID {
            var request = DoseRequest(plan: plan, status: .taken)
            request.target = .wall(try WallMoment(parsing: "2026-03-10T08:00"))
            let result = try await home.journal.care.logDose(request, in: record, home.owner)
            return try #require(result.write.entry)
        }
        let wrong = try await log()
        _ = try await home.journal.entries.correctEntry(wrong, home.owner) { content throws(ModelError) in
            try content.set("date", text: "2026-03-08T09:00:00Z")
        }
        let corrected = try home.head
        let reason = home.owner.giving(reason: "logged for the wrong person")
        _ = try await home.journal.erasure.eraseEntry(wrong, reason)
        for position in [corrected, try home.head] {
            let days = Day(daysSince1970: .min)...Day(daysSince1970: .max)
            let items = try home.journal.planCalendar.items(
                of: Dose.kind,
                plans: [plan],
                in: record,
                days: days,
                asOf: position
            )
            #expect(items.isEmpty, "position \(position)")
        }
        let again = try await log()
        #expect(again != wrong)
        #expect(try await log() == again)
        _ = try await home.journal.erasure.eraseEntry(again, reason)
        #expect(try await ![wrong, again].contains(log()))
    }

    @Test("Only an owner may erase an entry; a reason is needed, and no hold may forbid it")
    func gate() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        #expect(await refusal { _ = try await journal.erasure.eraseEntry(scene.letter, home.owner) }?.field == "reason")
        let anna = try await home.account("anna")
        let stranger = try await home.account("stranger")
        let terms = GrantTerms(verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(terms, to: anna.account, on: scene.record, home.owner)
        for caller in [anna, stranger] {
            let caller = caller.giving(reason: "a reason")
            #expect(await refusal { _ = try await journal.erasure.eraseEntry(scene.letter, caller) }?.code == .refused)
            let asked = await refusal { _ = try await journal.erasure.previewErasure(ofEntry: scene.letter, caller) }
            #expect(asked?.code == .refused)
        }
        let stale = await refusal {
            _ = try await journal.erasure.eraseEntry(scene.letter, expecting: ExpectedEntry(position: 1), scene.giving)
        }
        #expect(stale?.code == .stale)
        _ = try await journal.erasure.holdRecord(scene.record, until: Day(parsing: "2026-04-01"), scene.giving)
        #expect(await refusal { _ = try await scene.erase() }?.code == .conflict)
        try home.clock.set("2026-04-02T10:00:00Z")
        _ = try await scene.erase()
        // To others than those who may see the record, an erased entry is what a missing one is.
        let seen = await refusal { _ = try await journal.entries.entry(named: scene.letter.text, stranger) }
        #expect(seen?.code == .notFound)
        let told = await refusal { _ = try await journal.entries.entry(named: scene.letter.text, anna) }
        #expect(told?.code == .erased)
    }

    @Test("Who saw the entry can still be listed after it was erased")
    func accesses() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        let anna = try await home.account("anna")
        _ = try await journal.sharing.grant(GrantTerms(), to: anna.account, on: scene.record, home.owner)
        _ = try await journal.entries.document(scene.letter, anna)
        _ = try await journal.records.read(scene.record, ReadOptions(kinds: [Weight.kind]), anna)
        let before = try await journal.trail.accesses(
            of: scene.record,
            by: anna.account,
            showing: scene.letter,
            home.owner
        )
        #expect(before.count == 1)
        _ = try await scene.erase()
        // A later read of the same kind does not show it.
        _ = try await journal.records.read(scene.record, ReadOptions(), anna)
        let after = try await journal.trail.accesses(
            of: scene.record,
            by: anna.account,
            showing: scene.letter,
            home.owner
        )
        #expect(after == before)
        let history = try await journal.trail.history(ofRecord: scene.record, home.owner)
        #expect(history.last?.type == EntryErased.type)
        #expect(history.last?.reason == Self.reason)
        #expect(!history.contains { $0.entry == scene.letter && $0.type != EntryErased.type })
    }

    @Test("A backup from before the entry was added holds the keys that its key is derived from")
    func receiptOfLaterEntry() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        let place = URL(filePath: home.folder.path).deletingLastPathComponent().path + "/backup"
        let backup = try await journal.maintenance.backUp(to: place, home.owner)
        let late = try await home.add("weight", ["value": "99", "unit": "kg"], to: scene.record)
        _ = try await journal.erasure.eraseEntry(late, scene.giving)
        let receipt = try await journal.erasure.receipt(ofEntry: late, in: scene.record, home.owner)
        #expect(try ErasureReceipt(parsing: Array(receipt.text.utf8)).backups.map(\.place) == [backup.report.place])
    }

    @Test("An erased entry is reported only under its own kind, and to a device only for its own record")
    func otherKind() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        _ = try await scene.erase()
        func code(_ kind: Kind) async -> JournalError.Code? {
            await refusal { _ = try await journal.entries.entry(scene.letter, of: kind, in: scene.record, home.owner) }?
                .code
        }
        #expect(await code(Document.kind) == .erased)
        #expect(await code(Weight.kind) == .notFound)
        let anna = try await home.account("anna")
        let own = try await home.person("Bea", anna)
        let command = SyncCommand(
            id: UUID().text,
            device: try await journal.sync.addDevice(named: "phone", anna).id,
            seq: 1,
            madeAt: journal.now,
            record: own,
            entry: scene.letter,
            kind: Weight.kind,
            action: .add,
            base: nil,
            content: try entry("weight", ["value": "70", "unit": "kg"])
        )
        #expect(await refusal { _ = try await journal.sync.take(command, offset: 0, anna) }?.code == .conflict)
    }

    @Test("The receipt names the record and the entry, and backups that still hold the key")
    func receipt() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        let place = URL(filePath: home.folder.path).deletingLastPathComponent().path + "/backup"
        let backup = try await journal.maintenance.backUp(to: place, home.owner)
        let early = await refusal {
            _ = try await journal.erasure.receipt(ofEntry: scene.letter, in: scene.record, home.owner)
        }
        #expect(early?.code == .conflict)
        let result = try await scene.erase()
        func receipt() async throws -> ErasureReceipt {
            let text = try await journal.erasure.receipt(ofEntry: scene.letter, in: scene.record, home.owner).text
            return try ErasureReceipt(
                parsing: Array(text.utf8),
                verifiedBy: [journal.log.keys.signer(of: journal.log.description.id).verifier]
            )
        }
        let first = try await receipt()
        #expect(first.record == scene.record)
        #expect(first.entry == scene.letter)
        #expect(first.position == result.position)
        #expect(first.backups.map(\.place) == [backup.report.place])

        // Restoring the older backup does not restore the entry if the receipt is given.
        var request = RestoreRequest(
            backup: place,
            folder: JournalFolder(place + "-restored"),
            masterKeyFile: try home.writeMasterKey(),
            account: Journal.ownerName,
            reason: "a fire",
            source: .commandLine
        )
        let text = try await journal.erasure.receipt(ofEntry: scene.letter, in: scene.record, home.owner).text
        request.receipts = [("receipt", Array(text.utf8))]
        request.log.mapSize = 4 << 30
        _ = try await Journal.Maintenance.restore(request)
        let key = try MasterKey(file: request.masterKeyFile)
        let restored = try Journal(folder: request.folder, masterKey: key, options: request.log)
        defer { restored.close() }
        let owner = try restored.accounts.caller(Journal.ownerName, source: .commandLine)
        let gone = await refusal { _ = try await restored.entries.entry(named: scene.letter.text, owner) }
        #expect(gone?.code == .erased)
        #expect(
            try await restored.records.read(scene.record, ReadOptions(), owner).state.entries.map(\.id) == [
                scene.weight
            ]
        )
        #expect(try restored.log.verify().isSound)

        _ = try await journal.maintenance.backUp(to: place, home.owner)
        #expect(try await receipt().backups.isEmpty)
    }

    @Test("Importing a document again does not bring back an erased entry or its file")
    func imports() async throws {
        let home = try await TestHousehold()
        let (wrong, weight) = (UUID(), UUID())
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Imported")
        let document = ImportedRecord(
            id: UUID(),
            profile: profile,
            entries: [
                ImportedEntry(
                    id: wrong,
                    content: try entry("document", ["name": "letter.txt"]),
                    attachment: Array("Ottilie has measles".utf8),
                    path: "entries[0]"
                ),
                ImportedEntry(id: weight, content: try entry("weight", ["value": "70"]), path: "entries[1]"),
            ],
            shape: .native,
            unrepresented: []
        )
        _ = try await home.journal.imports.take([document], home.owner)
        _ = try await home.journal.erasure.eraseEntry(wrong, home.owner.giving(reason: "not hers"))
        var changed = document
        changed.entries[1].content = try entry("weight", ["value": "71"])
        let report = try #require(try await home.journal.imports.take([changed], home.owner).first)
        #expect(report.kept == 1)
        #expect(report.added == 0)
        #expect(report.corrected == 1)
        #expect(try await home.state(document.id).entries.map(\.id) == [weight])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.folder.blobs).allSatisfy { !$0.contains("/") })
    }

    @Test("Events of entries are sealed under the entry's key, and the log and the model agree on the codes")
    func codes() async throws {
        let scene = try await Scene()
        let events = try scene.home.journal.log.events(after: 0, limit: 1_000)
        for event in events {
            #expect(event.isSealedByEntry == (event.header.category == EventCategory.entry.rawValue))
        }
        #expect(events.count(where: \.isSealedByEntry) == 3)
        #expect(EventLog.entryErasedType == EntryErased.type.rawValue)
        #expect(EventLog.entryCategory == EventCategory.entry.rawValue)
        #expect(EventLog.recordCategory == EventCategory.record.rawValue)
    }

    @Test("The id of an erased entry cannot be used again, and erasing the record removes what remains of the entry")
    func again() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        _ = try await scene.erase()
        let other = try await home.person("Urs")
        for record in [scene.record, other] {
            let content = try entry("weight", ["value": "70", "unit": "kg"])
            let error = await refusal {
                _ = try await journal.entries.addEntry(content, to: record, id: scene.letter, home.owner)
            }
            #expect(error?.code == .conflict)
        }
        let drug = try await home.add("drug", ["name": "Aspirin", "date": "2026-01-01"], to: scene.record)
        var caller = home.owner
        caller.reason = "hers"
        _ = try await journal.erasure.eraseEntry(drug, caller)
        // The erased record takes what remains of its entries with it.
        _ = try await journal.erasure.eraseRecord(scene.record, caller)
        #expect(try journal.medicalRecords.erasure(ofEntry: drug) == nil)
        #expect(await refusal { _ = try await journal.entries.entry(named: drug.text, home.owner) }?.code == .erased)
    }
}
