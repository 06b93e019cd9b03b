import Testing

@testable import HealthModel

struct AccountDeciderTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    private func added(_ kind: AccountKind) -> JournalEvent {
        .accountAdded(AccountProfile(name: "anna", kind: kind))
    }

    private func token(_ scope: TokenScope, expires: Instant? = nil) -> Token {
        Token(id: Example.id(20), scope: scope, expires: expires, digest: digest)
    }

    @Test func addsAnAccountOnce() throws {
        let profile = AccountProfile(name: "anna", email: "anna@example.org", kind: .person)
        #expect(try Given().when(.add(profile)) == [.accountAdded(profile)])
        #expect(refusal { try Given(added(.person)).when(.add(profile)) }?.code == .conflict)
    }

    @Test(arguments: [
        (AccountProfile(name: ""), "name"), (AccountProfile(name: "a\u{0}"), "name"),
        (AccountProfile(name: "a", email: String(repeating: "x", count: 255)), "email"),
    ])
    func namesTheFieldAtFault(profile: AccountProfile, field: String) {
        #expect(refusal { try Given().when(.add(profile)) }?.field == field)
    }

    @Test(arguments: [
        (AccountKind.person, "full", true), (.person, "audit", true), (.tool, "append", true),
        (.tool, "append:scale", true), (.tool, "full", false), (.tool, "read", true), (.tool, "audit", false),
        (.auditor, "audit", true), (.auditor, "read", true), (.auditor, "full", false), (.auditor, "append", false),
    ])
    func issuesTokensOfTheScopesOfTheKind(kind: AccountKind, scope: String, isIssued: Bool) throws {
        let token = token(try TokenScope(parsing: scope))
        if isIssued {
            #expect(try Given(added(kind)).when(.issueToken(token)) == [.tokenIssued(token)])
        } else {
            #expect(refusal { try Given(added(kind)).when(.issueToken(token)) }?.field == "scope")
        }
    }

    @Test func issuesNoTokenTwiceAndNoneThatIsOfNoUse() {
        let given = Given(added(.person), .tokenIssued(token(.full)))
        #expect(refusal { try given.when(.issueToken(token(.read))) }?.field == "token")
        #expect(refusal { try Given().when(.issueToken(token(.read))) }?.code == .notFound)
        let expired = token(.full, expires: Example.now)
        #expect(refusal { try Given(added(.person)).when(.issueToken(expired)) }?.field == "expires")
        let weak = Token(id: Example.id(20), scope: .full, digest: [1])
        #expect(refusal { try Given(added(.person)).when(.issueToken(weak)) }?.field == "digest")
        let strange = token(.append(category: "a b"))
        #expect(refusal { try Given(added(.person)).when(.issueToken(strange)) }?.field == "scope")
    }

    @Test func revokesATokenOnce() throws {
        let issued = JournalEvent.tokenIssued(token(.full))
        let revoke = AccountCommand.revokeToken(Example.id(20))
        #expect(try Given(added(.person), issued).when(revoke) == [.tokenRevoked(Example.id(20))])
        #expect(refusal { try Given(added(.person)).when(revoke) }?.code == .notFound)
        let given = Given(added(.person), issued, .tokenRevoked(Example.id(20)))
        #expect(refusal { try given.when(revoke) }?.code == .conflict)
    }

    @Test func endsATokenAtItsExpiry() {
        let expires = Instant(microseconds: 1_000)
        var state = TokenState(token: token(.full, expires: expires), issued: Example.stamp(1))
        #expect(state.isValid(at: Instant(microseconds: 999)))
        #expect(!state.isValid(at: expires))
        state.revoked = Example.stamp(2)
        #expect(!state.isValid(at: Instant(microseconds: 999)))
    }

    @Test(arguments: ["full", "read", "append", "append:scale.kitchen", "audit"])
    func readsAndWritesScopes(text: String) throws {
        #expect(try TokenScope(parsing: text).description == text)
    }

    @Test(arguments: [
        "", "write", "append:", "append:a b", "append:é", "Full", "append:" + String(repeating: "a", count: 101),
    ])
    func refusesOtherScopes(text: String) {
        #expect(refusal { try TokenScope(parsing: text) }?.field == "scope")
    }

    @Test func claimsAValueForOneHolder() throws {
        let claimed = JournalEvent.valueClaimed(holder: Example.anna)
        #expect(try Given().when(.claim(holder: Example.anna)) == [claimed])
        #expect(try Given(claimed).when(.claim(holder: Example.anna)).isEmpty)
        #expect(refusal { try Given(claimed).when(.claim(holder: Example.owner)) }?.code == .conflict)
        #expect(try Given(claimed).when(.release(holder: Example.anna)) == [.valueReleased])
        #expect(refusal { try Given(claimed).when(.release(holder: Example.owner)) }?.code == .conflict)
        #expect(try Given().when(.release(holder: Example.anna)).isEmpty)
        let again = Given(claimed, .valueReleased)
        #expect(try again.when(.claim(holder: Example.owner)) == [.valueClaimed(holder: Example.owner)])
    }
}
