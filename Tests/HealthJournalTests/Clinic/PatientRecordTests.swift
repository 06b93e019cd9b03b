import CaregiverPermissions
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalIngest

@Suite("What a practice sees of the records of its patients")
struct PatientRecordTests {
    private func animal(_ name: String, chip: String? = nil) throws -> RecordProfile {
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: name)
        try profile.set("species", text: "dog")
        if let chip { try profile.set("animalID", text: chip) }
        return profile
    }

    private func weight(_ text: String) throws -> EntryContent {
        var content = EntryContent(kind: Weight.kind, date: .day(try Day(parsing: "2027-03-01")))
        try content.set("value", text: text)
        try content.set("unit", text: "kg")
        return content
    }

    /// What a role may do, in the order of `actions`: `y` or `.`.
    private static let actions: [(name: String, action: Action)] = [
        ("profile", .read([], .read)), ("everything", .read(nil, .read)), ("weights", .read([Weight.kind], .read)),
        ("doctors", .read([Doctor.kind], .read)), ("past", .readPast([Weight.kind], .read)),
        ("add weight", .contribute(Weight.kind, .adding)), ("add drug", .contribute(Drug.kind, .adding)),
        ("change own weight", .contribute(Weight.kind, .changingOwn)),
        ("change others' weight", .contribute(Weight.kind, .changingOthers)), ("profile", .editProfile),
        ("hand over", .transfer), ("manage", .manage), ("revoke", .revoke), ("erase", .erase),
        ("who looked", .audit(.access)), ("history", .audit(.history)), ("emergency", .emergency),
        ("append", .append(category: "x")),
    ]

    @Test(
        "Each role of a practice may do with a record what the table says, by a grant and as its custodian",
        arguments: [
            ("veterinarian", true, "yyyyyyyyyyy...yy.."), ("nurse", true, ".yy.yy.y.........."),
            ("receptionist", true, "yy.......yy......."), ("manager", true, "yy.......yy..yy..."),
            ("veterinarian", false, ".yy.yyyy.........."), ("nurse", false, ".yy.yy.y.........."),
            ("receptionist", false, ".................."), ("manager", false, ".................."),
        ]
    )
    func table(role: String, isCustodian: Bool, expected: String) throws {
        let today = try Day(parsing: "2027-03-01")
        let membership = ActiveMembership(
            practice: UUID(),
            roles: [try #require(ClinicRole(rawValue: role))],
            now: Instant(microseconds: 0),
            today: today
        )
        let caller = Caller(account: UUID(), name: role, kind: .person, source: .commandLine)
        let stamp = Stamp(position: 3, recordedAt: Instant(microseconds: 0), actor: UUID())
        var permission = Permission(isOwner: isCustodian)
        if !isCustodian { permission.grant = Grant(account: membership.practice, terms: .ofPractice, given: stamp) }
        let found = PatientRecordTests.actions.map { _, action in
            let decision = Gate.decide(action, by: caller, as: membership, permission: permission)
            if case .allowed = decision { return "y" }
            return "."
        }
        #expect(found.joined() == expected)
        // Without access of the practice, no role may do anything; nor may a tool or an administrator with one.
        for (_, action) in PatientRecordTests.actions {
            let cases: [(Caller, Permission)] =
                [(caller, .none)]
                + [AccountKind.tool, .administrator, .auditor]
                .map { (Caller(account: UUID(), name: "x", kind: $0, source: .commandLine), permission) }
            for (caller, permission) in cases {
                let decision = Gate.decide(action, by: caller, as: membership, permission: permission)
                guard case .denied = decision else {
                    Issue.record("\(action) is allowed")
                    continue
                }
            }
        }
    }

    @Test("A record that a practice creates is kept by its staff, together with the client, in one append")
    func custodian() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let head = try clinic.home.head
        var new = NewPatient(try animal("Rex", chip: "756 093 900 111 222"))
        new.client = try TestPractice.profile([("lastName", "Moser"), ("phone", "+41 44 555 01 19")])
        new.registration = try TestPractice.profile([("alerts", "bites")])
        let rex = try #require(try await journal.patients.createPatient(new, at: clinic.practice, desk).record)
        // Record, claim of the chip, client, registration and what is kept about it.
        #expect(try clinic.home.head == head + 5)
        let found = try #require(
            try await journal.patients.list(of: clinic.practice, matching: .record(rex), desk).first
        )
        #expect(found.patient.name == "Rex")
        #expect(found.registration.profile.alerts == "bites")
        let clients = try await journal.clients.list(of: clinic.practice, desk)
        #expect(clients.map(\.id) == found.registration.profile.clients)

        // The chip is taken: nothing is appended, not even the client.
        let again = try clinic.home.head
        let taken = await refusal { _ = try await journal.patients.createPatient(new, at: clinic.practice, desk) }
        #expect(taken?.code == .conflict)
        #expect(taken?.field == "animalID")
        #expect(try clinic.home.head == again)

        // The veterinarian works with the record; the reception sees the profile and no entry.
        let vet = try clinic.caller(.veterinarian)
        _ = try await journal.entries.addEntry(try weight("21"), to: rex, vet)
        #expect(try await journal.records.read(rex, ReadOptions(), vet).state.entries.count == 1)
        let shown = try await journal.records.read(rex, ReadOptions(), desk)
        #expect(shown.state.entries.isEmpty)
        #expect(shown.state.displayName == "Rex")
        #expect(shown.mayEdit)
        #expect(!shown.mayManage)
        #expect(shown.right == .practice(clinic.practice))
        for caller in [clinic.client, clinic.home.owner] {
            // The owner of the journal manages the practice, and sees the profile alone.
            let read = await refusal {
                _ = try await journal.records.read(rex, ReadOptions(kinds: [Weight.kind]), caller)
            }
            #expect(read?.code == .refused)
        }
        // It is booked like any other patient.
        let start = try AppointmentRequest.Start(parsing: "2027-03-02T09:00")
        var asked = AppointmentRequest(practice: clinic.practice, record: rex, start: start)
        asked.service = clinic.checkUp
        asked.specialist = clinic.ada
        #expect(try await journal.appointments.book(asked, desk).isChanged)
    }

    @Test("Nobody in a practice takes over a record that it keeps, or gives others access to it")
    func escalation() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let rex = try #require(
            try await journal.patients.createPatient(NewPatient(try animal("Rex")), at: clinic.practice, desk).record
        )
        let friend = try await clinic.home.account("Friend").account
        for role in ClinicRole.allCases {
            let caller = try clinic.caller(role)
            for account in [caller.account, friend] {
                let attempts: [() async throws -> Void] = [
                    { _ = try await journal.sharing.grant(GrantTerms(), to: account, on: rex, caller) },
                    { _ = try await journal.sharing.addOwner(account, to: rex, caller) },
                    { _ = try await journal.sharing.invite(GrantTerms(), to: rex, days: 3, caller) },
                    { _ = try await journal.records.closeRecord(rex, caller) },
                    { _ = try await journal.erasure.holdRecord(rex, until: journal.today, caller.giving(reason: "x")) },
                    { _ = try await journal.sharing.removeOwner(clinic.practice, from: rex, caller) },
                ]
                for attempt in attempts { #expect(await refusal(attempt)?.code == .refused, "\(role)") }
            }
            let code = await refusal { _ = try await journal.sharing.transfer(rex, to: caller.account, caller) }?.code
            #expect(code == (role == .nurse ? .refused : .conflict), "\(role)")
        }
        #expect(try await journal.sharing.owners(of: rex, clinic.caller(.manager)) == [clinic.practice])
        // The reception changes the profile with the version that it has seen, also after others added entries.
        _ = try await journal.entries.addEntry(try weight("21"), to: rex, clinic.caller(.veterinarian))
        let seen = try await journal.records.read(rex, ReadOptions(), desk).version
        let changed = try await journal.records.changeRecord(rex, expecting: seen, desk) { profile throws(ModelError) in
            try profile.set("breed", text: "Collie")
        }
        #expect(changed.isChanged)
        // A document does not change what the practice keeps either.
        var document = ImportedRecord(
            id: rex,
            profile: try animal("Max"),
            entries: [],
            shape: .native,
            unrepresented: []
        )
        document.entries = [ImportedEntry(id: UUID(), content: try weight("90"), path: "x")]
        let imported = document
        #expect(await refusal { _ = try await journal.imports.take(imported, desk) }?.code == .refused)
    }

    @Test("A record that is handed over belongs to its owner, and the practice keeps treating until that is ended")
    func handOver() async throws {
        let clinic = try await TestPractice()
        let (journal, desk, vet) = (clinic.journal, try clinic.caller(.receptionist), try clinic.caller(.veterinarian))
        let new = NewPatient(try animal("Rex"))
        let rex = try #require(try await journal.patients.createPatient(new, at: clinic.practice, desk).record)
        _ = try await journal.entries.addEntry(try weight("21"), to: rex, vet)
        _ = try await journal.sharing.transfer(rex, to: clinic.client.account, desk)
        #expect(try await journal.sharing.owners(of: rex, clinic.client) == [clinic.client.account])
        #expect(try await journal.records.read(rex, ReadOptions(), clinic.client).state.entries.count == 1)
        let managed = await refusal {
            _ = try await journal.records.changeRecord(rex, desk) { profile throws(ModelError) in
                try profile.set("name", text: "Max")
            }
        }
        #expect(managed?.code == .refused)
        let read = try await journal.records.read(rex, ReadOptions(), vet)
        #expect(read.state.entries.count == 1)
        #expect(!read.mayEdit)
        let grants = try await journal.sharing.grants(of: rex, clinic.client)
        #expect(grants.map(\.account) == [clinic.practice])
        #expect(journal.accounts.name(of: clinic.practice) == "Two Rooms")
        _ = try await journal.sharing.revoke(clinic.practice, on: rex, clinic.client)
        let refused = await refusal { _ = try await journal.records.read(rex, ReadOptions(), vet) }
        #expect(refused?.code == .refused)
    }

    @Test("An owner gives a practice access, which its clinical staff has and nobody else, while they work there")
    func consent() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, dog) = (clinic.journal, clinic.client, clinic.dogs[0])
        _ = try await journal.entries.addEntry(try weight("21"), to: dog, owner)
        func mayRead(_ caller: Caller) async -> Bool {
            await refusal { _ = try await journal.records.read(dog, ReadOptions(kinds: [Weight.kind]), caller) } == nil
        }
        let (vet, nurse) = (try clinic.caller(.veterinarian), try clinic.caller(.nurse))
        #expect(await !mayRead(vet))
        // Practices do not use up the places of caregivers.
        for name in ["Anna", "Bea", "Cyril"] {
            let account = try await clinic.home.account(name).account
            _ = try await journal.sharing.grant(GrantTerms(), to: account, on: dog, owner)
        }
        _ = try await journal.sharing.grant(.ofPractice, to: clinic.practice, on: dog, owner)
        #expect(await mayRead(vet))
        #expect(await mayRead(nurse))
        for role in [ClinicRole.receptionist, .manager] { #expect(await !mayRead(try clinic.caller(role))) }
        _ = try await journal.entries.addEntry(try weight("22"), to: dog, nurse)
        let own = try #require(try await journal.records.read(dog, ReadOptions(), nurse).state.entries.last)
        #expect(own.added.actor == nurse.account)
        // The staff of another practice has no part in it.
        let branch: PracticeProfile = try TestPractice.profile([("name", "Branch"), ("zone", "Europe/Zurich")])
        let other = try #require(try await journal.practices.createPractice(branch, clinic.home.owner).id)
        let stranger = try await clinic.home.account("Stranger")
        let member = MemberCommand.grant(account: stranger.account, Membership(roles: [.veterinarian]))
        _ = try await journal.practices.changeMembers(of: other, member, clinic.home.owner)
        #expect(await !mayRead(stranger))
        // A token of a veterinarian that may only add weights adds weights, and reads nothing.
        let scale = Caller(
            account: vet.account,
            name: vet.name,
            kind: .person,
            scope: try TokenScope(parsing: "append:weight"),
            source: .http
        )
        _ = try await journal.entries.addEntry(try weight("23"), to: dog, scale)
        #expect(await !mayRead(scale))
        // Who looked: the owner sees each of them.
        let looked = try await journal.trail.accesses(of: dog, clinic.client)
        #expect(Set([vet.account, nurse.account]).isSubset(of: Set(looked.map(\.stamp.actor))))
        // Access ends with the membership, and with the grant.
        _ = try await journal.practices.changeMembers(
            of: clinic.practice,
            .revoke(account: vet.account),
            clinic.home.owner
        )
        #expect(await !mayRead(vet))
        _ = try await journal.sharing.revoke(clinic.practice, on: dog, owner)
        #expect(await !mayRead(nurse))
    }

    @Test("The feed shows members the entries that their practice may see, and ends when it may not any more")
    func feed() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, dog) = (clinic.journal, clinic.client, clinic.dogs[0])
        _ = try await journal.sharing.grant(.ofPractice, to: clinic.practice, on: dog, owner)
        let start = try clinic.home.head
        _ = try await journal.entries.addEntry(try weight("21"), to: dog, owner)
        let vet = try clinic.caller(.veterinarian)
        let seen = try await journal.feeds.feed(after: start, FeedQuery(), vet).events
        #expect(seen.map(\.subject) == [dog])
        #expect(try await journal.feeds.feed(after: start, FeedQuery(), clinic.caller(.receptionist)).events.isEmpty)
        #expect(try await journal.feeds.seenInFeed(by: vet)[dog]?.contains(Weight.kind) == true)
        _ = try await journal.sharing.revoke(clinic.practice, on: dog, owner)
        #expect(try await journal.feeds.seenInFeed(by: vet)[dog] == nil)
    }
}
