import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("What a practice reads of what it wrote, after an owner ended its access")
struct WrittenEntriesTests {
    private func weight(_ text: String) throws -> EntryContent {
        try entry("weight", ["value": text, "unit": "kg"])
    }

    private func drug(_ name: String) throws -> EntryContent { try entry("drug", ["name": name]) }

    /// A caller who says what the entries are read for.
    private func asking(_ role: ClinicRole, _ clinic: TestPractice) throws -> Caller {
        var caller = try clinic.caller(role)
        caller.purpose = "complaint of 3 March"
        return caller
    }

    private func values(_ entries: [EntryState]) -> [String] {
        entries.map { $0.content.body.decimal(Weight.value)?.description ?? $0.content.body.text(Drug.name) ?? "" }
    }

    private func correct(_ id: UUID?, to value: String, _ journal: Journal, _ caller: Caller) async throws {
        _ = try await journal.entries.correctEntry(try #require(id), caller) { content throws(ModelError) in
            try content.set("value", text: value)
        }
    }

    @Test("It reads its own entries as it knew them, with a purpose, and nothing else; the owner sees who and why")
    func withdrawn() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, dog) = (clinic.journal, clinic.client, clinic.dogs[0])
        let (vet, nurse) = (try clinic.caller(.veterinarian), try clinic.caller(.nurse))
        _ = try await journal.entries.addEntry(try weight("20"), to: dog, owner)
        try await clinic.grantRecords()
        _ = try await journal.entries.addEntry(try weight("21"), to: dog, owner)
        let weighed = try await journal.entries.addEntry(try weight("22"), to: dog, nurse)
        let given = try await journal.entries.addEntry(try drug("Meloxicam"), to: dog, vet)
        let erased = try await journal.entries.addEntry(try drug("Wrong animal"), to: dog, vet)
        // Until here the practice sees what the owner does.
        try await correct(weighed.entry, to: "22.5", journal, owner)
        _ = try await journal.sharing.revoke(clinic.practice, on: dog, owner)
        // From here on it does not.
        try await correct(weighed.entry, to: "99", journal, owner)
        _ = try await journal.entries.retractEntry(try #require(given.entry), owner)
        _ = try await journal.entries.addEntry(try drug("Secret"), to: dog, owner)
        var reason = owner
        reason.reason = "not my dog"
        _ = try await journal.erasure.eraseEntry(try #require(erased.entry), reason)
        // Who wrote it has left: the practice answers for it.
        _ = try await journal.practices.changeMembers(
            of: clinic.practice,
            .revoke(account: nurse.account),
            clinic.home.owner
        )

        #expect(await refusal { _ = try await journal.records.read(dog, ReadOptions(), vet) }?.code == .refused)
        for role in [ClinicRole.veterinarian, .manager] {
            let caller = try asking(role, clinic)
            let found = try await journal.patients.entriesWritten(by: clinic.practice, in: dog, caller)
            #expect(values(found) == ["22.5", "Meloxicam"] && !found.contains { $0.isRetracted }, "\(role)")
        }
        for role in [ClinicRole.receptionist, .nurse] {
            let caller = try asking(role, clinic)
            let refused = await refusal {
                _ = try await journal.patients.entriesWritten(by: clinic.practice, in: dog, caller)
            }
            #expect(refused?.code == .refused, "\(role)")
        }
        for purpose in ["", " "] {
            var caller = vet
            caller.purpose = purpose
            let silent = caller
            let refused = await refusal {
                _ = try await journal.patients.entriesWritten(by: clinic.practice, in: dog, silent)
            }
            #expect(refused?.code == .invalid)
            #expect(refused?.field == "purpose")
        }
        let other = clinic.dogs[1]
        let caller = try asking(.veterinarian, clinic)
        let nothing = await refusal {
            _ = try await journal.patients.entriesWritten(by: clinic.practice, in: other, caller)
        }
        #expect(nothing?.code == .refused)
        // The table of changes says the same: neither an addition nor a read of the present.
        #expect(
            await refusal { _ = try await journal.entries.addEntry(try weight("23"), to: dog, caller) }?.code
                == .refused
        )

        let reads = try await journal.trail.accesses(of: dog, owner)
            .compactMap { event -> Access? in
                event.stamp.actor == vet.account ? (event.event.data as? RecordRead)?.access : nil
            }
        let last = try #require(reads.last { $0.purpose == "complaint of 3 March" })
        #expect(last.grantedBy == .practice(clinic.practice))
        #expect(last.entryCount == 2)
        #expect(last.asOf != nil)
    }

    @Test("Every entry counts that a member added by the practice's access, and no entry of the member's own")
    func writers() async throws {
        let clinic = try await TestPractice()
        let (journal, dog) = (clinic.journal, clinic.dogs[0])
        let vet = try clinic.caller(.veterinarian)
        // The veterinarian is a caregiver of the dog as well; what is added by that is private.
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(terms, to: vet.account, on: dog, clinic.client)
        try await clinic.grantRecords()
        _ = try await journal.entries.addEntry(try drug("Private"), to: dog, vet)
        _ = try await journal.sharing.revoke(vet.account, on: dog, clinic.client)
        _ = try await journal.entries.addEntry(try drug("Practice"), to: dog, vet)
        _ = try await journal.sharing.revoke(clinic.practice, on: dog, clinic.client)
        let found = try await journal.patients.entriesWritten(by: clinic.practice, in: dog, asking(.manager, clinic))
        #expect(values(found) == ["Practice"])
        // A member of another practice reads none of it, whatever its role there.
        let stranger = try await clinic.home.account("Stranger")
        let branch: PracticeProfile = try TestPractice.profile([("name", "Branch"), ("zone", "Europe/Zurich")])
        let other = try #require(try await journal.practices.createPractice(branch, stranger).id)
        _ = try await journal.practices.changeMembers(
            of: other,
            .grant(account: stranger.account, Membership(roles: Set(ClinicRole.allCases))),
            stranger
        )
        var asking = stranger
        asking.purpose = "curiosity"
        let caller = asking
        for practice in [clinic.practice, other] {
            let refused = await refusal { _ = try await journal.patients.entriesWritten(by: practice, in: dog, caller) }
            #expect(refused?.code == .refused)
        }
    }

    @Test("Access that ended by its last day, by narrower terms or by handing the record over ends each at its time")
    func ends() async throws {
        let clinic = try await TestPractice()
        let (journal, owner) = (clinic.journal, clinic.client)
        let (vet, desk) = (try asking(.veterinarian, clinic), try clinic.caller(.receptionist))
        // Until a day.
        var terms = GrantTerms.ofPractice
        terms.until = try Day(parsing: "2027-03-02")
        let first = clinic.dogs[0]
        _ = try await journal.sharing.grant(terms, to: clinic.practice, on: first, owner)
        let weighed = try await journal.entries.addEntry(try weight("22"), to: first, vet)
        try clinic.home.clock.set("2027-03-03T12:00:00Z")
        try await correct(weighed.entry, to: "99", journal, owner)
        let until = try await journal.patients.entriesWritten(by: clinic.practice, in: first, vet)
        #expect(values(until) == ["22"])
        // Another section than the present terms have.
        let second = clinic.dogs[1]
        let sections = Set(Section.allCases)
        let wide = GrantTerms(sections: sections, verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(wide, to: clinic.practice, on: second, owner)
        let kept = try await journal.entries.addEntry(try weight("22"), to: second, vet)
        let narrow = GrantTerms(sections: sections.subtracting([.myhealth]), verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(narrow, to: clinic.practice, on: second, owner)
        try await correct(kept.entry, to: "99", journal, owner)
        let narrowed = try await journal.patients.entriesWritten(by: clinic.practice, in: second, vet)
        #expect(values(narrowed) == ["22"])
        // As the custodian, and afterwards.
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Rex")
        let rex = try #require(
            try await journal.patients.createPatient(NewPatient(profile), at: clinic.practice, desk).record
        )
        let own = try await journal.entries.addEntry(try weight("22"), to: rex, vet)
        _ = try await journal.sharing.transfer(rex, to: owner.account, desk)
        _ = try await journal.sharing.revoke(clinic.practice, on: rex, owner)
        try await correct(own.entry, to: "99", journal, owner)
        let former = try await journal.patients.entriesWritten(by: clinic.practice, in: rex, vet)
        #expect(values(former) == ["22"])
    }
}
