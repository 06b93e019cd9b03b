import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("Disclosure beside the answer")
struct DisclosureTests {
    private func failure(_ body: () async throws -> Void) async -> JournalError? {
        do {
            try await body()
            return nil
        } catch {
            return JournalError(error)
        }
    }

    @Test("Prefixes of ids reveal nothing about entries that the caller may not see, before and after a revoke")
    func prefixes() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ines")
        let illness = try await home.add("illness", ["name": "Hidden"], to: record)
        let doctor = try await home.add("doctor", ["name": "Dr. Seen"], to: record)
        let anna = try await home.account("anna")
        _ = try await home.journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: anna.account,
            on: record,
            home.owner
        )
        func start(_ id: UUID) -> String { String(id.text.prefix(18)) }
        #expect(try home.journal.records.entry(start(doctor), anna) == doctor)
        let hidden = await failure { _ = try home.journal.records.entry(start(illness), anna) }
        let absent = await failure { _ = try home.journal.records.entry("ffffffff-ffff-7fff", anna) }
        #expect(hidden == absent)
        #expect(hidden?.code == .notFound)
        #expect(try home.journal.records.entry(start(illness), home.owner) == illness)
        _ = try await home.journal.sharing.revoke(anna.account, on: record, home.owner)
        #expect(await failure { _ = try home.journal.records.entry(start(doctor), anna) } == absent)
        #expect(await failure { _ = try home.journal.records.record(start(record), anna) }?.code == .notFound)
    }

    @Test("An answer to a caregiver reveals neither that a hidden entry has changed nor when")
    func moments() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ines")
        _ = try await home.add("doctor", ["name": "Dr. Seen"], to: record)
        let anna = try await home.account("anna")
        _ = try await home.journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: anna.account,
            on: record,
            home.owner
        )
        let before = try await home.journal.records.read(record, ReadOptions(), anna)
        _ = try await home.add("illness", ["name": "Hidden"], to: record)
        let after = try await home.journal.records.read(record, ReadOptions(), anna)
        #expect(after.state == before.state)
        #expect(after.asOf == before.asOf)
        let listed = try await home.journal.records.listRecords(home.owner).map(\.updated)
        #expect(listed != (try await home.journal.records.listRecords(anna).map(\.updated)))
        _ = try await home.add("doctor", ["name": "Dr. Other"], to: record)
        let seen = try await home.journal.records.read(record, ReadOptions(), anna)
        #expect(seen.asOf.position > after.asOf.position)
        #expect(seen.state.updated == seen.asOf)
        // The list tells the same.
        #expect(try await home.journal.records.listRecords(anna).first?.updated == seen.state.updated)
        _ = try await home.add("illness", ["name": "Hidden too"], to: record)
        // Nor does it tell a caregiver with all sections when something else than an entry changed.
        let ben = try await home.account("ben")
        _ = try await home.journal.sharing.grant(GrantTerms(), to: ben.account, on: record, home.owner)
        let known = try await home.journal.records.listRecords(ben).first?.updated
        _ = try await home.journal.records.changeRecord(record, home.owner) { profile throws(ModelError) in
            try profile.set("nickName", text: "Vi")
        }
        #expect(try await home.journal.records.listRecords(ben).first?.updated == known && known?.position != nil)
        #expect(try await home.journal.records.listRecords(anna).first?.updated == seen.state.updated)
    }

    @Test("Ids that a document lacks are the same in every import into one journal, and differ between journals")
    func ids() async throws {
        let text = #"{"isPet": false, "personalGivenName": "Ines", "bloodEntries": [{"name": "HIV negative"}]}"#
        func read(_ journal: Journal) throws -> ImportedRecord {
            let namespaces = try journal.imports.purusNamespaces(isTrial: false)
            let options = PurusOptions(zone: .gmt, now: journal.now, namespaces: namespaces)
            return try PurusDocument.read(Array(text.utf8), options: options)
        }
        let (one, other) = (try await TestHousehold(), try await TestHousehold())
        let first = try read(one.journal)
        _ = try await one.journal.imports.take(first, one.owner)
        #expect(try read(one.journal) == first)
        #expect(try read(other.journal).id != first.id)
        let foreign = PurusNamespaces(
            records: try other.journal.log.opaqueID(of: "purus", subject: other.journal.log.description.id)
        ) { $0 }
        let guess = try PurusDocument.read(
            Array(text.utf8),
            options: PurusOptions(zone: .gmt, now: one.journal.now, namespaces: foreign)
        )
        #expect(Set(guess.entries.map(\.id)).isDisjoint(with: first.entries.map(\.id)))
    }

    @Test("An id of all zeros, which means no id, is refused")
    func zero() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ines")
        let head = try home.head
        let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let content = try entry("weight", ["value": "1", "unit": "kg"])
        let refused = await failure {
            _ = try await home.journal.entries.addEntry(content, to: record, id: zero, home.owner)
        }
        #expect(refused?.code == .invalid)
        #expect(refused?.field == "id")
        #expect(try home.head == head)
    }

    @Test("Only the owner may administer the journal, and refused attempts of others are recorded")
    func administration() async throws {
        let home = try await TestHousehold()
        let tool = try await home.account("scale", .tool)
        for attempt in 0..<2 {
            let head = try home.head
            let refused = await failure {
                if attempt == 0 { _ = try await home.journal.maintenance.examine(tool) }
                if attempt == 1 { _ = try await home.journal.rebuildView("MedicalRecords", tool) }
            }
            #expect(refused?.code == .refused)
            #expect(try home.events(after: head).map(\.type) == [AccessDenied.type])
        }
        #expect(try await home.journal.rebuildView("MedicalRecords", home.owner) == home.head)
    }

    @Test("Creating a journal resumes an earlier creation that was interrupted")
    func cutOff() async throws {
        let folder = try TemporaryFolder()
        let place = JournalFolder(folder.path + "/journal")
        let key = MasterKey()
        var options = EventLog.Options()
        options.mapSize = 1 << 30
        let id = UUID()
        try EventLog.create(in: place, masterKey: key, id: id, zone: "UTC", options: options).close()
        func make() async throws -> Journal {
            try await Journal.create(in: place, masterKey: key, id: UUID(), zone: .gmt, options: options)
        }
        let journal = try await make()
        #expect(journal.log.description.id == id)
        #expect(try journal.accounts.caller(Journal.ownerName, source: .commandLine).kind == .person)
        journal.close()
    }

    @Test("Adding the sample again does not undo changes to it")
    func sample() async throws {
        let home = try await TestHousehold()
        let added = try await home.journal.samples.addHousehold(home.owner)
        let ada = try #require(added.records.first)
        let weight = try #require(try await home.state(ada).entries.last { $0.kind == Weight.kind })
        _ = try await home.journal.entries.correctEntry(weight.id, home.owner) { content throws(ModelError) in
            try content.set("value", text: "60.1")
        }
        let state = try await home.state(ada)
        #expect(try await home.journal.samples.addHousehold(home.owner).isChanged == false)
        #expect(try await home.state(ada) == state)
    }
}
