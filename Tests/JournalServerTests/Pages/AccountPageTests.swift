import EventLog
import Foundation
import HTTPTypes
import HealthModel
import Testing

@testable import HealthJournal
@testable import JournalServer

@Suite("Accounts and tokens, by the pages")
struct AccountPageTests {
    private let password = "correct horse battery"

    @Test(
        "An account is added with its first password, by which its holder comes in; what is wrong is told at its field"
    )
    func added() async throws {
        let ground = try await ServiceGround()
        try await ground.browse { browser in
            let mistakes: [([String: String], String)] = [
                (["name": "", "kind": "person", "password": password], "name"),
                (["name": "mara", "kind": "person", "password": "short"], "password"),
                (["name": "Owner", "kind": "person", "password": password], "name"),
                (["name": "scale", "kind": "tool", "password": password], "password"),
                (["name": "mara", "kind": "queen"], "kind"),
            ]
            for (fields, wrong) in mistakes {
                let answer = try await browser.submit("/accounts/new", fields)
                #expect(answer.status == 400 && answer.text.contains("field-\(wrong)-problem"), "\(fields)")
                #expect(answer.formFields["name"] == fields["name"] && !answer.text.contains(password))
            }
            #expect(try ground.journal.account(named: "mara") == nil && ground.journal.account(named: "scale") == nil)
            let added = try await browser.submit(
                "/accounts/new",
                ["name": "mara", "kind": "person", "password": password]
            )
            #expect(added.location == "/accounts?done=accountAdded")
            let account = try #require(try ground.journal.account(named: "mara"))
            #expect(try await browser.get("/accounts").text.contains("mara"))
            _ = try await ground.journal.signIn(name: "mara", password: password, SignInSource(.http))
            // Whoever forgot it is given another, by which the sessions end.
            let other = try await browser.submit(
                "/accounts/\(account.id.text)/password",
                ["password": "battery staple horse"]
            )
            #expect(other.location == "/accounts?done=passwordOfKept")
            #expect(try ground.journal.account(account.id).openSessions(at: ground.journal.now).isEmpty)
            _ = try await ground.journal.signIn(name: "mara", password: "battery staple horse", SignInSource(.http))
        }
    }

    @Test("An administrator lets newcomers in, and takes nobody's place")
    func administrator() async throws {
        let ground = try await ServiceGround()
        func account(_ name: String, _ kind: AccountKind) async throws -> UUID {
            let profile = AccountProfile(name: name, kind: kind)
            return try #require(try await ground.journal.addAccount(profile, ground.owner).account)
        }
        let cookie = try await ground.session(of: account("root", .administrator))
        let (iris, scale) = (try await account("iris", .auditor), try await account("scale", .tool))
        try await ground.serve { client in
            let browser = Browser(client: client, cookie: cookie)
            let person = ["name": "mara", "kind": "person", "password": password]
            #expect(try await browser.submit("/accounts/new", person).status == 303)
            let auditor = ["name": "eve", "kind": "auditor", "password": password]
            #expect(try await browser.submit("/accounts/new", auditor).status == 403)
            #expect(try ground.journal.account(named: "eve") == nil)
            let page = try await browser.get("/accounts").text
            #expect(!page.contains("/accounts/\(iris.text)/") && page.contains("/accounts/\(scale.text)/tokens/new"))
            #expect(try await browser.get("/accounts/\(iris.text)/password").status == 403)
            let formToken = try #require(try await browser.get("/settings").formFields["formToken"])
            let fields = ["formToken": formToken, "password": password, "scope": "append"]
            for address in [
                "/accounts/\(iris.text)/password", "/accounts/\(iris.text)/tokens/new",
                "/accounts/\(ground.owner.account.text)/password", "/accounts/\(ground.owner.account.text)/tokens/new",
            ] {
                let answer = try await browser.post(address, fields)
                #expect(answer.status == 403 && answer.text.contains("That you asked is on record."), "\(address)")
            }
            #expect(try ground.journal.account(iris).tokens.isEmpty && ground.journal.account(iris).password == nil)
            // The same form is taken where it may be sent, and what it made is ended there.
            #expect(try await browser.post("/accounts/\(scale.text)/tokens/new", fields).status == 200)
            let token = try #require(try ground.journal.account(scale).tokens.values.first)
            #expect(try await browser.get("/accounts").text.contains("append · issued"))
            let ended = try await browser.post("/accounts/\(scale.text)/tokens/\(token.id.text)/revoke", fields)
            #expect(ended.location == "/accounts?done=tokenRevoked")
            #expect(try ground.journal.account(scale).tokens[token.id]?.revoked != nil)
        }
    }

    @Test("A token is shown once, and lets a program do as much as was chosen")
    func token() async throws {
        let ground = try await ServiceGround()
        try await ground.browse { browser in
            let made = try await browser.submit(
                "/settings/tokens/new",
                ["scope": "append", "tokenCategory": "weight", "expires": "2999-01-31"]
            )
            #expect(made.status == 200)
            let secret = try #require(made.text.firstMatch(of: /<p class="code"[^>]*>([^<]+)</)).1
            let token = try #require(
                try ground.journal.account(ground.owner.account).tokens.values
                    .max { $0.issued.position < $1.issued.position }
            )
            #expect(token.scope == .append(category: "weight"))
            #expect(token.expires == (try Day(parsing: "2999-01-31").end(in: ground.journal.zone)))
            let settings = try await browser.get("/settings").text
            #expect(settings.contains("append:weight") && !settings.contains(secret))
            let client = browser.client.with(String(secret))
            let record = try #require(
                try await ground.journal.createRecord(RecordProfile(subject: .human), ground.owner).record
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
                #expect(answer.status == 400 && answer.text.contains("field-\(wrong)-problem"), "\(fields)")
            }
        }
    }

    @Test("Whoever has a password shows it again before they make a token, or set another's password")
    func confirmed() async throws {
        let ground = try await ServiceGround()
        let owner = ground.owner
        _ = try await ground.journal.setPassword(of: owner.account, to: password, owner)
        let profile = AccountProfile(name: "mara")
        let mara = try #require(try await ground.journal.addAccount(profile, owner).account)
        try await ground.browse { browser in
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
            #expect(try ground.journal.account(mara).password != nil)
        }
    }
}
