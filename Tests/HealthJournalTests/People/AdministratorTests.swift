import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Administrators")
struct AdministratorTests {
    private let here = SignInSource(.http)

    @Test("An administrator runs the journal")
    func runs() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let keeper = try await home.account("keeper", .administrator)
        let added = try await journal.accounts.addAccount(AccountProfile(name: "anna"), keeper)
        let anna = try #require(added.account)
        _ = try await journal.accounts.setPassword(of: anna, to: "a first password", keeper)
        let session = try await journal.accounts.signIn(name: "anna", password: "a first password", here).session
        _ = try await journal.accounts.endSession(session, of: anna, keeper)
        #expect(try await journal.accounts.list(keeper).count == 3)
        #expect(try await journal.maintenance.examine(keeper).isEmpty == false)
        let scale = try await home.account("scale", .tool)
        let issued = try await journal.accounts.issueToken(to: scale.account, scope: .append, expires: nil, keeper)
        _ = try await journal.accounts.revokeToken(issued.id, of: scale.account, keeper)
        _ = try await journal.rebuildView("MedicalRecords", keeper)
        _ = try await journal.maintenance.backUp(to: home.folder.path + "-backup", keeper)
    }

    @Test("An administrator sees no records, not even by acting for another account")
    func seesNothing() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let keeper = try await home.account("keeper", .administrator)
        let record = try await home.person("Vi")
        _ = try await home.add("weight", ["value": "61"], to: record)
        let anna = try await home.account("anna")
        let ada = try await home.account("ada", .auditor)
        _ = try await journal.accounts.setPassword(of: anna.account, to: "a password of hers", home.owner)
        // None of these accounts has a password, and each has access that a password would give to the administrator.
        let (ben, cora, dan) = (
            try await home.account("ben"), try await home.account("cora"), try await home.account("dan")
        )
        _ = try await journal.sharing.grant(GrantTerms(), to: ben.account, on: record, home.owner)
        _ = try await journal.accounts.issueToken(to: cora.account, scope: .full, expires: nil, cora)
        _ = try await journal.accounts.linkIdentity(
            issuer: "https://id.example.org",
            subject: "d",
            to: dan.account,
            home.owner
        )
        for (what, attempt) in [
            ("read", { _ = try await journal.records.read(record, ReadOptions(), keeper) }),
            ("grants", { _ = try await journal.sharing.grants(of: record, keeper) }),
            ("grant", { _ = try await journal.sharing.grant(GrantTerms(), to: anna.account, on: record, keeper) }),
            ("create", { _ = try await journal.records.createRecord(RecordProfile(subject: .animal), keeper) }),
            (
                "token",
                { _ = try await journal.accounts.issueToken(to: anna.account, scope: .read, expires: nil, keeper) }
            ),
            (
                "audit",
                { _ = try await journal.accounts.issueToken(to: ada.account, scope: .audit, expires: nil, keeper) }
            ),
            (
                "auditor",
                { _ = try await journal.accounts.setPassword(of: ada.account, to: "a password of mine", keeper) }
            ),
            (
                "owner",
                { _ = try await journal.accounts.setPassword(of: home.owner.account, to: "a password of mine", keeper) }
            ),
            (
                "caregiver's",
                { _ = try await journal.accounts.setPassword(of: ben.account, to: "a password of mine", keeper) }
            ),
            (
                "token's",
                { _ = try await journal.accounts.setPassword(of: cora.account, to: "a password of mine", keeper) }
            ),
            (
                "linked",
                { _ = try await journal.accounts.setPassword(of: dan.account, to: "a password of mine", keeper) }
            ),
            (
                "reset",
                { _ = try await journal.accounts.setPassword(of: anna.account, to: "a password of mine", keeper) }
            ),
            (
                "caregiver",
                { _ = try await journal.sharing.grant(GrantTerms(), to: keeper.account, on: record, home.owner) }
            ),
        ] as [(String, () async throws -> Void)] {
            let before = try home.head
            let error = await refusal(attempt)
            #expect(error?.code == (what == "caregiver" ? .conflict : .refused), "\(what)")
            if what != "caregiver" {
                #expect(try home.events(after: before).map(\.type) == [AccessDenied.type], "\(what)")
            }
        }
        #expect(try await journal.records.listRecords(keeper).isEmpty)
        #expect(try await journal.records.costs(of: nil, keeper).isEmpty)
        #expect(throws: JournalError.self) { try journal.records.record(String(record.text.prefix(20)), keeper) }
    }

    @Test("People and auditors manage their own tokens")
    func ownTokens() async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        let anna = try await home.account("anna")
        let issued = try await journal.accounts.issueToken(to: anna.account, scope: .read, expires: nil, anna)
        let reader = try await journal.accounts.authenticate(issued.secret, source: .http)
        let more = await refusal {
            _ = try await journal.accounts.issueToken(to: anna.account, scope: .full, expires: nil, reader)
        }
        #expect(more?.code == .refused)
        let revoke = await refusal { _ = try await journal.accounts.revokeToken(issued.id, of: anna.account, reader) }
        #expect(revoke?.code == .refused)
        _ = try await journal.accounts.revokeToken(issued.id, of: anna.account, anna)
        let ben = try await home.account("ben")
        let others = await refusal {
            _ = try await journal.accounts.issueToken(to: anna.account, scope: .read, expires: nil, ben)
        }
        #expect(others?.code == .refused)
    }
}
