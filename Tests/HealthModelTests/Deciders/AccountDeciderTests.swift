import Testing

@testable import HealthModel

@Suite("Decisions about accounts")
struct AccountDeciderTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    private func added(_ kind: AccountKind) -> JournalEvent {
        .accountAdded(AccountProfile(name: "anna", kind: kind))
    }

    private func token(_ scope: TokenScope, expires: Instant? = nil) -> Token {
        Token(id: Example.id(20), scope: scope, expires: expires, digest: digest)
    }

    @Test("An account can be added only once")
    func addsAnAccountOnce() throws {
        let profile = AccountProfile(name: "anna", email: "anna@example.org", kind: .person)
        #expect(try Given().when(.add(profile)) == [.accountAdded(profile)])
        #expect(refusal { try Given(added(.person)).when(.add(profile)) }?.code == .conflict)
    }

    @Test(
        "An account with an invalid name or email address is refused, and the error names the field",
        arguments: [
            (AccountProfile(name: ""), "name"), (AccountProfile(name: "a\u{0}"), "name"),
            (AccountProfile(name: "a", email: String(repeating: "x", count: 255)), "email"),
        ]
    )
    func refusesInvalidProfile(profile: AccountProfile, field: String) {
        #expect(refusal { try Given().when(.add(profile)) }?.field == field)
    }

    @Test("A removed account has nothing left that lets anybody in, and accepts no command")
    func removes() throws {
        let token = token(.full)
        let given = Given(added(.person), .tokenIssued(token), .deviceAdded(Example.id(41), name: "phone"))
        #expect(try given.when(.remove) == [.accountRemoved])
        let removed = Given(
            added(.person),
            .tokenIssued(token),
            .deviceAdded(Example.id(41), name: "phone"),
            .accountRemoved
        )
        for command in [AccountCommand.remove, .revokeToken(token.id), .removeDevice(Example.id(41))] {
            #expect(refusal { try removed.when(command) }?.code == .conflict)
        }
    }

    @Test(
        "A token is issued only if the kind of account allows its scope",
        arguments: [
            (AccountKind.person, "full", true), (.person, "audit", true), (.tool, "append", true),
            (.tool, "append:scale", true), (.tool, "full", false), (.tool, "read", false), (.tool, "audit", false),
            (.auditor, "audit", true), (.auditor, "read", true), (.auditor, "full", false), (.auditor, "append", false),
            (.administrator, "full", true), (.administrator, "read", false), (.administrator, "append", false),
        ]
    )
    func tokenScopes(kind: AccountKind, scope: String, isIssued: Bool) throws {
        let token = token(try TokenScope(parsing: scope))
        if isIssued {
            #expect(try Given(added(kind)).when(.issueToken(token)) == [.tokenIssued(token)])
        } else {
            #expect(refusal { try Given(added(kind)).when(.issueToken(token)) }?.field == "scope")
        }
    }

    @Test("A token with a repeated id, a past expiry or a short digest is refused")
    func refusesTokens() {
        let given = Given(added(.person), .tokenIssued(token(.full)))
        #expect(refusal { try given.when(.issueToken(token(.read))) }?.field == "token")
        #expect(refusal { try Given().when(.issueToken(token(.read))) }?.code == .notFound)
        let expired = token(.full, expires: Example.now)
        #expect(refusal { try Given(added(.person)).when(.issueToken(expired)) }?.field == "expires")
        let weak = Token(id: Example.id(20), scope: .full, digest: [1])
        #expect(refusal { try Given(added(.person)).when(.issueToken(weak)) }?.field == "digest")
    }

    @Test("A token can be revoked only once")
    func revokesATokenOnce() throws {
        let issued = JournalEvent.tokenIssued(token(.full))
        let revoke = AccountCommand.revokeToken(Example.id(20))
        #expect(try Given(added(.person), issued).when(revoke) == [.tokenRevoked(Example.id(20))])
        #expect(refusal { try Given(added(.person)).when(revoke) }?.code == .notFound)
        let given = Given(added(.person), issued, .tokenRevoked(Example.id(20)))
        #expect(refusal { try given.when(revoke) }?.code == .conflict)
    }

    @Test("A token is valid until it expires or is revoked")
    func tokenValidity() {
        let expires = Instant(microseconds: 1_000)
        var state = TokenState(token: token(.full, expires: expires), issued: Example.stamp(1))
        #expect(state.isValid(at: Instant(microseconds: 999)))
        #expect(!state.isValid(at: expires))
        state.revoked = Example.stamp(2)
        #expect(!state.isValid(at: Instant(microseconds: 999)))
    }

    @Test(
        "A token scope is parsed and written in the same form",
        arguments: ["full", "read", "append", "append:scale.kitchen", "audit"]
    )
    func parsesScopes(text: String) throws {
        #expect(try TokenScope(parsing: text).description == text)
    }

    @Test(
        "An unknown or malformed token scope is refused",
        arguments: [
            "", "write", "append:", "append:a b", "append:é", "Full", "append:" + String(repeating: "a", count: 101),
        ]
    )
    func refusesInvalidScopes(text: String) {
        #expect(refusal { try TokenScope(parsing: text) }?.field == "scope")
    }

    @Test("A unique value is claimed by one holder at a time, and only that holder can release it")
    func claimsAValueForOneHolder() throws {
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

    private let hash = PasswordHash(
        salt: [UInt8](repeating: 1, count: 16),
        hash: [UInt8](repeating: 2, count: 32),
        cost: .standard
    )

    private func session(_ number: UInt8, lasting seconds: Int64 = 3_600) -> AccountSession {
        AccountSession(
            id: Example.id(number),
            digest: digest,
            expires: Instant(microseconds: Example.now.microseconds + seconds * 1_000_000)
        )
    }

    @Test("A new password ends all open sessions except the one to keep, and a tool cannot have one")
    func setsPassword() throws {
        let given = Given(
            added(.person),
            .sessionBegun(session(30)),
            .sessionBegun(session(31)),
            .sessionBegun(session(32)),
            .sessionEnded(Example.id(30))
        )
        #expect(
            try given.when(.setPassword(hash, keeping: Example.id(32)))
                == [.passwordSet(hash), .sessionEnded(Example.id(31))]
        )
        #expect(
            try given.when(.setPassword(hash, keeping: nil))
                == [.passwordSet(hash), .sessionEnded(Example.id(31)), .sessionEnded(Example.id(32))]
        )
        #expect(refusal { try Given().when(.setPassword(hash, keeping: nil)) }?.code == .notFound)
        #expect(refusal { try Given(added(.tool)).when(.setPassword(hash, keeping: nil)) }?.field == "account")
    }

    @Test(
        "A password hash with an unsupported cost is refused",
        arguments: [
            PasswordCost(rounds: 0, blockSize: 8, parallelism: 1),
            PasswordCost(rounds: 100, blockSize: 8, parallelism: 1),
            PasswordCost(rounds: 1 << 21, blockSize: 8, parallelism: 1),
            PasswordCost(rounds: 1 << 15, blockSize: 0, parallelism: 1),
            PasswordCost(rounds: 1 << 15, blockSize: 64, parallelism: 1),
            PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 17),
        ]
    )
    func refusesHashCosts(cost: PasswordCost) {
        var hash = hash
        hash.cost = cost
        #expect(refusal { try Given(added(.person)).when(.setPassword(hash, keeping: nil)) }?.field == "password")
    }

    @Test("A person can be added together with a password, and a tool cannot")
    func addsWithPassword() throws {
        let profile = AccountProfile(name: "anna", kind: .person)
        #expect(try Given().when(.add(profile, password: hash)) == [.accountAdded(profile), .passwordSet(hash)])
        let tool = AccountProfile(name: "scale", kind: .tool)
        #expect(refusal { try Given().when(.add(tool, password: hash)) }?.field == "account")
    }

    @Test("A session begins once and must expire in the future, and ending it again changes nothing")
    func beginsAndEndsSessions() throws {
        let begin = AccountCommand.beginSession(session(30))
        #expect(try Given(added(.person)).when(begin) == [.sessionBegun(session(30))])
        #expect(refusal { try Given(added(.tool)).when(begin) }?.field == "account")
        #expect(refusal { try Given(added(.person), .sessionBegun(session(30))).when(begin) }?.field == "session")
        #expect(refusal { try Given(added(.person)).when(.beginSession(session(30, lasting: 0))) }?.field == "expires")
        let end = AccountCommand.endSession(Example.id(30))
        let given = Given(added(.person), .sessionBegun(session(30)))
        #expect(try given.when(end) == [.sessionEnded(Example.id(30))])
        let ended = Given(added(.person), .sessionBegun(session(30)), .sessionEnded(Example.id(30)))
        #expect(try ended.when(end).isEmpty)
        #expect(refusal { try Given(added(.person)).when(end) }?.code == .notFound)
    }

    @Test("A new session beyond the limit ends the oldest one")
    func limitsSessions() throws {
        var state: AccountState?
        let events = [added(.person)] + (0..<UInt8(Limits.sessions)).map { .sessionBegun(session(100 + $0)) }
        for (offset, event) in events.enumerated() {
            let stamp = Example.stamp(UInt64(offset) + 1)
            evolve(&state, RecordedEvent(stamp: stamp, subject: Example.anna, stream: Example.anna, event: event))
        }
        #expect(
            try decide(.beginSession(session(30)), state, now: Example.now)
                == [.sessionEnded(Example.id(100)), .sessionBegun(session(30))]
        )
    }

    @Test("The state drops ended and expired sessions when the next session begins")
    func dropsEndedSessions() throws {
        var state: AccountState?
        let expiring = session(31, lasting: 0)
        let events: [JournalEvent] = [
            added(.person), .sessionBegun(session(30)), .sessionBegun(expiring), .sessionEnded(Example.id(30)),
            .sessionBegun(session(32)),
        ]
        for (offset, event) in events.enumerated() {
            let stamp = Example.stamp(UInt64(offset) + 1)
            evolve(&state, RecordedEvent(stamp: stamp, subject: Example.anna, stream: Example.anna, event: event))
        }
        #expect(state?.sessions.keys.sorted { $0.text < $1.text } == [Example.id(32)])
        let open = try #require(state?.sessions[Example.id(32)])
        #expect(open.isOpen(at: Instant(microseconds: open.expires.microseconds - 1)))
        #expect(!open.isOpen(at: open.expires))
    }

    private func identity(_ id: UInt8, _ subject: String = "a1", at issuer: String = "https://id.example")
        -> AccountIdentity
    {
        AccountIdentity(id: Example.id(id), issuer: issuer, subject: subject)
    }

    @Test("An identity can be linked to an account once, and again after it is unlinked")
    func linksIdentity() throws {
        let (one, other) = (identity(40), identity(41, "a2"))
        #expect(try Given(added(.person)).when(.linkIdentity(one)) == [.identityLinked(one)])
        let given = Given(added(.person), .identityLinked(one))
        #expect(try given.when(.linkIdentity(other)) == [.identityLinked(other)])
        #expect(refusal { try given.when(.linkIdentity(identity(41))) }?.field == "subject")
        #expect(refusal { try given.when(.linkIdentity(identity(40, "a2"))) }?.field == "identity")
        #expect(try given.when(.unlinkIdentity(Example.id(40))) == [.identityUnlinked(Example.id(40))])
        let gone = Given(added(.person), .identityLinked(one), .identityUnlinked(Example.id(40)))
        #expect(refusal { try gone.when(.unlinkIdentity(Example.id(40))) }?.code == .notFound)
        #expect(try gone.when(.linkIdentity(one)) == [.identityLinked(one)])
    }

    @Test("An identity is refused for a tool, with an invalid issuer or subject, or beyond the limit")
    func refusesIdentities() {
        #expect(refusal { try Given(added(.tool)).when(.linkIdentity(identity(40))) }?.code == .conflict)
        for (issuer, subject, field) in [
            ("", "a", "issuer"), ("i", "", "subject"), ("i\n", "a", "issuer"), ("i", "a\nb", "subject"),
            ("i", String(repeating: "x", count: 1_001), "subject"),
        ] {
            let identity = identity(40, subject, at: issuer)
            #expect(refusal { try Given(added(.person)).when(.linkIdentity(identity)) }?.field == field)
        }
        var state: AccountState?
        let events = (0..<UInt8(Limits.identities)).map { JournalEvent.identityLinked(identity(50 + $0, "b\($0)")) }
        for (offset, event) in ([added(.person)] + events).enumerated() {
            let stamp = Example.stamp(UInt64(offset) + 1)
            evolve(&state, RecordedEvent(stamp: stamp, subject: Example.anna, stream: Example.anna, event: event))
        }
        #expect(refusal { try decide(.linkIdentity(identity(40)), state, now: Example.now) }?.field == "identity")
    }
}
