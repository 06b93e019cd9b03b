import FoundationEssentials
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Grants that replace others")
struct GrantReplacementTests {
    @Test("A grant replaces another only if the caller names the one that it replaces")
    func replaced() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Ida")
        let anna = try await home.account("anna").account
        let first = GrantTerms(sections: [.doctorlist])
        let second = GrantTerms(sections: [.myhealth], until: try Day(parsing: "2026-12-31"))
        func grant(_ terms: GrantTerms, _ replaced: GrantReplacement) async -> JournalError? {
            await refusal {
                _ = try await journal.sharing.grant(terms, to: anna, on: record, replacing: replaced, owner)
            }
        }
        #expect(await grant(first, .given(at: 3))?.code == .stale)
        #expect(await grant(first, .none) == nil)
        // The same grant again replaces nothing.
        #expect(await grant(first, .none) == nil)
        let position = try #require(try await journal.sharing.grants(of: record, owner).first).given.position
        let error = await grant(second, .none)
        #expect(error?.code == .conflict)
        #expect(error?.field == "grant")
        #expect(error?.message.contains("doctors; read") == true)
        #expect(error?.message.contains("health; read; until 2026-12-31") == true)
        #expect(await grant(second, .given(at: position + 1))?.code == .stale)
        #expect(try await journal.sharing.grants(of: record, owner).map(\.terms) == [first])
        #expect(await grant(second, .given(at: position)) == nil)
        #expect(try await journal.sharing.grants(of: record, owner).map(\.terms) == [second])
        // A revoked grant does not have to be named.
        _ = try await journal.sharing.revoke(anna, on: record, owner)
        #expect(await grant(first, .none) == nil)
    }

    @Test("A grant that is added combines sections and verbs, and takes the later days")
    func added() throws {
        let (from, until) = (try Day(parsing: "2026-01-01"), try Day(parsing: "2026-12-31"))
        let before = GrantTerms(sections: [.doctorlist], verbs: [.read], from: from, until: from)
        let more = GrantTerms(sections: [.myhealth], verbs: [.contribute], until: until)
        let both = GrantTerms(
            sections: [.doctorlist, .myhealth],
            verbs: [.read, .contribute],
            from: from,
            until: until
        )
        #expect(before.adding(more) == both)
    }
}
