import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Sign-in with passwords and codes")
struct SignInTests {
    private let here = SignInSource(.http, address: "192.0.2.1")

    private func household() async throws -> (TestHousehold, Caller) {
        let home = try await TestHousehold()
        var anna = try await home.account("Anna")
        anna.source = .http
        anna.signedIn = home.journal.now
        return (home, anna)
    }

    /// The hash is that of scrypt as defined by RFC 7914, so that any other program can check it.
    @Test("A password matches the scrypt hash of the example in RFC 7914")
    func standardExample() throws {
        let cost = PasswordCost(rounds: 16_384, blockSize: 8, parallelism: 1)
        let expected = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        let bytes = stride(from: 0, to: expected.count, by: 2)
            .map { UInt8(expected.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        let stored = PasswordHash(salt: Array("SodiumChloride".utf8), hash: bytes, cost: cost)
        #expect(try Password(typed: "pleaseletmein")?.matches(stored) == true)
        #expect(try Password(typed: "pleaseletmeIn")?.matches(stored) == false)
    }

    @Test("A password matches in composed and decomposed Unicode, and each hash has a new salt")
    func normalizesPasswords() throws {
        let cost = PasswordCost(rounds: 16, blockSize: 8, parallelism: 1)
        let hash = try Password(setting: "Grüezi mitenand", ofAccount: "anna").hash(cost)
        #expect(try Password(typed: "Gru\u{308}ezi mitenand")?.matches(hash) == true)
        #expect(try Password(typed: "Gruezi mitenand")?.matches(hash) == false)
        let again = try Password(setting: "Grüezi mitenand", ofAccount: "anna").hash(cost)
        #expect(again.salt != hash.salt)
        #expect(again.hash != hash.hash)
        #expect(hash.cost == cost)
    }

    @Test(
        "A password that is too short or too long is refused, and no event is stored",
        arguments: ["", "123456789", "ü12345678", String(repeating: "a", count: 1_025)]
    )
    func refusesPasswordLengths(text: String) async throws {
        let (home, anna) = try await household()
        let before = try home.head
        let error = await refusal { _ = try await home.journal.accounts.setPassword(of: anna.account, to: text, anna) }
        #expect(error?.code == .invalid)
        #expect(error?.field == "password")
        #expect(try home.head == before)
    }

    @Test("Each sign-in with the correct password begins a session of its own, which expires within 31 days")
    func signsIn() async throws {
        let (home, anna) = try await household()
        _ = try await home.journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        let signIn = try await home.journal.accounts.signIn(name: " ANNA ", password: "correct horse", here)
        #expect(signIn.account == anna.account)
        #expect(signIn.secret.hasPrefix("hjs_"))
        #expect(signIn.secret.count == 4 + 43)
        let state = try home.journal.accounts.account(anna.account)
        let session = try #require(state.sessions[signIn.session])
        #expect(session.digest == Secret.digest(of: signIn.secret))
        #expect(session.expires == signIn.expires)
        #expect(session.isOpen(at: home.journal.now))
        #expect(!session.isOpen(at: Instant(microseconds: home.journal.now.microseconds + 31 * 86_400_000_000)))
        let again = try await home.journal.accounts.signIn(name: "anna", password: "correct horse", here)
        #expect(again.secret != signIn.secret)
        #expect(again.session != signIn.session)
    }

    @Test("No password, password hash or secret is stored in plaintext")
    func storesNoPlaintext() async throws {
        let (home, anna) = try await household()
        _ = try await home.journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        let signIn = try await home.journal.accounts.signIn(name: "anna", password: "correct horse", here)
        _ = await refusal { _ = try await home.journal.accounts.signIn(name: "battery staple", password: "x", here) }
        let events = try home.events(after: 0).map { "\($0)" }.joined()
        for word in ["correct horse", signIn.secret, "battery staple"] { #expect(!events.contains(word)) }
        try home.reopen()
        let files = try #require(FileManager.default.enumerator(atPath: home.folder.path))
        for case let name as String in files {
            guard let bytes = FileManager.default.contents(atPath: home.folder.path + "/" + name) else { continue }
            for word in ["correct horse", signIn.secret, "battery staple"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test(
        "An unknown name, a wrong password, an account without one and a tool give the same error",
        arguments: [
            ("nobody", "correct horse"), ("anna", "wrong horse!"), ("ben", "correct horse"), ("scale", "correct horse"),
            ("", ""), ("anna", ""), ("anna", String(repeating: "x", count: 2_000)), ("a\u{0}b", "x"),
            (String(repeating: "n", count: 5_000), "x"),
        ]
    )
    func sameError(name: String, password: String) async throws {
        let (home, anna) = try await household()
        _ = try await home.account("ben")
        _ = try await home.account("scale", .tool)
        _ = try await home.journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        let before = try home.head
        let error = await refusal { _ = try await home.journal.accounts.signIn(name: name, password: password, here) }
        #expect(error == JournalError(.unauthenticated, "the name or the password is wrong"))
        let events = try home.events(after: before)
        #expect(events.map(\.type) == [AccessDenied.type])
        #expect(events.first?.event == .accessDenied(Access(action: .signIn)))
        #expect(events.first?.subject == home.journal.log.description.id)
        #expect(
            events.first?.stamp.actor
                == (name == "anna"
                    ? anna.account : name == "ben" ? try home.journal.accounts.account(named: "ben")?.id : .zero)
        )
    }

    @Test("A password change needs the current password, except at the command line")
    func requiresCurrentPassword() async throws {
        let (home, anna) = try await household()
        let journal = home.journal
        _ = try await journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        let missing = await refusal {
            _ = try await journal.accounts.setPassword(of: anna.account, to: "another horse", anna)
        }
        #expect(missing?.field == "current")
        #expect(missing?.code == .invalid)
        let wrong = await refusal {
            _ = try await journal.accounts.setPassword(of: anna.account, to: "another horse", current: "guess", anna)
        }
        #expect(wrong?.field == "current")
        #expect(wrong?.code == .refused)
        #expect(try home.events(after: try home.head - 1).map(\.type) == [AccessDenied.type])
        _ = try await journal.accounts.setPassword(
            of: anna.account,
            to: "another horse",
            current: "correct horse",
            anna
        )
        _ = try await journal.accounts.signIn(name: "anna", password: "another horse", here)
        var local = anna
        local.source = .commandLine
        _ = try await journal.accounts.setPassword(of: anna.account, to: "a third horse", local)
        _ = try await journal.accounts.signIn(name: "anna", password: "a third horse", here)
    }

    @Test("Only those who run the journal can set another account's password, and a tool gets none")
    func passwordsOfOthers() async throws {
        let (home, anna) = try await household()
        let ben = try await home.account("ben")
        let error = await refusal {
            _ = try await home.journal.accounts.setPassword(of: anna.account, to: "a password of mine", ben)
        }
        #expect(error?.code == .refused)
        _ = try await home.journal.accounts.setPassword(of: anna.account, to: "a password of hers", home.owner)
        _ = try await home.journal.accounts.signIn(name: "anna", password: "a password of hers", here)
        let scale = try await home.account("scale", .tool)
        let tool = await refusal {
            _ = try await home.journal.accounts.setPassword(of: scale.account, to: "a password of its", home.owner)
        }
        #expect(tool?.code == .conflict)
    }

    @Test("A new password ends all other sessions, and an ended or expired session is refused")
    func endsSessions() async throws {
        let (home, anna) = try await household()
        let journal = home.journal
        _ = try await journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        let first = try await journal.accounts.signIn(name: "anna", password: "correct horse", here)
        let second = try await journal.accounts.signIn(name: "anna", password: "correct horse", here)
        let caller = try await journal.accounts.authenticate(second.secret, source: .http)
        #expect(caller.account == anna.account)
        #expect(caller.session == second.session)
        #expect(caller.scope == .full)
        _ = try await journal.accounts.authenticate(first.secret, source: .http)
        _ = try await journal.accounts.setPassword(
            of: anna.account,
            to: "another horse",
            current: "correct horse",
            caller
        )
        await #expect(throws: JournalError.self) {
            try await journal.accounts.authenticate(first.secret, source: .http)
        }
        #expect(try await journal.accounts.authenticate(second.secret, source: .http) == caller)
        let stranger = try await home.account("stranger")
        let error = await refusal {
            _ = try await journal.accounts.endSession(second.session, of: anna.account, stranger)
        }
        #expect(error?.code == .refused)
        _ = try await journal.accounts.endSession(second.session, of: anna.account, caller)
        await #expect(throws: JournalError.self) {
            try await journal.accounts.authenticate(second.secret, source: .http)
        }
        let third = try await journal.accounts.signIn(name: "anna", password: "another horse", here)
        _ = try await journal.accounts.authenticate(third.secret, source: .http)
        try home.clock.set("2026-04-02T12:00:00Z")
        await #expect(throws: JournalError.self) {
            try await journal.accounts.authenticate(third.secret, source: .http)
        }
    }

    @Test("A token that may only read cannot change the password or end a session")
    func readOnlyToken() async throws {
        let (home, anna) = try await household()
        let journal = home.journal
        let issued = try await journal.accounts.issueToken(to: anna.account, scope: .read, expires: nil, home.owner)
        let caller = try await journal.accounts.authenticate(issued.secret, source: .http)
        let code = try journal.accounts.makeSignInCode(for: anna.account)
        let session = try await journal.accounts.signIn(code: code, here).session
        let password = await refusal {
            _ = try await journal.accounts.setPassword(of: anna.account, to: "mine from now", caller)
        }
        #expect(password?.code == .refused)
        let end = await refusal { _ = try await journal.accounts.endSession(session, of: anna.account, caller) }
        #expect(end?.code == .refused)
    }

    @Test("Guesses at a password from one network are delayed, and the delay is recorded once")
    func slowsDownGuessing() async throws {
        let (home, anna) = try await household()
        let journal = home.journal
        _ = try await journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        for attempt in 0..<5 {
            let error = await refusal {
                _ = try await journal.accounts.signIn(name: "anna", password: "guess \(attempt)", here)
            }
            #expect(error?.code == .unauthenticated)
        }
        let before = try home.head
        for _ in 0..<10 {
            let error = await refusal {
                _ = try await journal.accounts.signIn(name: "anna", password: "correct horse", here)
            }
            #expect(error?.code == .busy)
            #expect(error?.retryAfter == 1)
        }
        let events = try home.events(after: before)
        #expect(events.map(\.type) == [AccessDenied.type])
        #expect(events.first?.reason == "too many attempts for one account")
        let elsewhere = SignInSource(.http, address: "198.51.100.0/24")
        _ = try await journal.accounts.signIn(name: "anna", password: "correct horse", elsewhere)
        try home.clock.set("2026-03-02T12:00:10Z")
        _ = try await journal.accounts.signIn(name: "anna", password: "correct horse", here)
        // After a successful sign-in there is no delay.
        let error = await refusal { _ = try await journal.accounts.signIn(name: "anna", password: "guess", here) }
        #expect(error?.code == .unauthenticated)
    }

    @Test("A wrong name and a wrong password take the same time")
    func takesTheSameTime() async throws {
        let (home, anna) = try await household()
        let journal = home.journal
        _ = try await journal.accounts.setPassword(of: anna.account, to: "correct horse", anna)
        for name in ["anna", "nobody"] {
            let start = ContinuousClock.now
            _ = await refusal { _ = try await journal.accounts.signIn(name: name, password: "guess", here) }
            #expect(ContinuousClock.now - start >= .milliseconds(250))
        }
    }

    @Test("A sign-in code works once, expires after 15 minutes, and is lost at a restart")
    func singleUseCode() async throws {
        let (home, anna) = try await household()
        let code = try home.journal.accounts.makeSignInCode(for: anna.account)
        let signIn = try await home.journal.accounts.signIn(code: code, here)
        #expect(signIn.account == anna.account)
        for wrong in [code, "hjc_guess", ""] {
            let before = try home.head
            let error = await refusal { _ = try await home.journal.accounts.signIn(code: wrong, here) }
            #expect(error?.code == .unauthenticated)
            #expect(error?.field == "code")
            #expect(try home.events(after: before).map(\.type) == [AccessDenied.type])
        }
        let old = try home.journal.accounts.makeSignInCode(for: anna.account)
        try home.clock.set("2026-03-02T12:15:01Z")
        #expect(await refusal { _ = try await home.journal.accounts.signIn(code: old, here) }?.code == .unauthenticated)
        let scale = try await home.account("scale", .tool)
        #expect(throws: JournalError.self) { try home.journal.accounts.makeSignInCode(for: scale.account) }
        let gone = try home.journal.accounts.makeSignInCode(for: anna.account)
        try home.reopen()
        #expect(
            await refusal { _ = try await home.journal.accounts.signIn(code: gone, here) }?.code == .unauthenticated
        )
    }

    @Test("Of 16 concurrent sign-ins with one code, exactly one succeeds")
    func concurrentCode() async throws {
        let (home, anna) = try await household()
        let journal = home.journal
        let code = try journal.accounts.makeSignInCode(for: anna.account)
        let signedIn = await withTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    let source = SignInSource(.http, address: "198.51.100.\(number)")
                    return await refusal { _ = try await journal.accounts.signIn(code: code, source) } == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(signedIn == 1)
    }
}
