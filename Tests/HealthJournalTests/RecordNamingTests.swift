import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

/// Records that are found by a name, and records of one person.
@Suite("Names of records")
struct RecordNamingTests {
    @Test("Naming a record that the caller may not see is recorded on it, like naming its id, and shows nothing")
    func attempt() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ottilie")
        let anna = try await home.account("anna")
        var before = try home.head
        let answer = try await home.journal.records.lookUp(record: "ottilie", anna)
        let events = try home.events(after: before)
        #expect(events.map(\.type) == [AccessDenied.type])
        #expect(events.first?.subject == record)
        #expect(events.first?.stamp.actor == anna.account)
        #expect(!"\(try #require(events.first).event)".lowercased().contains("ottilie"))
        // A name that no record has gets the same answer and one event as well, on the journal.
        before = try home.head
        #expect(try await home.journal.records.lookUp(record: "Sieglinde", anna) == answer)
        let none = try home.events(after: before)
        #expect(none.map(\.type) == [AccessDenied.type])
        #expect(none.first?.subject == home.journal.log.description.id)
        #expect(!"\(try #require(none.first).event)".lowercased().contains("sieglinde"))
        // The owner, who may see it, is not refused.
        before = try home.head
        #expect(try await home.journal.records.lookUp(record: "Ottilie", home.owner) == .one(record, name: nil))
        #expect(try home.head == before)
    }

    @Test("Too many names that are tried are refused for a while")
    func guessing() async throws {
        let home = try await TestHousehold()
        _ = try await home.person("Ottilie")
        let anna = try await home.account("anna")
        home.journal.refusals.configure(window: .seconds(1), perMinute: 5)
        var codes: Set<JournalError.Code> = []
        for number in 0..<20 {
            try home.clock.set("2026-03-02T12:00:\(number * 2 + 10)Z")
            do {
                _ = try await home.journal.records.lookUp(record: "name \(number)", anna)
            } catch {
                codes.insert(error.code)
            }
        }
        #expect(codes == [.busy])
    }

    @Test("A value that must be unique is refused with what is known about it")
    func uniqueValues() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        _ = try await home.account("anna")
        func message(_ body: () async throws(JournalError) -> WriteResult) async -> String? {
            do {
                _ = try await body()
                return nil
            } catch {
                return error.message
            }
        }
        func add(_ name: String) async -> String? {
            await message { () throws(JournalError) in
                try await journal.accounts.addAccount(AccountProfile(name: name), home.owner)
            }
        }
        #expect(await add("Anna") == "is the name of another account")
        let gone = try await home.account("gone")
        _ = try await journal.accounts.removeAccount(gone.account, home.owner.giving(reason: "moved out"))
        #expect(await add("gone") == "was the name of an account that was removed: choose another name")
        var luna = RecordProfile(subject: .animal)
        try luna.set("name", text: "Luna")
        try luna.set("animalID", text: "756 0981 0000 0001")
        _ = try await journal.records.createRecord(luna, home.owner)
        try luna.set("name", text: "Stella")
        let taken = await message { () throws(JournalError) in try await journal.records.createRecord(luna, home.owner)
        }
        #expect(taken == "another record of this journal has this number")
    }

    @Test("A second record of one person is refused unless that is accepted; others of the name are not")
    func similar() async throws {
        let home = try await TestHousehold()
        func profile(_ given: String, _ birthdate: String = "") throws -> RecordProfile {
            var profile = RecordProfile(subject: .human)
            try profile.set("givenName", text: given)
            try profile.set("familyName", text: "Keller")
            if !birthdate.isEmpty { try profile.set("birthdate", text: birthdate) }
            return profile
        }
        func create(_ profile: RecordProfile, _ caller: Caller? = nil) async -> JournalError? {
            do {
                _ = try await home.journal.records.createRecord(profile, refusingSimilar: true, caller ?? home.owner)
                return nil
            } catch {
                return error
            }
        }
        #expect(try await create(profile("Rosa", "1984-05-17")) == nil)
        for (given, birthdate) in [("Rosa", "1984-05-17"), ("ROSA", "1984"), ("Rósa", "")] {
            let error = try await create(profile(given, birthdate))
            #expect(error?.code == .conflict, "\(given) \(birthdate)")
            #expect(error?.field == Journal.Records.similarRecord, "\(given) \(birthdate)")
            #expect(error?.message.contains("Keller") == false)
        }
        #expect(try await create(profile("Rosa", "1990")) == nil)
        #expect(try await create(profile("Rosmarie")) == nil)
        // Nobody learns of a record that they may not see.
        let anna = try await home.account("anna")
        #expect(try await create(profile("Rosa", "1984-05-17"), anna) == nil)
        _ = try await home.journal.records.createRecord(profile("Rosa", "1984-05-17"), home.owner)
    }
}
