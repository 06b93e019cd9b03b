import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Owners of a record")
struct OwnersTests {
    @Test("All owners have the same rights, and can be added and removed")
    func several() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let ben = try await home.account("ben")
        let record = try await home.person("Child")
        _ = try await home.add("weight", ["value": "12"], to: record)
        #expect(await refusal { _ = try await journal.records.read(record, ReadOptions(), ben) }?.code == .refused)
        _ = try await journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: ben.account,
            on: record,
            home.owner
        )
        _ = try await journal.sharing.addOwner(ben.account, to: record, home.owner)
        let seen = try await journal.records.read(record, ReadOptions(), ben)
        #expect(seen.right == .owner)
        #expect(seen.showsProfile)
        #expect(seen.state.entries.count == 1)
        #expect(seen.state.owners == [home.owner.account, ben.account])
        #expect(try await journal.sharing.owners(of: record, ben) == [home.owner.account, ben.account])
        #expect(try await journal.sharing.grants(of: record, ben).allSatisfy { $0.revoked != nil })
        #expect(try await !journal.sharing.addOwner(ben.account, to: record, ben).isChanged)

        // Each owner may do everything: grant access, and remove the other owner.
        _ = try await journal.sharing.removeOwner(home.owner.account, from: record, ben)
        #expect(
            await refusal { _ = try await journal.records.read(record, ReadOptions(), home.owner) }?.code == .refused
        )
        #expect(try await journal.records.listRecords(home.owner).isEmpty)
        #expect(
            await refusal { _ = try await journal.sharing.removeOwner(ben.account, from: record, ben) }?.code
                == .conflict
        )
        _ = try await journal.sharing.addOwner(home.owner.account, to: record, ben)
        _ = try await journal.sharing.removeOwner(ben.account, from: record, ben)
        // The earlier grant is not restored.
        #expect(await refusal { _ = try await journal.records.read(record, ReadOptions(), ben) }?.code == .refused)
    }

    @Test("Only people can be owners")
    func people() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Child")
        for kind in [AccountKind.tool, .auditor, .administrator] {
            let other = try await home.account("a \(kind.name)", kind).account
            let add = await refusal { _ = try await home.journal.sharing.addOwner(other, to: record, home.owner) }
            #expect(add?.code == .conflict)
            #expect(add?.field == "account")
            let transfer = await refusal { _ = try await home.journal.sharing.transfer(record, to: other, home.owner) }
            #expect(transfer?.code == .conflict)
            #expect(transfer?.field == "account")
        }
        let nobody = await refusal { _ = try await home.journal.sharing.addOwner(UUID(), to: record, home.owner) }
        #expect(nobody?.code == .notFound)
    }

    @Test("A transferred record keeps no earlier owner or caregiver, in one append")
    func transfer() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let (ben, carla, anna) = (
            try await home.account("ben"), try await home.account("carla"), try await home.account("anna")
        )
        let record = try await home.person("Rex")
        _ = try await journal.sharing.addOwner(ben.account, to: record, home.owner)
        _ = try await journal.sharing.grant(GrantTerms(), to: anna.account, on: record, home.owner)
        _ = try await journal.sharing.grant(GrantTerms(verbs: [.contribute]), to: carla.account, on: record, home.owner)
        let invitation = try await journal.sharing.invite(GrantTerms(), to: record, home.owner)
        let before = try home.head
        _ = try await journal.sharing.transfer(
            record,
            to: carla.account,
            home.owner.giving(reason: "lives with her now")
        )
        let events = try home.events(after: before)
        #expect(
            events.map(\.event) == [
                .caregiverRevoked(account: anna.account), .caregiverRevoked(account: carla.account),
                .invitationWithdrawn(invitation.id), .recordTransferred(to: carla.account), .valueReleased,
            ]
        )
        // The last event is sealed with the journal's own key and does not contain the reason.
        #expect(events.map(\.reason) == Array(repeating: "lives with her now", count: 4) + [""])
        for former in [home.owner, ben, anna] {
            for asOf in [nil, AsOf.position(before)] {
                let error = await refusal {
                    _ = try await journal.records.read(record, ReadOptions(asOf: asOf), former)
                }
                #expect(error?.code == .refused)
            }
            #expect(try await journal.records.listRecords(former).isEmpty)
        }
        let newcomer = try await home.account("newcomer")
        let error = await refusal { _ = try await journal.sharing.acceptInvitation(invitation.code, newcomer) }
        #expect(error?.code == .notFound)
        // The earlier owners are still visible as of then.
        #expect(try await journal.sharing.owners(of: record, carla) == [carla.account])
        let then = [home.owner.account, ben.account]
        #expect(try await journal.sharing.owners(of: record, asOf: .position(before), carla) == then)
        #expect(
            try await journal.records.read(record, ReadOptions(asOf: .position(before)), carla).state.owners == then
        )
    }

    @Test("Only an owner can transfer a record", arguments: Relation.allCases.filter { $0 != .owner })
    func notOthers(relation: Relation) async throws {
        let scene = try await Scene(relation)
        let before = try scene.home.head
        for attempt in [
            { _ = try await scene.home.journal.sharing.transfer(scene.record, to: scene.caller.account, scene.caller) },
            { _ = try await scene.home.journal.sharing.addOwner(scene.caller.account, to: scene.record, scene.caller) },
            {
                _ = try await scene.home.journal.sharing.removeOwner(
                    scene.home.owner.account,
                    from: scene.record,
                    scene.caller
                )
            },
        ] as [() async throws -> Void] {
            #expect(await refusal(attempt)?.code == .refused)
        }
        #expect(try scene.home.events(after: before).allSatisfy { $0.type == AccessDenied.type })
    }

    @Test("The last two owners cannot both leave at once")
    func race() async throws {
        for _ in 0..<10 {
            let home = try await TestHousehold()
            let journal = home.journal
            let ben = try await home.account("ben")
            let record = try await home.person("Child")
            _ = try await journal.sharing.addOwner(ben.account, to: record, home.owner)
            let owner = home.owner
            async let first = refusal { _ = try await journal.sharing.removeOwner(owner.account, from: record, owner) }
            async let second = refusal { _ = try await journal.sharing.removeOwner(ben.account, from: record, ben) }
            let answers = await [first, second]
            #expect(answers.count { $0 == nil } == 1)
            #expect(answers.compactMap(\.self).allSatisfy { $0.code == .conflict })
        }
    }
}
