import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Removed accounts")
struct RemovedAccountTests {
    private let password = "correct horse battery"

    @Test("Nothing lets anybody in with a removed account, and everything ends in one append")
    func everything() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let anna = try await home.account("anna")
        let (shared, granted) = (try await home.person("Child"), try await home.person("Ida"))
        _ = try await journal.sharing.addOwner(anna.account, to: shared, owner)
        let invitation = try await journal.sharing.invite(GrantTerms(), to: shared, anna)
        let terms = GrantTerms(verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(terms, to: anna.account, on: granted, owner)
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, owner)
        let session = try await journal.accounts.signIn(name: "anna", password: password, SignInSource(.http))
        let token = try await journal.accounts.issueToken(to: anna.account, scope: .full, expires: nil, owner)
        let issuer = "https://id.example.org"
        _ = try await journal.accounts.linkIdentity(issuer: issuer, subject: "a", to: anna.account, owner)
        _ = try await journal.reminders.addChannel(.email, address: "anna@example.org", detail: nil, anna)
        _ = try await journal.sync.addDevice(named: "phone", anna)
        let calendar = try await journal.reminders.linkCalendar(to: .doses(of: granted), anna)
        let weight = try #require(
            try await journal.entries.addEntry(entry("weight", ["value": "70", "unit": "kg"]), to: granted, anna).entry
        )

        let before = try home.head
        let result = try await journal.accounts.removeAccount(anna.account, owner.giving(reason: "moved out"))
        let events = try home.events(after: before)
        #expect(result.position == events.last?.stamp.position)
        #expect(result.account == anna.account)
        #expect(events.allSatisfy { $0.stamp.recordedAt == events[0].stamp.recordedAt }, "one append")
        #expect(
            Set(events.map(\.event)) == [
                .accountRemoved, .caregiverRevoked(account: anna.account), .invitationWithdrawn(invitation.id),
                .recordOwnerRemoved(anna.account), .calendarUnlinked(calendar.id), .valueReleased,
            ]
        )
        for (what, attempt) in [
            ("token", { _ = try await journal.accounts.authenticate(token.secret, source: .http) }),
            ("session", { _ = try await journal.accounts.authenticate(session.secret, source: .http) }),
            ("identity", { _ = try await journal.accounts.authenticate(issuer: issuer, subject: "a", source: .http) }),
            (
                "password",
                { _ = try await journal.accounts.signIn(name: "anna", password: password, SignInSource(.http)) }
            ),
        ] as [(Comment, () async throws -> Void)] {
            #expect(await refusal(attempt)?.code == .unauthenticated, what)
        }
        #expect(await refusal { _ = try journal.accounts.caller("anna", source: .commandLine) }?.code == .notFound)
        #expect(
            await refusal { _ = try journal.accounts.caller(anna.account.text, source: .commandLine) }?.code
                == .notFound
        )
        for record in [shared, granted] {
            #expect(await refusal { _ = try await journal.records.read(record, ReadOptions(), anna) }?.code == .refused)
        }
        #expect(try await journal.sharing.owners(of: shared, owner) == [owner.account])
        #expect(try await journal.accounts.list(owner).map(\.id) == [owner.account])
        #expect(try journal.accounts.account(anna.account).openChannels.isEmpty)
        // Who did what is still known.
        #expect(journal.accounts.name(of: anna.account) == "anna")
        #expect(try await home.state(granted).entry(weight)?.added.actor == anna.account)
        #expect(
            try await journal.records.read(granted, ReadOptions(asOf: .position(before)), owner).state.entries.count
                == 1
        )
    }

    @Test("Nothing can be given to a removed account; its identity can be used again, and its name cannot")
    func afterwards() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Ida")
        let anna = try await home.account("anna").account
        let issuer = "https://id.example.org"
        _ = try await journal.accounts.linkIdentity(issuer: issuer, subject: "a", to: anna, owner)
        _ = try await journal.sharing.grant(GrantTerms(), to: anna, on: record, owner)
        _ = try await journal.accounts.removeAccount(anna, owner)
        for (what, attempt) in [
            ("grant", { _ = try await journal.sharing.grant(GrantTerms(), to: anna, on: record, owner) }),
            ("owner", { _ = try await journal.sharing.addOwner(anna, to: record, owner) }),
            ("token", { _ = try await journal.accounts.issueToken(to: anna, scope: .full, expires: nil, owner) }),
            ("password", { _ = try await journal.accounts.setPassword(of: anna, to: password, owner) }),
            (
                "identity",
                { _ = try await journal.accounts.linkIdentity(issuer: issuer, subject: "b", to: anna, owner) }
            ),
            ("again", { _ = try await journal.accounts.removeAccount(anna, owner) }),
        ] as [(Comment, () async throws -> Void)] {
            let error = await refusal(attempt)
            #expect(error?.code == .conflict || error?.code == .notFound, what)
        }
        // The other grants of the record can still be changed.
        let ben = try await home.account("ben").account
        _ = try await journal.sharing.grant(GrantTerms(), to: ben, on: record, owner)
        _ = try await journal.sharing.revoke(ben, on: record, owner)
        let taken = await refusal { _ = try await journal.accounts.addAccount(AccountProfile(name: "Anna"), owner) }
        #expect(taken?.code == .conflict)
        #expect(taken?.field == "name")
        let second = try #require(try await journal.accounts.addAccount(AccountProfile(name: "Anna B"), owner).account)
        #expect(second != anna)
        _ = try await journal.accounts.linkIdentity(issuer: issuer, subject: "a", to: second, owner)
        #expect(try await journal.accounts.authenticate(issuer: issuer, subject: "a", source: .http).account == second)
        #expect(
            await refusal {
                _ = try await journal.records.read(
                    record,
                    ReadOptions(),
                    journal.accounts.caller("Anna B", source: .commandLine)
                )
            }?
            .code == .refused
        )
    }

    @Test("The journal's owner, the only owner of a record and the last manager of a practice cannot be removed")
    func refused() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let keeper = try await home.account("keeper", .administrator)
        let (anna, ben) = (try await home.account("anna"), try await home.account("ben"))
        let record = try await home.person("Child", anna)
        let head = try home.head
        let only = await refusal { _ = try await journal.accounts.removeAccount(anna.account, keeper) }
        #expect(only?.code == .conflict)
        #expect(only?.message.contains("only owner of a record") == true)
        #expect(
            await refusal { _ = try await journal.accounts.removeAccount(owner.account, keeper) }?.code == .conflict
        )
        #expect(await refusal { _ = try await journal.accounts.removeAccount(UUID(), owner) }?.code == .notFound)
        #expect(try home.head == head)
        let auditor = try await home.account("ada", .auditor)
        for (caller, account) in [
            (owner, owner), (keeper, keeper), (keeper, auditor), (anna, ben), (anna, anna), (auditor, ben),
        ] {
            let error = await refusal { _ = try await journal.accounts.removeAccount(account.account, caller) }
            #expect(error?.code == .refused, "\(caller.name) removes \(account.name)")
        }
        _ = try await journal.sharing.addOwner(ben.account, to: record, anna)
        _ = try await journal.accounts.removeAccount(anna.account, keeper)
        #expect(try await journal.records.read(record, ReadOptions(), ben).right == .owner)
        _ = try await journal.accounts.removeAccount(auditor.account, owner)
        #expect(try await journal.accounts.list(owner).map(\.name) == ["owner", "keeper", "ben"])
    }

    @Test("A member of a practice loses the membership, unless it is the last manager")
    func member() async throws {
        let clinic = try await TestPractice()
        let (journal, owner) = (clinic.home.journal, clinic.home.owner)
        let nurse = try clinic.caller(.nurse)
        _ = try await journal.accounts.removeAccount(nurse.account, owner)
        #expect(try journal.practiceStates.members(of: clinic.practice).state.members[nurse.account] == nil)
        let manager = try clinic.caller(.manager)
        _ = try await journal.practices.changeMembers(of: clinic.practice, .revoke(account: owner.account), owner)
        let last = await refusal { _ = try await journal.accounts.removeAccount(manager.account, owner) }
        #expect(last?.code == .conflict)
        #expect(last?.message.contains("manager") == true)
    }

    @Test("A caller that was authenticated before the removal can do nothing any more")
    func authenticated() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Ida")
        for kind in AccountKind.allCases {
            let caller = try await home.account("a \(kind.name)", kind)
            _ = try await journal.accounts.removeAccount(caller.account, owner)
            #expect(try await journal.records.listRecords(caller).isEmpty)
            let attempts: [() async throws -> Void] = [
                { _ = try await journal.records.createRecord(RecordProfile(subject: .human), caller) },
                { _ = try await journal.accounts.list(caller) },
                { _ = try await journal.reminders.addChannel(.email, address: "a@example.org", detail: nil, caller) },
                { _ = try await journal.trail.history(ofRecord: record, caller) },
            ]
            for (number, attempt) in attempts.enumerated() {
                let error = await refusal(attempt)
                #expect(error?.code == .refused, "\(kind.name), \(number): \(String(describing: error))")
            }
        }
    }

    @Test("Whatever is given to an account while it is removed, it has nothing afterwards")
    func race() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Ida")
        var random = SeededGenerator()
        for round in 0..<20 {
            let anna = try await home.account("anna \(round)").account
            let delay = Int.random(in: 0...3_000, using: &random)
            async let granted: Void = {
                try await Task.sleep(for: .microseconds(delay))
                _ = await refusal { _ = try await journal.sharing.grant(GrantTerms(), to: anna, on: record, owner) }
                _ = await refusal { _ = try await journal.sharing.addOwner(anna, to: record, owner) }
            }()
            _ = try await journal.accounts.removeAccount(anna, owner)
            try await granted
            #expect(try await journal.sharing.owners(of: record, owner) == [owner.account], "round \(round)")
            #expect(
                try await journal.sharing.grants(of: record, owner).allSatisfy { $0.revoked != nil },
                "round \(round)"
            )
        }
    }

    @Test("A request that is sent again is answered as before")
    func repeated() async throws {
        let home = try await TestHousehold()
        let anna = try await home.account("anna").account
        var caller = home.owner
        caller.request = RequestKey("remove", digest: [1])
        let first = try await home.journal.accounts.removeAccount(anna, caller)
        let head = try home.head
        let again = try await home.journal.accounts.removeAccount(anna, caller)
        #expect(again.position == first.position)
        #expect(again.account == anna)
        #expect(try home.head == head)
    }
}
