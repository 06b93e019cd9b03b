import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Invitations")
struct InvitationTests {
    private let terms = GrantTerms(sections: [.doctorlist], verbs: [.read, .contribute])

    @Test("An account that has the code gets access on the invitation's terms")
    func lets() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let anna = try await home.account("anna")
        let record = try await home.person("Vi")
        _ = try await home.add("doctor", ["name": "Dr. Frei"], to: record)
        _ = try await home.add("weight", ["value": "61"], to: record)
        let made = try await journal.sharing.invite(terms, to: record, home.owner)
        #expect(made.code.hasPrefix("hji_"))
        #expect(made.code.count == 4 + 22)
        let before = try home.head
        let result = try await journal.sharing.acceptInvitation(made.code, anna)
        #expect(result.record == record)
        #expect(result.account == anna.account)
        #expect(
            try home.events(after: before).map(\.event) == [
                .invitationAccepted(made.id),
                .caregiverGranted(account: anna.account, terms: terms, invitedBy: home.owner.account), .valueReleased,
            ]
        )
        let grant = try #require(try await journal.sharing.grants(of: record, home.owner).first)
        #expect(grant.givenBy == home.owner.account)
        #expect(grant.given.actor == anna.account)
        let seen = try await journal.records.read(record, ReadOptions(), anna)
        #expect(seen.state.entries.map(\.kind) == [Doctor.kind])
        #expect(seen.right == .grant(position: before + 2))
        let listed = try await journal.sharing.invitations(to: record, home.owner)
        #expect(listed.map(\.accepted?.actor) == [anna.account])
        #expect(try home.events(after: 0).allSatisfy { !"\($0)".contains(made.code) })
    }

    @Test("The error of an invalid code does not reveal why it is invalid")
    func fails() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let anna = try await home.account("anna")
        let record = try await home.person("Vi")
        let used = try await journal.sharing.invite(terms, to: record, home.owner).code
        _ = try await journal.sharing.acceptInvitation(used, try await home.account("first"))
        let withdrawn = try await journal.sharing.invite(terms, to: record, home.owner)
        _ = try await journal.sharing.withdrawInvitation(withdrawn.id, of: record, home.owner)
        #expect(try await !journal.sharing.withdrawInvitation(withdrawn.id, of: record, home.owner).isChanged)
        let other = try await home.person("Erased")
        let erased = try await journal.sharing.invite(terms, to: other, home.owner).code
        _ = try await journal.erasure.eraseRecord(other, home.owner.giving(reason: "asked for it"))
        let expired = try await journal.sharing.invite(terms, to: record, days: 1, home.owner).code
        try home.clock.set("2026-03-03T12:00:01Z")
        for code in [used, withdrawn.code, erased, expired, "hji_nobody-made-this-one", ""] {
            let before = try home.head
            let error = await refusal { _ = try await journal.sharing.acceptInvitation(code, anna) }
            #expect(error == JournalError(ModelError.noInvitation))
            let events = try home.events(after: before)
            #expect(events.map(\.event) == [.accessDenied(Access(action: .invitation, purpose: "to test"))])
        }
    }

    @Test("A code that exceeds the limit on caregivers is refused and stays valid")
    func limit() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let record = try await home.person("Vi")
        let code = try await journal.sharing.invite(terms, to: record, home.owner).code
        var others: [Caller] = []
        for name in ["a", "b", "c"] {
            others.append(try await home.account("helper \(name)"))
            _ = try await journal.sharing.grant(terms, to: others[others.count - 1].account, on: record, home.owner)
        }
        let anna = try await home.account("anna")
        #expect(await refusal { _ = try await journal.sharing.acceptInvitation(code, anna) }?.code == .conflict)
        _ = try await journal.sharing.revoke(others[0].account, on: record, home.owner)
        _ = try await journal.sharing.acceptInvitation(code, anna)
    }

    @Test("Only a person with full scope can accept an invitation")
    func whose() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let record = try await home.person("Vi")
        let code = try await journal.sharing.invite(terms, to: record, home.owner).code
        for kind in [AccountKind.tool, .auditor, .administrator] {
            let other = try await home.account("a \(kind.name)", kind)
            #expect(await refusal { _ = try await journal.sharing.acceptInvitation(code, other) }?.code == .refused)
        }
        var reader = try await home.account("reader")
        reader.scope = .read
        #expect(await refusal { _ = try await journal.sharing.acceptInvitation(code, reader) }?.code == .refused)
        #expect(await refusal { _ = try await journal.sharing.acceptInvitation(code, home.owner) }?.code == .conflict)
        for days in [0, 31] {
            let error = await refusal {
                _ = try await journal.sharing.invite(terms, to: record, days: days, home.owner)
            }
            #expect(error?.field == "days")
        }
        _ = try await journal.records.closeRecord(record, home.owner)
        let anna = try await home.account("anna")
        #expect(await refusal { _ = try await journal.sharing.acceptInvitation(code, anna) }?.code == .conflict)
    }

    @Test("An invitation replaces the account's grant only if the account names that grant, and adds nothing to it")
    func replaces() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let anna = try await home.account("anna")
        let record = try await home.person("Vi")
        let wide = GrantTerms(verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(wide, to: anna.account, on: record, home.owner)
        let code = try await journal.sharing.invite(terms, to: record, home.owner).code
        let before = try #require(try await journal.sharing.grants(of: record, home.owner).first)

        let error = await refusal { _ = try await journal.sharing.acceptInvitation(code, anna) }
        #expect(error?.code == .conflict)
        #expect(error?.field == "grant")
        #expect(error?.message.contains(wide.summary) == true)
        #expect(error?.message.contains(terms.summary) == true)
        // Only the owner can add to a grant.
        #expect(error?.message.contains("--replace") == true)
        #expect(error?.message.contains("--add") == false)
        #expect(try await journal.sharing.grants(of: record, home.owner) == [before])
        #expect(try await journal.sharing.invitations(to: record, home.owner).allSatisfy { $0.accepted == nil })

        let preview = try await journal.sharing.previewInvitation(code, anna)
        #expect(preview == InvitationPreview(record: record, terms: terms, replaced: before))
        let other = await refusal {
            _ = try await journal.sharing.acceptInvitation(code, replacing: .given(at: 1), anna)
        }
        #expect(other?.code == .stale)
        let seen = GrantReplacement.given(at: before.given.position)
        _ = try await journal.sharing.acceptInvitation(code, replacing: seen, anna)
        #expect(try await journal.sharing.grants(of: record, home.owner).map(\.terms) == [terms])
        // The code is used up, also for a preview.
        #expect(await refusal { _ = try await journal.sharing.previewInvitation(code, anna) }?.code == .notFound)
    }

    @Test("An account whose earlier grant has ended needs to name none")
    func ended() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let anna = try await home.account("anna")
        let record = try await home.person("Vi")
        _ = try await journal.sharing.grant(GrantTerms(), to: anna.account, on: record, home.owner)
        _ = try await journal.sharing.revoke(anna.account, on: record, home.owner)
        let code = try await journal.sharing.invite(terms, to: record, home.owner).code
        #expect(try await journal.sharing.previewInvitation(code, anna).replaced == nil)
        _ = try await journal.sharing.acceptInvitation(code, anna)
        #expect(try await journal.sharing.grants(of: record, home.owner).map(\.terms) == [terms])
    }

    @Test("Of many accounts that use a code at once, one gets access")
    func race() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let record = try await home.person("Vi")
        let code = try await journal.sharing.invite(terms, to: record, home.owner).code
        var people: [Caller] = []
        for number in 0..<12 { people.append(try await home.account("person \(number)")) }
        let answers = await withTaskGroup { group in
            for person in people {
                group.addTask { await refusal { _ = try await journal.sharing.acceptInvitation(code, person) } }
            }
            return await group.reduce(into: [JournalError?]()) { $0.append($1) }
        }
        #expect(answers.count { $0 == nil } == 1)
        #expect(try await journal.sharing.grants(of: record, home.owner).count == 1)
        #expect(answers.compactMap(\.self).allSatisfy { $0.code == .notFound || $0.code == .conflict })
    }
}
