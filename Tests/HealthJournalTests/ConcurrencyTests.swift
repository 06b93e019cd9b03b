import CaregiverPermissions
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

/// Runs `body` `count` times concurrently and returns the error of each run, or nil for the runs that succeeded.
private func atOnce(
    _ count: Int,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async -> [JournalError?] {
    await withTaskGroup(of: JournalError?.self) { group in
        for number in 0..<count {
            group.addTask { await refusal { try await body(number) } }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

@Suite("Unique values and concurrent changes")
struct ConcurrencyTests {
    private func animal(_ chip: String) throws -> RecordProfile {
        var profile = RecordProfile(subject: .animal)
        try profile.set("animalID", text: chip)
        return profile
    }

    @Test("A microchip number belongs to one animal, in every spelling, until it is released")
    func microchip() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let first = try #require(try await journal.records.createRecord(animal("756 0981-00934ab"), home.owner).record)
        for spelling in ["756098100934AB", "756-098-100-934-ab", " 756098100934ab "] {
            let before = try home.head
            let error = await refusal { _ = try await journal.records.createRecord(animal(spelling), home.owner) }
            #expect(error?.code == .conflict)
            #expect(error?.field == "animalID")
            #expect(error?.description.contains("934") == false)
            #expect(try home.head == before)
        }
        // Several animals may have no number.
        for _ in 0..<2 { _ = try await journal.records.createRecord(animal(""), home.owner) }
        // Changing only the spelling of the number is not a conflict.
        _ = try await journal.records.changeRecord(first, home.owner) { profile throws(ModelError) in
            try profile.set("animalID", text: "756098100934AB")
        }
        _ = try await journal.records.changeRecord(first, home.owner) { profile throws(ModelError) in
            try profile.set("animalID", text: "1")
        }
        let second = try #require(try await journal.records.createRecord(animal("756098100934AB"), home.owner).record)
        let taken = await refusal {
            _ = try await journal.records.changeRecord(second, home.owner) { profile throws(ModelError) in
                try profile.set("animalID", text: "1")
            }
        }
        #expect(taken?.code == .conflict)
        let state = try await home.state(second)
        #expect(state.profile.values.text(RecordProfile.animalID) == "756098100934AB")
    }

    @Test("An account's name is unique in every spelling")
    func names() async throws {
        let home = try await TestHousehold()
        _ = try await home.account("Zoë van Dam")
        for name in ["zoë van dam", "ZOË VAN DAM", "  Zoë  van Dam ", "Zoe\u{308} van Dam", "Owner"] {
            let profile = AccountProfile(name: name)
            let error = await refusal { _ = try await home.journal.accounts.addAccount(profile, home.owner) }
            #expect(error?.code == .conflict, "\(name)")
            #expect(error?.field == "name", "\(name)")
        }
        for name in ["", "   ", home.owner.account.text, home.owner.account.uuidString] {
            let profile = AccountProfile(name: name)
            let error = await refusal { _ = try await home.journal.accounts.addAccount(profile, home.owner) }
            #expect(error?.code == .invalid, "\(name)")
            #expect(error?.field == "name", "\(name)")
        }
        #expect(try home.journal.accounts.caller("ZOË VAN DAM", source: .http).name == "Zoë van Dam")
    }

    @Test("One of many concurrent claims of a value succeeds")
    func claimsAtOnce() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let chip = try animal("12345")
        let answers = await atOnce(12) { _ in _ = try await journal.records.createRecord(chip, owner) }
        #expect(answers.count { $0 == nil } == 1)
        #expect(answers.compactMap(\.self).allSatisfy { $0.code == .conflict })
        let names = await atOnce(12) { _ in
            _ = try await journal.accounts.addAccount(AccountProfile(name: "anna"), owner)
        }
        #expect(names.count { $0 == nil } == 1)
        #expect(try await journal.records.listRecords(owner).count == 1)
        #expect(try await journal.accounts.list(owner).map(\.name) == ["owner", "anna"])
    }

    @Test("A record has at most three active caregivers, also when grants are concurrent")
    func threeCaregivers() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Vi")
        var people: [UUID] = []
        for number in 0..<8 { people.append(try await home.account("person \(number)").account) }
        let all = people
        let answers = await atOnce(8) { number in
            _ = try await journal.sharing.grant(GrantTerms(), to: all[number], on: record, owner)
        }
        #expect(answers.compactMap(\.self).allSatisfy { $0.code == .conflict })
        func active() throws -> [Grant] {
            try journal.permissions.grants(of: record, asOf: home.head).active(on: journal.today)
        }
        #expect(try active().count == 3)
        #expect(answers.count { $0 == nil } == 3)
        let free = try #require(people.first { id in (try? active().contains { $0.account == id }) == false })
        #expect(
            await refusal { _ = try await journal.sharing.grant(GrantTerms(), to: free, on: record, owner) }?.code
                == .conflict
        )
        _ = try await journal.sharing.revoke(try #require(active().first).account, on: record, owner)
        _ = try await journal.sharing.grant(GrantTerms(), to: free, on: record, owner)
        #expect(try active().count == 3)
    }

    @Test("Each accepted correction of an entry is in its history, also when corrections are concurrent")
    func corrections() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Vi")
        let weight = try await home.add("weight", ["value": "1"], to: record)
        let answers = await atOnce(6) { number in
            _ = try await journal.entries.correctEntry(weight, owner) { content throws(ModelError) in
                let before = content.body.decimal(Weight.value)?.coefficient ?? 0
                content.body[Weight.value] = .decimal(ExactDecimal(coefficient: before + 1, scale: 0))
            }
            _ = number
        }
        let taken = answers.count { $0 == nil }
        #expect(taken >= 1)
        #expect(answers.compactMap(\.self).allSatisfy { $0.code == .conflict })
        // No correction is lost: each has added one to the value that it found.
        let state = try await home.state(record)
        #expect(state.entry(weight)?.content.body.decimal(Weight.value)?.coefficient == Int64(1 + taken))
        #expect(try await journal.trail.history(ofEntry: weight, owner).count == 1 + taken)
    }

    @Test("Nothing is added to a record after it is closed", arguments: 0..<4)
    func closing(round: Int) async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Vi")
        let weight = try await home.add("weight", ["value": "1"], to: record)
        let anna = try await home.account("anna").account
        let content = try entry("weight", ["value": "2"])
        let answers = await atOnce(24) { number in
            switch number {
            case 12: _ = try await journal.records.closeRecord(record, owner)
            case 13: _ = try await journal.sharing.grant(GrantTerms(), to: anna, on: record, owner)
            case 14: _ = try await journal.entries.retractEntry(weight, owner)
            default: _ = try await journal.entries.addEntry(content, to: record, owner)
            }
        }
        #expect(answers.compactMap(\.self).allSatisfy { $0.code == .conflict })
        let events = try home.events(after: 0).filter { $0.subject == record && $0.type.category != .access }
        #expect(events.count { $0.type == RecordClosed.type } == 1)
        #expect(events.last?.type == RecordClosed.type)
        #expect(await refusal { _ = try await journal.entries.addEntry(content, to: record, owner) }?.code == .conflict)
        #expect(
            await refusal {
                _ = try await journal.entries.attachDocument([1], entry("document", ["name": "n"]), to: record, owner)
            }?
            .code == .conflict
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.blobs).isEmpty)
    }
}
