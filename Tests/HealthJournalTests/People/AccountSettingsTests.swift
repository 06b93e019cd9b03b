import CaregiverPermissions
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Account settings")
struct AccountSettingsTests {
    @Test("An account reads and changes its own profile and preferences, and nobody else does")
    func own() async throws {
        let home = try await TestHousehold()
        let anna = try await home.account("anna")
        #expect(try await home.journal.accounts.preferences(anna) == AccountPreferences())
        let preferences = AccountPreferences(
            timeZone: "Asia/Kathmandu",
            quietFrom: WallTime(minutes: 1_320),
            quietUntil: WallTime(minutes: 360)
        )
        #expect(try await home.journal.accounts.setPreferences(preferences, anna).isChanged)
        #expect(try await !home.journal.accounts.setPreferences(preferences, anna).isChanged)
        #expect(try await home.journal.accounts.preferences(anna) == preferences)
        _ = try await home.journal.accounts.setDetails(
            AccountDetails(email: "a@example.org", displayName: "Anna"),
            anna
        )
        #expect(try home.journal.accounts.account(anna.account).email == "a@example.org")
        for action in [AccountAction.readSettings, .changeSettings] {
            #expect(try await home.journal.access.may(action, ofAccount: anna.account, anna))
            #expect(try await !home.journal.access.may(action, ofAccount: anna.account, home.owner))
        }
        let tool = try await home.account("scale", .tool)
        #expect(await refusal { _ = try await home.journal.accounts.preferences(tool) }?.code == .refused)
    }

    @Test("A time zone must be in the table of zones")
    func zone() async throws {
        let home = try await TestHousehold()
        let error = await refusal {
            _ = try await home.journal.accounts.setPreferences(AccountPreferences(timeZone: "Mars/Base"), home.owner)
        }
        #expect(error?.code == .invalid)
        #expect(error?.field == "timeZone")
    }

    @Test("Only those who run the journal set a subscription")
    func subscription() async throws {
        let home = try await TestHousehold()
        let anna = try await home.account("anna")
        let administrator = try await home.account("admin", .administrator)
        let trial = Subscription(status: .trial, trialEnd: try Instant(parsing: "2026-04-01T00:00:00Z"))
        #expect(
            await refusal { _ = try await home.journal.accounts.setSubscription(trial, of: anna.account, anna) }?.code
                == .refused
        )
        #expect(
            await refusal { _ = try await home.journal.accounts.subscription(of: anna.account, anna) }?.code
                == .notFound
        )
        _ = try await home.journal.accounts.setSubscription(trial, of: anna.account, administrator)
        #expect(try await home.journal.accounts.subscription(of: anna.account, anna) == trial)
        let other = try await home.account("other")
        #expect(
            await refusal { _ = try await home.journal.accounts.subscription(of: anna.account, other) }?.code
                == .refused
        )
    }

    @Test("An account is signed in for the last time when a session begins or a token is used")
    func lastLogin() async throws {
        let home = try await TestHousehold()
        let anna = try await home.account("anna")
        #expect(try home.journal.accounts.account(anna.account).lastLoginAt == nil)
        let code = try home.journal.accounts.makeSignInCode(for: anna.account)
        _ = try await home.journal.accounts.signIn(code: code, SignInSource(.http))
        #expect(try home.journal.accounts.account(anna.account).lastLoginAt != nil)
    }

    @Test(
        "Without a valid subscription an account reads, exports and erases, and changes nothing",
        arguments: [true, false]
    )
    func expired(isRequired: Bool) async throws {
        let home = try await TestHousehold()
        let local = try await home.account("anna")
        let record = try await home.person("Anna", local)
        let weight = try await home.add("weight", ["value": "70"], to: record, local)
        let secret = try await home.journal.accounts.issueToken(to: local.account, scope: .full, expires: nil, local)
            .secret
        let (nurse, second) = (try await home.account("nurse"), try await home.account("second"))
        _ = try await home.journal.sharing.grant(GrantTerms(), to: nurse.account, on: record, local)
        _ = try await home.journal.sharing.addOwner(second.account, to: record, local)
        let invited = try await home.journal.sharing.invite(GrantTerms(), to: record, local)
        let calendar = try await home.journal.reminders.linkCalendar(to: .doses(of: record), second)
        _ = try await home.journal.accounts.setSubscription(
            Subscription(status: .expired),
            of: local.account,
            home.owner
        )
        if isRequired { home.journal.accounts.requireSubscriptions() }
        let anna = try await home.journal.accounts.authenticate(
            secret,
            source: .http,
            reason: "moved to another journal"
        )

        let changes: [(String, () async throws -> Void)] = [
            ("add", { _ = try await home.add("weight", ["value": "71"], to: record, anna) }),
            ("retract", { _ = try await home.journal.entries.retractEntry(weight, anna) }),
            ("create", { _ = try await home.person("Another", anna) }),
            (
                "preferences",
                { _ = try await home.journal.accounts.setPreferences(AccountPreferences(language: "de"), anna) }
            ),
            ("profile", { _ = try await home.journal.accounts.setDetails(AccountDetails(displayName: "A"), anna) }),
            ("invite", { _ = try await home.journal.sharing.invite(GrantTerms(), to: record, anna) }),
            ("grant", { _ = try await home.journal.sharing.grant(GrantTerms(), to: nurse.account, on: record, anna) }),
        ]
        for (name, change) in changes {
            let code = await refusal(change)?.code
            #expect(code == (isRequired ? .subscriptionExpired : nil), "\(name)")
        }
        _ = try await home.journal.records.read(record, ReadOptions(), anna)
        _ = try await home.journal.exports.export(record, by: anna)
        _ = try await home.journal.accounts.preferences(anna)
        // Access can always be taken away.
        _ = try await home.journal.sharing.revoke(nurse.account, on: record, anna)
        _ = try await home.journal.sharing.withdrawInvitation(invited.id, of: record, anna)
        _ = try await home.journal.reminders.unlinkCalendar(calendar.id, of: .doses(of: record), anna)
        _ = try await home.journal.sharing.removeOwner(second.account, from: record, anna)
        for token in try await home.journal.accounts.tokens(of: anna.account, anna) where token.id != anna.token {
            _ = try await home.journal.accounts.revokeToken(token.id, of: anna.account, anna)
        }
        // Those on the local machine have the master key.
        _ = try await home.add("weight", ["value": "72"], to: record, local)
        _ = try await home.journal.erasure.eraseRecord(record, anna)
    }

    @Test("Which actions need a subscription")
    func actions() {
        let kinds: Set<Kind> = [Drug.kind]
        let refused: [Action] = [
            .contribute(Drug.kind, .adding), .manage, .createRecord, .importRecords, .acceptInvitation,
            .append(category: "scale"), .account(.changeSettings, .own), .account(.importData, .own),
        ]
        let permitted: [Action] = [
            .read(kinds, .read), .readPast(nil, .export), .revoke, .erase, .emergency, .audit(.history), .follow, .see,
            .oversee, .administer(.manage), .acceptState, .account(.readSettings, .own), .account(.setPassword, .own),
            .account(.manageCredentials, .own), .account(.issueToken, .own),
        ]
        var caller = Caller(account: UUID(), name: "anna", kind: .person, source: .http)
        caller.isSubscriptionOver = true
        for (actions, isRefused) in [(refused, true), (permitted, false)] {
            for action in actions {
                let decision = Gate.decide(
                    action,
                    by: caller,
                    permission: Permission(isOwner: true),
                    now: Instant(microseconds: 0),
                    today: Day(daysSince1970: 0)
                )
                #expect((decision == .denied(Gate.subscriptionRefusal)) == isRefused, "\(action)")
            }
        }
    }
}
