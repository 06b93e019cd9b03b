import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Confirmation before lasting access is created")
struct ConfirmationTests {
    private let password = "correct horse battery"

    /// Returns an attempt for each way to create access.
    private func attempts(
        _ journal: Journal,
        _ caller: Caller,
        until: Instant? = nil,
        current: String? = nil
    ) -> [(name: String, run: () async throws -> Void)] {
        let account = caller.account
        return [
            (
                "token",
                {
                    _ = try await journal.accounts.issueToken(
                        to: account,
                        scope: .read,
                        expires: until,
                        current: current,
                        caller
                    )
                }
            ),
            (
                "identity",
                {
                    _ = try await journal.accounts.linkIdentity(
                        issuer: "https://id.example.org",
                        subject: UUID().text,
                        isProven: true,
                        to: account,
                        current: current,
                        caller
                    )
                }
            ),
            (
                "password",
                {
                    _ = try await journal.accounts.setPassword(
                        of: account,
                        to: "another long one",
                        current: current,
                        caller
                    )
                }
            ),
        ]
    }

    private func signedIn(_ household: TestHousehold, as account: UUID) async throws -> Caller {
        let code = try household.journal.accounts.makeSignInCode(for: account)
        let secret = try await household.journal.accounts.signIn(code: code, SignInSource(.http)).secret
        return try await household.journal.accounts.authenticate(secret, source: .http)
    }

    @Test("An account with a password must provide it again, whatever its credential")
    func withPassword() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let anna = try await household.account("anna")
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, anna)
        let token = try await journal.accounts.issueToken(to: anna.account, scope: .full, expires: nil, anna).secret
        var provided = anna
        (provided.source, provided.signedIn) = (.http, journal.now)
        for caller in [
            try await signedIn(household, as: anna.account),
            try await journal.accounts.authenticate(token, source: .http),
            provided,
        ] {
            let before = try journal.accounts.account(anna.account)
            for attempt in attempts(journal, caller) {
                let error = await refusal(attempt.run)
                #expect(error?.code == .invalid, "\(attempt.name)")
                #expect(error?.field == "current", "\(attempt.name)")
            }
            for attempt in attempts(journal, caller, current: "not it at all") {
                let error = await refusal(attempt.run)
                #expect(error?.code == .refused, "\(attempt.name)")
                #expect(error?.field == "current", "\(attempt.name)")
            }
            #expect(try journal.accounts.account(anna.account) == before)
            // The failures above make the next attempt wait, which is not what the right password tests.
            journal.signIns.limiter.succeed(.current(anna.account), from: nil)
            let right = attempts(journal, caller, current: password)
            for attempt in right.dropLast() { try await attempt.run() }
        }
    }

    @Test("An account without a password must have signed in recently")
    func withoutPassword() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let anna = try await household.account("anna")
        try household.clock.set("2026-03-02T13:00:00Z")
        let session = try await signedIn(household, as: anna.account)
        var provided = session
        (provided.session, provided.signedIn) = (nil, journal.now)
        try household.clock.set("2026-03-02T13:16:00Z")
        var unsaid = provided
        unsaid.signedIn = nil
        for caller in [session, provided, unsaid] {
            for attempt in attempts(journal, caller) {
                #expect(await refusal(attempt.run)?.code == .refused, "\(attempt.name)")
            }
        }
        try household.clock.set("2026-03-02T13:14:00Z")
        for attempt in attempts(journal, session).dropLast() + attempts(journal, provided) {
            #expect(await refusal(attempt.run) == nil, "\(attempt.name)")
        }
    }

    @Test("A token that expires cannot create access that lasts longer")
    func tokens() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let anna = try await household.account("anna")
        let end = try Instant(parsing: "2026-04-01T00:00:00Z")
        let ending = try await journal.accounts.issueToken(to: anna.account, scope: .full, expires: end, anna).secret
        let caller = try await journal.accounts.authenticate(ending, source: .http)
        let later = Instant(microseconds: end.microseconds + 1)
        for attempt in attempts(journal, caller) + attempts(journal, caller, until: later) {
            #expect(await refusal(attempt.run)?.code == .refused, "\(attempt.name)")
        }
        #expect(await refusal(attempts(journal, caller, until: end)[0].run) == nil)
        let endless = try await journal.accounts.issueToken(to: anna.account, scope: .full, expires: nil, anna).secret
        for attempt in attempts(journal, try await journal.accounts.authenticate(endless, source: .http)) {
            #expect(await refusal(attempt.run) == nil, "\(attempt.name)")
        }
    }

    @Test("A session alone cannot set another account's password, issue tokens for it or add an account")
    func others() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let (owner, anna) = (household.owner, try await household.account("anna"))
        _ = try await journal.accounts.setPassword(of: owner.account, to: password, owner)
        let caller = try await signedIn(household, as: owner.account)
        let error = await refusal {
            _ = try await journal.accounts.setPassword(of: anna.account, to: "another long one", caller)
        }
        #expect(error?.field == "current")
        let token = await refusal {
            _ = try await journal.accounts.issueToken(to: anna.account, scope: .full, expires: nil, caller)
        }
        #expect(token?.field == "current")
        let added = await refusal {
            _ = try await journal.accounts.addAccount(AccountProfile(name: "eve"), password: password, caller)
        }
        #expect(added?.field == "current")
        _ = try await journal.accounts.setPassword(of: anna.account, to: "another long one", current: password, caller)
    }

    @Test("A change of the password revokes exactly the tokens and identities that are named")
    func revoked() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let anna = try await household.account("anna")
        var tokens: [UUID] = []
        for _ in 0..<3 {
            tokens.append(try await journal.accounts.issueToken(to: anna.account, scope: .read, expires: nil, anna).id)
        }
        for subject in ["a", "b"] {
            _ = try await journal.accounts.linkIdentity(
                issuer: "https://id.example.org",
                subject: subject,
                isProven: true,
                to: anna.account,
                anna
            )
        }
        let found = try await journal.accounts.lastingAccess(of: anna.account, anna)
        #expect(found.tokens.map(\.id) == tokens)
        #expect(found.identities.count == 2)
        let named = Revocation.these([tokens[0], found.identities[0].identity.id])
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, revoking: named, anna)
        let left = try await journal.accounts.lastingAccess(of: anna.account, anna)
        #expect(left.tokens.map(\.id) == Array(tokens.dropFirst()))
        #expect(left.identities.map(\.identity.subject) == ["b"])
        let missing = await refusal {
            _ = try await journal.accounts.setPassword(of: anna.account, to: password, revoking: named, anna)
        }
        #expect(missing?.code == .notFound)
        #expect(missing?.field == "revoke")
        // An identity that was unlinked may be linked again.
        _ = try await journal.accounts.linkIdentity(
            issuer: "https://id.example.org",
            subject: "a",
            isProven: true,
            to: anna.account,
            anna
        )
        var caller = anna
        caller.token = tokens[1]
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, revoking: .everything, caller)
        let last = try await journal.accounts.lastingAccess(of: anna.account, anna)
        #expect(last.tokens.map(\.id) == [tokens[1]])
        #expect(last.identities.isEmpty)
    }

    @Test("Calendars and channels with names need the password again, and channels without names do not")
    func calendars() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let anna = try await household.account("anna")
        let record = try await household.person("Anna", anna)
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, anna)
        let caller = try await signedIn(household, as: anna.account)
        func attempts(_ current: String?) -> [() async throws -> Void] {
            [
                { _ = try await journal.reminders.linkCalendar(to: .doses(of: record), current: current, caller) },
                {
                    _ = try await journal.reminders.addChannel(
                        .webhook,
                        address: "https://tool.example.org/",
                        detail: .names,
                        current: current,
                        caller
                    )
                },
            ]
        }
        for attempt in attempts(nil) {
            let error = await refusal(attempt)
            #expect(error?.code == .invalid)
            #expect(error?.field == "current")
        }
        for attempt in attempts("not it at all") { #expect(await refusal(attempt)?.code == .refused) }
        #expect(try await journal.reminders.calendars(of: .doses(of: record), anna).isEmpty)
        journal.signIns.limiter.succeed(.current(anna.account), from: nil)
        for attempt in attempts(password) { #expect(await refusal(attempt) == nil) }
        _ = try await journal.reminders.addChannel(.email, address: "anna@example.org", detail: .neutral, caller)
        // If the person prefers names, a channel that states nothing has them.
        _ = try await journal.accounts.setPreferences(AccountPreferences(namesInReminders: true), caller)
        let error = await refusal {
            _ = try await journal.reminders.addChannel(.email, address: "b@example.org", detail: nil, caller)
        }
        #expect(error?.field == "current")
        #expect(try await journal.reminders.channels(caller).count == 2)
    }

    @Test("A change of the password ends the calendars and the channels with names that are named")
    func endedCalendars() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let anna = try await household.account("anna")
        var records: [UUID] = []
        for name in ["Anna", "Ben"] { records.append(try await household.person(name, anna)) }
        var calendars: [NewCalendar] = []
        for record in records {
            calendars.append(try await journal.reminders.linkCalendar(to: .doses(of: record), anna))
        }
        // That of another owner is not Anna's.
        _ = try await journal.sharing.addOwner(household.owner.account, to: records[0], anna)
        let other = try await journal.reminders.linkCalendar(to: .doses(of: records[0]), household.owner)
        var channels: [UUID] = []
        for detail in [ReminderDetail.names, .neutral, .names] {
            channels.append(
                try await journal.reminders.addChannel(.email, address: "anna@example.org", detail: detail, anna).id
            )
        }
        let found = try await journal.accounts.lastingAccess(of: anna.account, anna)
        #expect(Set(found.calendars.map(\.state.id)) == Set(calendars.map(\.id)))
        #expect(found.channels.map(\.id) == [channels[0], channels[2]])
        // An administrator may not end them, and is not shown them.
        let admin = try await household.account("admin", .administrator)
        let shown = try await journal.accounts.lastingAccess(of: anna.account, admin)
        #expect(shown.calendars.isEmpty)
        #expect(shown.channels.isEmpty)

        let named = Revocation.these([calendars[0].id, channels[2]])
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, revoking: named, anna)
        #expect(
            await refusal {
                _ = try await journal.reminders.calendar(atSecret: calendars[0].secret, components: .event)
            }
                == .noCalendar
        )
        for secret in [calendars[1].secret, other.secret] {
            _ = try await journal.reminders.calendar(atSecret: secret, components: .event)
        }
        #expect(try await journal.reminders.channels(anna).map(\.id) == [channels[0], channels[1]])
        let missing = await refusal {
            _ = try await journal.accounts.setPassword(
                of: anna.account,
                to: password,
                revoking: .these([channels[1]]),
                anna
            )
        }
        #expect(missing?.code == .notFound)
        _ = try await journal.accounts.setPassword(of: anna.account, to: password, revoking: .everything, anna)
        #expect(try await journal.reminders.channels(anna).map(\.id) == [channels[1]])
        #expect(try await journal.reminders.calendars(of: .doses(of: records[1]), anna).allSatisfy { !$0.isLinked })
        _ = try await journal.reminders.calendar(atSecret: other.secret, components: .event)
    }

    @Test("A repeated request creates one token or invitation and gets the same secret")
    func repeated() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let record = try await household.person("Ida")
        var caller = household.owner
        caller.request = RequestKey("twice", digest: Array(repeating: 7, count: 32))
        let twice = caller
        async let first = journal.accounts.issueToken(to: twice.account, scope: .full, expires: nil, twice)
        async let second = journal.accounts.issueToken(to: twice.account, scope: .full, expires: nil, twice)
        let (one, other) = (try await first, try await second)
        #expect(one == other)
        #expect(try journal.accounts.account(caller.account).tokens.count == 1)
        #expect(try await journal.accounts.authenticate(one.secret, source: .http).account == caller.account)
        caller.request = RequestKey("twice too", digest: Array(repeating: 8, count: 32))
        let made = try await journal.sharing.invite(GrantTerms(), to: record, caller)
        #expect(try await journal.sharing.invite(GrantTerms(), to: record, caller) == made)
        #expect(try await journal.sharing.invitations(to: record, household.owner).count == 1)
        // After the time for repetitions it is a conflict.
        try household.clock.set("2026-03-02T12:30:00Z")
        let late = await refusal { _ = try await journal.sharing.invite(GrantTerms(), to: record, caller) }
        #expect(late?.code == .conflict)
        var another = household.owner
        another.request = RequestKey("other", digest: Array(repeating: 8, count: 32))
        #expect(try await journal.sharing.invite(GrantTerms(), to: record, another).code != made.code)
    }
}
