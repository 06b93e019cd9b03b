import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("The emergency view of an animal, opened by a practice with the number of its microchip")
struct EmergencyByChipTests {
    private static let chip = "756098100000042"

    /// A dog with a chip, an allergy, a weight and an older dose, of an owner who never heard of the practice.
    private func found(_ clinic: TestPractice) async throws -> UUID {
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Rex")
        try profile.set("animalID", text: "756-0981 0000 0042")
        try profile.set("isOpenToEmergencies", text: "true")
        let rex = try #require(try await clinic.journal.records.createRecord(profile, clinic.client).record)
        _ = try await clinic.journal.entries.addEntry(entry("allergy", ["name": "Penicillin"]), to: rex, clinic.client)
        _ = try await clinic.journal.entries.addEntry(
            entry("weight", ["value": "21", "unit": "kg"]),
            to: rex,
            clinic.client
        )
        return rex
    }

    private func asking(_ role: ClinicRole, _ clinic: TestPractice) throws -> Caller {
        var caller = try clinic.caller(role)
        caller.reason = "hit by a car, nobody is with it"
        return caller
    }

    @Test("Shows what is urgent to the clinical staff for some hours, and nothing else; the owner is notified")
    func opened() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let rex = try await found(clinic)
        let (vet, nurse) = (try asking(.veterinarian, clinic), try clinic.caller(.nurse))
        #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), vet) }?.code == .refused)
        for role in [ClinicRole.receptionist, .manager] {
            let caller = try asking(role, clinic)
            let refused = await refusal {
                _ = try await journal.sharing.openEmergency(chip: Self.chip, in: clinic.practice, caller)
            }
            #expect(refused?.code == .refused, "\(role)")
        }
        let short = await refusal {
            _ = try await journal.sharing.openEmergency(
                chip: Self.chip,
                in: clinic.practice,
                clinic.caller(.veterinarian)
            )
        }
        #expect(short?.code == .invalid)
        #expect(short?.field == "reason")

        let opened = try await journal.sharing.openEmergency(chip: Self.chip, in: clinic.practice, hours: 2, vet)
        #expect(opened.record == rex)
        for caller in [vet, nurse] {
            let shown = try await journal.records.read(rex, ReadOptions(), caller)
            #expect(shown.state.entries.map { $0.kind.name } == ["allergy"] && shown.right.isEmergency)
            #expect(!shown.showsProfile)
            #expect(!shown.mayEdit)
        }
        let weights = ReadOptions(kinds: [Weight.kind])
        let past = ReadOptions(asOf: .position(opened.position))
        #expect(await refusal { _ = try await journal.records.read(rex, weights, vet) }?.code == .refused)
        #expect(await refusal { _ = try await journal.records.read(rex, past, vet) }?.code == .refused)
        let drug = try entry("drug", ["name": "Meloxicam"])
        #expect(await refusal { _ = try await journal.entries.addEntry(drug, to: rex, vet) }?.code == .refused)
        for role in [ClinicRole.receptionist, .manager] {
            let caller = try clinic.caller(role)
            #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), caller) }?.code == .refused)
        }
        // Nobody of another practice sees it by that.
        let stranger = try await clinic.home.account("Stranger")
        #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), stranger) }?.code == .refused)

        let notice = try #require(try await journal.sharing.notices(clinic.client).first)
        #expect(notice.record == rex)
        #expect(notice.emergency.account == clinic.practice)
        #expect(notice.emergency.opened.actor == vet.account)
        #expect(notice.emergency.reason == vet.reason)
        #expect(try await journal.sharing.acknowledgeNotice(notice.position, clinic.client).isChanged)
        // Who forbids it ends what is open.
        func permit(_ text: String) async throws {
            _ = try await journal.records.changeRecord(rex, clinic.client) { profile throws(ModelError) in
                try profile.set("isOpenToEmergencies", text: text)
            }
        }
        for text in ["false", ""] {
            try await permit(text)
            #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), vet) }?.code == .refused)
        }
        #expect(try await journal.sharing.notices(clinic.client).first?.emergency.ended?.actor == clinic.client.account)
        // Who permits it again opens none of the views of before.
        try await permit("true")
        #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), vet) }?.code == .refused)
        _ = try await journal.sharing.openEmergency(chip: Self.chip, in: clinic.practice, vet)
        #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), vet) } == nil)
        try clinic.home.clock.set("2027-03-01T23:30:00Z")
        #expect(await refusal { _ = try await journal.records.read(rex, ReadOptions(), vet) }?.code == .refused)
        #expect(try await journal.sharing.notices(clinic.client).first?.emergency.ended == nil)
    }

    @Test("Of a record that a practice keeps, its managers and veterinarians are notified, and acknowledge it")
    func kept() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        var profile = RecordProfile(subject: .animal)
        for (name, text) in [("name", "Rex"), ("animalID", Self.chip), ("isOpenToEmergencies", "true")] {
            try profile.set(name, text: text)
        }
        let desk = try clinic.caller(.receptionist)
        let rex = try #require(
            try await journal.patients.createPatient(NewPatient(profile), at: clinic.practice, desk).record
        )
        var vet = try await clinic.home.account("Night vet")
        var night = PracticeProfile(values: FieldValues())
        for (name, text) in [("name", "Night Clinic"), ("zone", "Europe/Zurich")] { try night.set(name, text: text) }
        let other = try #require(try await journal.practices.createPractice(night, vet).id)
        let membership = Membership(roles: [.manager, .veterinarian])
        _ = try await journal.practices.changeMembers(of: other, .grant(account: vet.account, membership), vet)
        // What the practice opens itself is no news to it.
        let own = try await journal.sharing.openEmergency(chip: Self.chip, in: clinic.practice, asking(.nurse, clinic))
        #expect(try await journal.sharing.notices(clinic.caller(.manager)).isEmpty && own.record == rex)
        vet.reason = "hit by a car"
        _ = try await journal.sharing.openEmergency(chip: Self.chip, in: other, vet)
        for role in ClinicRole.allCases {
            let isTold = [.manager, .veterinarian].contains(role)
            let notices = try await journal.sharing.notices(clinic.caller(role))
            #expect(notices.map(\.record) == (isTold ? [rex] : []), "\(role)")
        }
        #expect(try await journal.sharing.notices(vet).isEmpty)
        let manager = try clinic.caller(.manager)
        let notice = try #require(try await journal.sharing.notices(manager).first)
        #expect(
            await refusal { _ = try await journal.sharing.acknowledgeNotice(notice.position, desk) }?.code == .notFound
        )
        #expect(try await journal.sharing.acknowledgeNotice(notice.position, manager).isChanged)
        #expect(try await journal.sharing.notices(manager).first?.emergency.acknowledged?.actor == manager.account)
    }

    @Test("A number that is unknown, not permitted by the owner, released or erased is answered in the same way")
    func closed() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let rex = try await found(clinic)
        let vet = try asking(.veterinarian, clinic)
        func answer(_ chip: String) async -> JournalError? {
            await refusal { _ = try await journal.sharing.openEmergency(chip: chip, in: clinic.practice, vet) }
        }
        let unknown = try #require(await answer("756098100000043"))
        #expect(unknown.code == .notFound)
        #expect(unknown.field == "chip")
        #expect(await answer("") == unknown)
        _ = try await journal.records.changeRecord(rex, clinic.client) { profile throws(ModelError) in
            try profile.set("isOpenToEmergencies", text: "")
        }
        #expect(await answer(Self.chip) == unknown)
        #expect(try await journal.sharing.notices(clinic.client).isEmpty)
        // The owner sees the attempt.
        let refusals = try await journal.trail.accesses(of: rex, clinic.client).filter { $0.stamp.actor == vet.account }
        #expect(refusals.count == 1)
        _ = try await journal.records.changeRecord(rex, clinic.client) { profile throws(ModelError) in
            try profile.set("isOpenToEmergencies", text: "true")
            try profile.set("animalID", text: "")
        }
        #expect(await answer(Self.chip) == unknown)
        _ = try await journal.records.changeRecord(rex, clinic.client) { profile throws(ModelError) in
            try profile.set("animalID", text: Self.chip)
        }
        #expect(await answer(Self.chip) == nil)
        var reason = clinic.client
        reason.reason = "moved away"
        _ = try await journal.erasure.eraseRecord(rex, reason)
        #expect(await answer(Self.chip) == unknown)
    }
}
