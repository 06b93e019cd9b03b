import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Pages of accounts and tokens")
struct AccountPageTests {
    private let password = "correct horse battery"

    @Test(
        "An account is added with its first password, which its holder can sign in with, and errors are at their field"
    )
    func added() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let mistakes: [([String: String], String)] = [
                (["name": "", "kind": "person", "password": password], "name"),
                (["name": "mara", "kind": "person", "password": "short"], "password"),
                (["name": "Owner", "kind": "person", "password": password], "name"),
                (["name": "scale", "kind": "tool", "password": password], "password"),
                (["name": "mara", "kind": "queen"], "kind"),
            ]
            for (fields, wrong) in mistakes {
                let answer = try await browser.submit("/accounts/new", fields)
                #expect(answer.status == 400, "\(fields)")
                #expect(answer.text.contains("field-\(wrong)-problem"), "\(fields)")
                #expect(answer.formFields["name"] == fields["name"])
                #expect(!answer.text.contains(password))
            }
            #expect(
                try fixture.journal.accounts.account(named: "mara") == nil
                    && fixture.journal.accounts.account(named: "scale") == nil
            )
            let added = try await browser.submit(
                "/accounts/new",
                ["name": "mara", "kind": "person", "password": password]
            )
            #expect(added.location == "/accounts?done=accountAdded")
            let account = try #require(try fixture.journal.accounts.account(named: "mara"))
            #expect(try await browser.get("/accounts").text.contains("mara"))
            _ = try await fixture.journal.accounts.signIn(name: "mara", password: password, SignInSource(.http))
            // A new password replaces a forgotten one, and ends the account's sessions.
            let other = try await browser.submit(
                "/accounts/\(account.id.text)/password",
                ["password": "battery staple horse"]
            )
            #expect(other.location == "/accounts?done=passwordOfKept")
            #expect(try fixture.journal.accounts.account(account.id).openSessions(at: fixture.journal.now).isEmpty)
            _ = try await fixture.journal.accounts.signIn(
                name: "mara",
                password: "battery staple horse",
                SignInSource(.http)
            )
        }
    }

    @Test("An account is removed after a question, and stays if that is not possible")
    func removed() async throws {
        let fixture = try await ServiceFixture()
        let journal = fixture.journal
        let (mara, ines) = (
            try await journal.accounts.addAccount(AccountProfile(name: "mara"), fixture.owner).account,
            try await journal.accounts.addAccount(AccountProfile(name: "ines"), fixture.owner).account
        )
        let (gone, stays) = (try #require(mara), try #require(ines))
        let holder = try journal.accounts.caller("ines", source: .http)
        _ = try await journal.records.createRecord(RecordProfile(subject: .human), holder)
        try await fixture.browse { browser in
            let page = try await browser.get("/accounts").text
            #expect(page.contains("/accounts/\(gone.text)/remove"))
            #expect(!page.contains("/accounts/\(fixture.owner.account.text)/remove"))
            #expect(try await browser.get("/accounts/\(gone.text)/remove").text.contains("Remove the account mara?"))
            let removed = try await browser.submit("/accounts/\(gone.text)/remove", ["reason": "moved out"])
            #expect(removed.location == "/accounts?done=accountRemoved")
            #expect(try await !browser.get("/accounts").text.contains("mara"))
            let kept = try await browser.submit("/accounts/\(stays.text)/remove", ["reason": ""])
            #expect(kept.status == 409)
            #expect(kept.text.contains("only owner of a record"))
            #expect(try await browser.get("/accounts").text.contains("ines"))
        }
    }

    @Test("An administrator adds newcomers, and cannot act for existing accounts")
    func administrator() async throws {
        let fixture = try await ServiceFixture()
        func account(_ name: String, _ kind: AccountKind) async throws -> UUID {
            let profile = AccountProfile(name: name, kind: kind)
            return try #require(try await fixture.journal.accounts.addAccount(profile, fixture.owner).account)
        }
        let cookie = try await fixture.session(of: account("root", .administrator))
        let (iris, scale) = (try await account("iris", .auditor), try await account("scale", .tool))
        try await fixture.serve { client in
            let browser = Browser(client: client, cookie: cookie)
            let person = ["name": "mara", "kind": "person", "password": password]
            #expect(try await browser.submit("/accounts/new", person).status == 303)
            let auditor = ["name": "eve", "kind": "auditor", "password": password]
            #expect(try await browser.submit("/accounts/new", auditor).status == 403)
            #expect(try fixture.journal.accounts.account(named: "eve") == nil)
            let page = try await browser.get("/accounts").text
            #expect(!page.contains("/accounts/\(iris.text)/"))
            #expect(page.contains("/accounts/\(scale.text)/tokens/new"))
            #expect(try await browser.get("/accounts/\(iris.text)/password").status == 403)
            let formToken = try #require(try await browser.get("/settings").formFields["formToken"])
            let fields = ["formToken": formToken, "password": password, "scope": "append"]
            for address in [
                "/accounts/\(iris.text)/password", "/accounts/\(iris.text)/tokens/new",
                "/accounts/\(fixture.owner.account.text)/password",
                "/accounts/\(fixture.owner.account.text)/tokens/new",
            ] {
                let answer = try await browser.post(address, fields)
                #expect(
                    answer.status == 403 && answer.text.contains("The attempt was recorded in the audit log."),
                    "\(address)"
                )
            }
            #expect(
                try fixture.journal.accounts.account(iris).tokens.isEmpty
                    && fixture.journal.accounts.account(iris).password == nil
            )
            // The same form is accepted for a tool, and the token can be revoked there.
            #expect(try await browser.post("/accounts/\(scale.text)/tokens/new", fields).status == 200)
            let token = try #require(try fixture.journal.accounts.account(scale).tokens.values.first)
            #expect(try await browser.get("/accounts").text.contains("append · issued"))
            let ended = try await browser.post("/accounts/\(scale.text)/tokens/\(token.id.text)/revoke", fields)
            #expect(ended.location == "/accounts?done=tokenRevoked")
            #expect(try fixture.journal.accounts.account(scale).tokens[token.id]?.revoked != nil)
        }
    }

    @Test("A token is shown only once, and allows a program what was chosen")
    func token() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let made = try await browser.submit(
                "/settings/tokens/new",
                ["scope": "append", "tokenCategory": "weight", "expires": "2999-01-31"]
            )
            #expect(made.status == 200)
            let secret = try #require(made.text.firstMatch(of: /<p class="code"[^>]*>([^<]+)</)).1
            let token = try #require(
                try fixture.journal.accounts.account(fixture.owner.account).tokens.values
                    .max { $0.issued.position < $1.issued.position }
            )
            #expect(try token.scope == TokenScope(parsing: "append:weight"))
            #expect(token.expires == (try Day(parsing: "2999-01-31").end(in: fixture.journal.zone)))
            let settings = try await browser.get("/settings/programs").text
            #expect(settings.contains("append:weight"))
            #expect(!settings.contains(secret))
            let client = browser.client.with(String(secret))
            let record = try #require(
                try await fixture.journal.records.createRecord(RecordProfile(subject: .human), fixture.owner).record
            )
            let address = "/v1/records/\(record.text)/entries/weight"
            let added = try await client.send(.post, address, #"{"value": "72.5", "unit": "kg"}"#, [])
            #expect(added.status == 201, "\(added.text)")
            #expect(try await client.send(.get, address, nil, []).status == 403)
            for (fields, wrong) in [
                (["scope": "append", "tokenCategory": "all of them!"], "tokenCategory"),
                (["scope": "everything"], "scope"), (["scope": "read", "expires": "soon"], "expires"),
                (["scope": "read", "expires": "2001-01-01"], "expires"),
            ] {
                let answer = try await browser.submit("/settings/tokens/new", fields)
                #expect(answer.status == 400, "\(fields)")
                #expect(answer.text.contains("field-\(wrong)-problem"), "\(fields)")
            }
        }
    }

    @Test("An account with a password must provide it to create a token or to set another password")
    func confirmed() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner
        _ = try await fixture.journal.accounts.setPassword(of: owner.account, to: password, owner)
        let profile = AccountProfile(name: "mara")
        let mara = try #require(try await fixture.journal.accounts.addAccount(profile, owner).account)
        try await fixture.browse { browser in
            for (address, fields) in [
                ("/settings/tokens/new", ["scope": "full"]),
                ("/accounts/\(mara.text)/password", ["password": "battery staple horse"]),
            ] {
                for wrong in ["", "not it at all"] {
                    let answer = try await browser.submit(address, fields.merging(["current": wrong]) { $1 })
                    #expect(
                        [400, 403].contains(answer.status) && answer.text.contains("field-current-problem"),
                        "\(address)"
                    )
                }
                let answer = try await browser.submit(address, fields.merging(["current": password]) { $1 })
                #expect([200, 303].contains(answer.status), "\(address)")
            }
            #expect(try fixture.journal.accounts.account(mara).password != nil)
        }
    }

    @Test("A form that is sent twice creates one token, and shows it both times")
    func sentTwice() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            var fields = try await browser.get("/settings/tokens/new").formFields
            fields["scope"] = "read"
            let answers = [
                try await browser.post("/settings/tokens/new", fields),
                try await browser.post("/settings/tokens/new", fields),
            ]
            let secrets = Set(answers.map { $0.text.firstMatch(of: /<p class="code"[^>]*>([^<]+)</)?.1 })
            #expect(answers.map(\.status) == [200, 200])
            #expect(secrets.count == 1)
            #expect(!secrets.contains(nil))
            #expect(try fixture.journal.accounts.account(fixture.owner.account).tokens.count == 2)
        }
    }

    @Test("A change of the password lists other credentials, and revokes those that are selected")
    func credentials() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        _ = try await journal.accounts.linkIdentity(
            issuer: "https://id.example.org",
            subject: "8a7f",
            to: owner.account,
            owner
        )
        try await fixture.browse { browser in
            let page = try await browser.get("/settings/sign-in")
            #expect(page.text.contains("Sign-in as 8a7f at https://id.example.org"))
            let identity = try #require(try journal.accounts.account(owner.account).identities.keys.first)
            let fields = ["password": password, "revoke": identity.text]
            #expect(try await browser.submit("/settings/password", fields, from: "/settings/sign-in").status == 303)
            let account = try journal.accounts.account(owner.account)
            #expect(account.identities.isEmpty && account.tokens.values.allSatisfy { $0.isValid(at: journal.now) })
        }
    }

    @Test("The profile and the reminders are changed on their pages, or nothing is")
    func preferences() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        try await fixture.browse { browser in
            let head = try journal.log.head()
            let form = try await browser.get("/settings/reminders").formFields
            #expect(form["mealTimes.breakfast"] == "08:00")
            #expect(form["notificationsEnabled"] == "true")
            let unchanged = try await browser.post("/settings/reminders", form)
            #expect(unchanged.location == "/settings/reminders?done=accountKept")
            #expect(try journal.log.head() == head)
            var fields = form
            fields["notificationsEnabled"] = nil
            for (name, value) in [
                ("followUps.count", "2"), ("quiet.from", "22:00"), ("quiet.to", "06:30"), ("detail", "names"),
            ] { fields[name] = value }
            #expect(try await browser.post("/settings/reminders", fields).status == 303)
            let preferences = try journal.accounts.account(owner.account).preferences
            #expect(preferences.namesInReminders)
            #expect(!preferences.notificationsEnabled)
            #expect(preferences.followUps.count == 2)

            let named = try await browser.submit("/settings/profile", ["displayName": "Anna & Co"])
            #expect(named.location == "/settings/profile?done=accountKept")
            #expect(try journal.accounts.account(owner.account).details.displayName == "Anna & Co")
            #expect(try journal.accounts.account(owner.account).preferences == preferences)
            #expect(try await browser.get("/settings/profile").text.contains("Anna &amp; Co"))

            let position = try journal.log.head()
            for (name, value) in [("followUps.count", "99"), ("quiet.to", "")] {
                let answer = try await browser.submit("/settings/reminders", ["mealTimes.lunch": "11:00", name: value])
                let id = "field-\(name.replacing(".", with: "-"))"
                #expect(answer.status == 400, "\(name)")
                #expect(answer.text.contains("<a href=\"#\(id)\">"), "\(name)")
                #expect(answer.text.contains("\(id)-problem"), "\(name)")
                #expect(answer.formFields["mealTimes.lunch"] == "11:00", "\(name)")
            }
            #expect(try journal.log.head() == position)
        }
    }

    @Test("Language and time zone count everywhere, or only in one browser if that is chosen")
    func displaySettings() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        try await fixture.browse { browser in
            let other = ["locale": "de-CH", "zone": "Asia/Kathmandu", "weightUnit": "g"]
            let kept = try await browser.submit("/settings", other)
            #expect(kept.location == "/settings?done=accountKept")
            var preferences = try journal.accounts.account(owner.account).preferences
            #expect(preferences.language == "de-CH")
            #expect(preferences.timeZone == "Asia/Kathmandu")
            // Another browser has no cookie, but the account's language.
            let page = try await browser.get("/settings")
            #expect(page.text.contains("<html lang=\"de\""))
            #expect(page.text.contains("<option value=\"de-CH\" selected>"))
            #expect(page.text.contains("<option value=\"Asia/Kathmandu\" selected>"))

            let here = ["locale": "fr-FR", "zone": "", "weightUnit": "", "onlyHere": "true"]
            let own = try await browser.submit("/settings", here)
            #expect(own.location == "/settings?done=settingsKept")
            let cookie = try #require(own.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let both = Browser(client: browser.client, cookie: "\(browser.cookie ?? ""); \(cookie)")
            let french = try await both.get("/settings")
            #expect(french.text.contains("<html lang=\"fr\""))
            #expect(french.formFields["onlyHere"] == "true")
            #expect(try journal.accounts.account(owner.account).preferences == preferences)

            // Without the choice, the account's settings count here as well.
            var fields = french.formFields
            (fields["onlyHere"], fields["locale"]) = (nil, "")
            let everywhere = try await both.post("/settings", fields)
            #expect(everywhere.headers[.setCookie]?.contains("locale=") == false)
            preferences.language = ""
            #expect(try journal.accounts.account(owner.account).preferences == preferences)
            let unknown = try await browser.submit("/settings", ["zone": "Mars/Base"])
            #expect(unknown.status == 400)
        }
    }
}
