import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Pages of reminders and calendars")
struct ReminderPageTests {
    private let password = "correct horse battery"

    @Test("Calendars and channels with names ask for the password, and a change of the password ends them")
    func confirmed() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner
        _ = try await fixture.journal.accounts.setPassword(of: owner.account, to: password, owner)
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let channel = ["channel": "webhook", "address": "https://tool.example.org/hook", "detail": "names"]
            for (address, fields) in [("/settings/channels", channel), ("\(record)/calendars", ["detail": "names"])] {
                let bare = try await browser.submit(address, fields)
                #expect(bare.status == 400, "\(address)")
                #expect(bare.text.contains("field-current-problem"), "\(address)")
                let wrong = try await browser.submit(address, fields.merging(["current": "no"]) { $1 })
                #expect(wrong.status == 400, "\(address)")
                #expect(wrong.text.contains("field-current-problem"), "\(address)")
                #expect(wrong.formFields["detail"] == "names")
                #expect(!wrong.text.contains("value=\"no\""))
                fixture.journal.signIns.limiter.succeed(.current(owner.account), from: nil)
                let right = try await browser.submit(address, fields.merging(["current": password]) { $1 })
                #expect(right.status == 200 && right.text.contains(address.hasSuffix("calendars") ? ".ics" : "whsec_"))
            }
            // Over plain HTTP there are no names.
            let plain = [
                "channel": "ntfy", "address": "http://n.example.org/a", "detail": "names", "current": password,
            ]
            #expect(try await browser.submit("/settings/channels", plain).text.contains("only over https"))
            #expect(
                try await browser.submit("/settings/channels", plain.merging(["detail": "neutral"]) { $1 }).status
                    == 303
            )

            let access = try await fixture.journal.accounts.lastingAccess(of: owner.account, owner)
            let (calendar, hook) = (try #require(access.calendars.first), try #require(access.channels.first))
            let settings = try await browser.get("/settings/sign-in").text
            #expect(settings.contains("value=\"\(calendar.state.id.text)\""))
            #expect(settings.contains(hook.id.text))
            let changed = try await browser.post(
                "/settings/password",
                [
                    (key: "formToken", value: try await browser.get("/settings").formFields["formToken"] ?? ""),
                    (key: "current", value: password), (key: "password", value: "battery staple horse"),
                    (key: "revoke", value: calendar.state.id.text), (key: "revoke", value: hook.id.text),
                ]
            )
            #expect(changed.location == "/settings/sign-in?done=passwordKept")
            let left = try await fixture.journal.accounts.lastingAccess(of: owner.account, owner)
            #expect(left.calendars.isEmpty)
            #expect(left.channels.isEmpty)
            #expect(left.tokens.count == 1)
            #expect(try await fixture.journal.reminders.channels(owner).count == 1)
        }
    }

    @Test("The JSON API asks for the password as the pages do")
    func api() async throws {
        let fixture = try await ServiceFixture()
        _ = try await fixture.journal.accounts.setPassword(of: fixture.owner.account, to: password, fixture.owner)
        try await fixture.serve { client in
            let named = #"{"kind": "email", "address": "a@example.org", "detail": "names"}"#
            let bare = try await client.post("/v1/channels", named)
            #expect(bare.status == 400)
            #expect(bare.json["field"] == "current")
            let right = named.dropLast() + #", "current": "\#(password)"}"#
            #expect(try await client.post("/v1/channels", String(right)).status == 201)
            #expect(
                try await client.post("/v1/channels", #"{"kind": "email", "address": "b@example.org"}"#).status == 201
            )
            let listed = try await client.get("/v1/accounts/\(fixture.owner.account.text)/credentials")
            #expect(listed.items("channels").count == 1)
        }
    }

    @Test("A channel to which the service sends nothing is not added in silence: before, after, and in the API")
    func unsent() async throws {
        let fixture = try await ServiceFixture()
        for sendsEmail in [false, true] {
            var settings = ServerSettings()
            settings.reminders.sendmail = sendsEmail ? "/usr/sbin/sendmail" : nil
            try await fixture.browse(settings: settings) { browser in
                let before = try await browser.get("/settings/channels").text
                #expect(before.contains("This service sends no e-mail.") == !sendsEmail)
                let fields = ["channel": "email", "address": "anna@example.org", "detail": "neutral"]
                let added = try await browser.submit("/settings/channels", fields)
                #expect(added.status == 303)
                #expect(added.location?.hasSuffix("done=channelNew") == sendsEmail)
                let after = try await browser.get(added.location ?? "").text
                #expect(after.contains("✓") == sendsEmail)
                #expect(after.contains("No program for e-mail is set") == !sendsEmail)
                #expect(after.contains("sends nothing to it") == !sendsEmail)
                let hook = ["channel": "webhook", "address": "https://t.example.org/h", "detail": "neutral"]
                let made = try await browser.submit("/settings/channels", hook)
                #expect(made.text.contains("whsec_"))
                #expect(made.text.contains("/settings/channels?unsent=1"))
            }
            try await fixture.serve(settings: settings) { client in
                let email = #"{"kind": "email", "address": "b@example.org"}"#
                let made = try await client.post("/v1/channels", email)
                #expect(made.status == 201)
                #expect((made.json["warning"] == nil) == sendsEmail)
                let listed = try await client.get("/v1/channels").items("channels")
                #expect(listed.contains { $0["kind"] == "email" && ($0["warning"] == nil) == sendsEmail })
            }
        }
    }

    @Test("A test that is not permitted says why, and tests are limited")
    func tests() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let fields = ["channel": "ntfy", "address": "https://n.example.org/a", "detail": "neutral"]
            #expect(try await browser.submit("/settings/channels", fields).status == 303)
            let page = try await browser.get("/settings/channels")
            // Without a permitted host, a browser would subscribe in vain.
            #expect(!page.text.contains("id=\"push\""))
            let id = try #require(try await fixture.journal.reminders.channels(fixture.owner).first?.id.text)
            let form = ["formToken": page.formFields["formToken"] ?? ""]
            var isLimited = false
            // On a busy machine, a further test may be permitted again before the next one is asked for.
            for number in 0..<50 where !isLimited {
                let answer = try await browser.post("/settings/channels/\(id)/test", form)
                isLimited = answer.status == 429
                #expect(isLimited ? number >= 5 : answer.status == 403)
                #expect(answer.text.contains(isLimited ? "too many tests" : "not among --reminder-hosts"))
            }
            #expect(isLimited)
        }
    }
}
