import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("Decisions about grants")
struct GrantDeciderTests {
    private let all = GrantTerms()

    private func granted(_ number: UInt8, _ terms: GrantTerms = GrantTerms()) -> JournalEvent {
        .caregiverGranted(account: Example.id(number), terms: terms)
    }

    private func terms(from: String? = nil, until: String? = nil) throws -> GrantTerms {
        GrantTerms(
            from: try from.map { text throws in try Day(parsing: text) },
            until: try until.map { text throws in try Day(parsing: text) }
        )
    }

    @Test("A grant is recorded if its terms are new, and the same terms again change nothing")
    func grantsAccess() throws {
        #expect(try Given().when(.grant(account: Example.anna, terms: all)) == [granted(3)])
        #expect(try Given(granted(3)).when(.grant(account: Example.anna, terms: all)).isEmpty)
        let more = GrantTerms(verbs: [.read, .contribute])
        #expect(try Given(granted(3)).when(.grant(account: Example.anna, terms: more)) == [granted(3, more)])
    }

    @Test("A fourth active caregiver is refused, and new terms for one of the three are not")
    func limitsCaregivers() throws {
        let three = Given(granted(11), granted(12), granted(13))
        #expect(refusal { try three.when(.grant(account: Example.anna, terms: all)) }?.code == .conflict)
        // Changing the terms of one of the three does not count as a further caregiver.
        let fewer = GrantTerms(sections: [.myhealth])
        #expect(try three.when(.grant(account: Example.id(12), terms: fewer)) == [granted(12, fewer)])
    }

    @Test("The grant of a tool can only allow adding entries, and tools have a limit of their own")
    func toolGrants() throws {
        let adds = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        let scale = Example.id(14)
        let three = Given(granted(11), granted(12), granted(13))
        // Tools do not count toward the limit on caregivers, and caregivers not toward the limit on tools.
        #expect(try three.when(.grant(account: scale, terms: adds), grantees: [scale: .tool]) == [granted(14, adds)])
        let withTool = Given(granted(14, adds), granted(11), granted(12))
        #expect(try withTool.when(.grant(account: Example.anna, terms: all), grantees: [scale: .tool]) == [granted(3)])
        for verbs: Set<Verb> in [[.read], [.read, .contribute]] {
            let terms = GrantTerms(verbs: verbs)
            let refused = refusal { try Given().when(.grant(account: scale, terms: terms), grantees: [scale: .tool]) }
            #expect(refused?.field == "verbs")
        }
        let tools = (100..<100 + UInt8(Limits.contributingTools)).map { $0 }
        let many = Given(tools.map { granted($0, adds) })
        let ids = Dictionary(uniqueKeysWithValues: (tools.map { Example.id($0) } + [scale]).map { ($0, Grantee.tool) })
        #expect(refusal { try many.when(.grant(account: scale, terms: adds), grantees: ids) }?.code == .conflict)
    }

    @Test("Revoked and ended grants do not count toward the limit, and future ones do")
    func countsActiveGrants() throws {
        let revoked = Given(
            granted(11),
            granted(12),
            granted(13),
            .caregiverRevoked(account: Example.id(11))
        )
        #expect(try revoked.when(.grant(account: Example.anna, terms: all)) == [granted(3)])
        let ended = Given(granted(11), granted(12), granted(13, try terms(until: "2026-03-03")))
        #expect(try ended.when(.grant(account: Example.anna, terms: all)) == [granted(3)])
        // A grant counts on its last day, and also before its first day.
        let lastDay = Given(granted(11), granted(12), granted(13, try terms(until: "2026-03-04")))
        #expect(refusal { try lastDay.when(.grant(account: Example.anna, terms: all)) }?.code == .conflict)
        let future = Given(granted(11), granted(12), granted(13, try terms(from: "2026-06-01")))
        #expect(refusal { try future.when(.grant(account: Example.anna, terms: all)) }?.code == .conflict)
        // Granting access to a revoked caregiver again counts toward the limit like any other grant.
        let again = Given(
            granted(10),
            .caregiverRevoked(account: Example.id(10)),
            granted(11),
            granted(12),
            granted(13)
        )
        #expect(refusal { try again.when(.grant(account: Example.id(10), terms: all)) }?.code == .conflict)
    }

    @Test(
        "Terms that could never allow access are refused, and the error names the field",
        arguments: [
            (GrantTerms(sections: []), "sections"), (GrantTerms(verbs: []), "verbs"),
            (GrantTerms(from: Day(daysSince1970: 30_001), until: Day(daysSince1970: 30_000)), "until"),
            (GrantTerms(until: Day(daysSince1970: 20_000)), "until"),
        ]
    )
    func refusesUselessTerms(terms: GrantTerms, field: String) {
        #expect(refusal { try Given().when(.grant(account: Example.anna, terms: terms)) }?.field == field)
    }

    @Test("A grant to an owner or in a closed record is refused, and a revocation in one is not")
    func refusesAnOwnerAndAClosedRecord() throws {
        let grant = GrantCommand.grant(account: Example.owner, terms: all)
        #expect(refusal { try Given().when(grant, owners: [Example.owner]) }?.field == "account")
        #expect(refusal { try Given().when(grant, isClosed: true) }?.code == .conflict)
        let revoked = try Given(granted(3)).when(.revoke(account: Example.anna), isClosed: true)
        #expect(revoked == [.caregiverRevoked(account: Example.anna)])
    }

    @Test("A grant can be revoked only once")
    func revokesOnce() {
        let revoke = GrantCommand.revoke(account: Example.anna)
        #expect(refusal { try Given().when(revoke) }?.code == .notFound)
        let given = Given(granted(3), .caregiverRevoked(account: Example.anna))
        #expect(refusal { try given.when(revoke) }?.code == .conflict)
    }

    @Test("A grant is active from its first day through its last, unless it is revoked")
    func activeDays() throws {
        let terms = try terms(from: "2024-05-01", until: "2024-05-03")
        let grant = Grant(account: Example.anna, terms: terms, given: Example.stamp(1))
        let days = try ["2024-04-30", "2024-05-01", "2024-05-03", "2024-05-04"].map { text in try Day(parsing: text) }
        #expect(days.map(grant.isActive) == [false, true, true, false])
        var revoked = grant
        revoked.revoked = Example.stamp(2)
        #expect(days.map(revoked.isActive) == [false, false, false, false])
        var state = GrantsState()
        state.grants = [Example.anna: grant, Example.id(4): revoked]
        #expect(state.active(on: days[1]) == [grant])
    }
}
