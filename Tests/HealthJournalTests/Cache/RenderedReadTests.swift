import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Cached answers about a record")
struct RenderedReadTests {
    @Test("An answer is cached while nothing changes, and each read of it is recorded")
    func trace() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        for value in ["70", "71"] { _ = try await home.add("weight", ["value": value], to: record) }
        let reads = RenderedReads()
        let options = ReadOptions(kinds: [try #require(Kind.named("weight"))])
        var caller = home.owner
        for look in 1...5 {
            caller.purpose = "look \(look)"
            let before = try home.head
            _ = try await reads.read(record, home.journal, caller, options, as: .entries)
            let events = try home.events(after: before)
            guard events.count == 1, let access = (events.first?.event.data as? RecordRead)?.access else {
                Issue.record("look \(look) left \(events.count) events")
                return
            }
            #expect(access.entryCount == 2)
            #expect(access.sections == [.myhealth])
            #expect(access.purpose == "look \(look)")
            #expect(access.grantedBy == .owner)
            #expect(access.asOf == nil)
            #expect(events.first?.stamp.actor == caller.account)
        }
        #expect(reads.count == 1)
    }

    @Test("A cached answer is not shown after the grant was revoked, has ended or has lost a section")
    func grants() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        _ = try await home.add("weight", ["value": "70", "comment": "secret"], to: record)
        _ = try await home.add("doctor", ["name": "Dr. Seen"], to: record)
        let anna = try await home.account("anna")
        let reads = RenderedReads()
        let journal = home.journal
        func text() async throws -> String { try await reads.read(record, journal, anna) }
        func grant(_ terms: GrantTerms) async throws {
            _ = try await journal.sharing.grant(terms, to: anna.account, on: record, home.owner)
        }

        try await grant(GrantTerms(verbs: [.read], until: try Day(parsing: "2026-03-04")))
        let whole = try await reads.read(record, journal, home.owner)
        #expect(whole.contains("secret"))
        for _ in 0..<2 { #expect(try await text().contains("secret")) }

        try await grant(GrantTerms(sections: [.doctorlist], verbs: [.read]))
        for _ in 0..<2 {
            let narrow = try await text()
            #expect(!narrow.contains("secret"))
            #expect(!narrow.contains("Hidden Employer"))
            #expect(narrow.contains("Dr. Seen"))
            #expect(try await reads.read(record, journal, home.owner) == whole)
        }

        _ = try await journal.sharing.revoke(anna.account, on: record, home.owner)
        let before = try home.head
        #expect(await refusal { _ = try await text() }?.code == .refused)
        guard try home.events(after: before).first?.type == AccessDenied.type else {
            Issue.record("the refusal left no trace")
            return
        }

        try await grant(GrantTerms(verbs: [.read], until: try Day(parsing: "2026-03-04")))
        #expect(try await text().contains("secret"))
        // Only the day changes.
        try home.clock.set("2026-03-05T00:00:01Z")
        #expect(await refusal { _ = try await text() }?.code == .refused)
        #expect(try await reads.read(record, journal, home.owner) == whole)
    }

    @Test("An answer that an emergency allowed is not shown after the emergency has ended")
    func emergency() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        _ = try await home.add("allergy", ["name": "nuts", "information": "severe"], to: record)
        var anna = try await home.account("anna")
        let terms = GrantTerms(sections: [.doctorlist], verbs: [.read])
        _ = try await home.journal.sharing.grant(terms, to: anna.account, on: record, home.owner)
        let reads = RenderedReads()
        #expect(try await !reads.read(record, home.journal, anna).contains("nuts"))
        anna.reason = "she lies on the floor"
        _ = try await home.journal.sharing.openEmergency(record, anna)
        for _ in 0..<2 { #expect(try await reads.read(record, home.journal, anna).contains("nuts")) }
        try home.clock.set("2026-03-20T12:00:00Z")
        #expect(try await !reads.read(record, home.journal, anna).contains("nuts"))
    }

    @Test("The authorization gate decides on each answer, cached or not", arguments: Relation.allCases)
    func gate(relation: Relation) async throws {
        let scene = try await Scene(relation)
        let (journal, reads) = (scene.home.journal, RenderedReads())
        // An account with wider access has cached an answer before.
        _ = try await reads.read(scene.record, journal, scene.home.owner)
        let kinds: [[Kind]?] = [nil] + Kind.all.map { [$0] }
        for kinds in kinds {
            let options = ReadOptions(kinds: kinds)
            var expected: Result<String, JournalError>
            do {
                expected = .success(try await reads.fresh(scene.record, journal, scene.caller, options))
            } catch {
                expected = .failure(error)
            }
            for _ in 0..<2 {
                let found: Result<String, JournalError>
                do {
                    found = .success(try await reads.read(scene.record, journal, scene.caller, options))
                } catch {
                    found = .failure(error)
                }
                switch (found, expected) {
                case (.success(let text), .success(let other)): #expect(text == other)
                case (.failure(let error), .failure(let other)): #expect(error.message == other.message)
                default: Issue.record("\(kinds?.map(\.name) ?? []): \(found), not \(expected)")
                }
            }
        }
    }

    @Test("An erasure removes the record's answers from memory")
    func erased() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        _ = try await home.add("weight", ["value": "70"], to: record)
        let reads = RenderedReads()
        _ = try await reads.read(record, home.journal, home.owner)
        #expect(home.journal.cache.count == 1)
        _ = try await home.journal.erasure.eraseRecord(record, home.owner.giving(reason: "asked for it"))
        #expect(home.journal.cache.count == 0)
        #expect(await refusal { _ = try await reads.read(record, home.journal, home.owner) }?.code == .erased)
        #expect(home.journal.cache.count == 0)
    }

    @Test("An erasure by another process removes the record's cached answers, even without a read")
    func erasedElsewhere() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let reads = RenderedReads()
        _ = try await reads.read(record, home.journal, home.owner)
        let journal = home.journal
        // This erases the record as another process would: only the log contains the erasure.
        var change = try Change(journal, home.owner.giving(reason: "asked for it"))
        let stream = record
        try change.add(.recordErased, in: EventStream(id: stream, subject: journal.log.description.id, entry: record))
        _ = try await change.commit(erasing: record)
        #expect(journal.cache.count == 1)
        let keeper = Task { await journal.maintenance.keepViewsUpToDate() }
        for _ in 0..<200 where journal.cache.count > 0 { try await Task.sleep(for: .milliseconds(10)) }
        keeper.cancel()
        #expect(journal.cache.count == 0)
        #expect(await refusal { _ = try await reads.read(record, journal, home.owner) }?.code == .erased)
    }

    @Test("A cached answer as of a past position is never used for the current state, nor the reverse")
    func past() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let weight = try await home.add("weight", ["value": "170.25"], to: record)
        let then = try home.head
        let reads = RenderedReads()
        #expect(try await reads.read(record, home.journal, home.owner).contains("170.25"))
        _ = try await home.journal.entries.correctEntry(weight, home.owner) { content throws(ModelError) in
            try content.set("value", text: "171.25")
        }
        for _ in 0..<2 {
            #expect(try await reads.read(record, home.journal, home.owner).contains("171.25"))
            let past = try await reads.read(record, home.journal, home.owner, ReadOptions(asOf: .position(then)))
            #expect(past.contains("170.25"))
            #expect(!past.contains("171.25"))
        }
    }
}
