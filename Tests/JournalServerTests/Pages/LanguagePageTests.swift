import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import JournalPages
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Pages in other languages")
struct LanguagePageTests {
    private static let german = [("Accept-Language", "de-DE, en;q=0.5")]

    @Test(
        "The pages are in the browser's language, in that of the account, or in the one that was chosen for the browser"
    )
    func chosen() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            #expect(try await browser.get("/settings").text.contains("<html lang=\"en\" dir=\"ltr\">"))
            let german = try await browser.get("/settings", Self.german)
            #expect(german.text.contains("<html lang=\"de\" dir=\"ltr\">"))
            #expect(german.text.contains("Einstellungen"))
            let unknown = try await browser.get("/settings", [("Accept-Language", "sv-SE")])
            #expect(unknown.text.contains("<html lang=\"en\""))
            var preferences = try await fixture.journal.accounts.preferences(fixture.owner)
            preferences.language = "fr-CH"
            _ = try await fixture.journal.accounts.setPreferences(preferences, fixture.owner)
            let french = try await browser.get("/settings", Self.german)
            #expect(french.text.contains("<html lang=\"fr\""))
            #expect(french.text.contains("Réglages"))
            let kept = try await browser.submit("/settings", ["locale": "en-GB", "onlyHere": "true"])
            let cookie = try #require(kept.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let both = Browser(client: browser.client, cookie: "\(browser.cookie ?? ""); \(cookie)")
            let english = try await both.get("/settings", Self.german)
            #expect(english.text.contains("<html lang=\"en\""))
        }
    }

    @Test(
        "A German form takes a decimal comma, names its fields and problems in German, and changes nothing unless asked"
    )
    func form() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            func send(_ address: String, _ values: [String: String], from start: String? = nil) async throws -> Answer {
                let page = try await browser.get(start ?? address, Self.german)
                return try await browser.post(address, page.formFields.merging(values) { _, new in new }, Self.german)
            }
            let added = try await send("\(record)/entries/weight/new", ["value": "75,4", "unit": "kg"])
            let entry = try #require(added.location)
            #expect(added.status == 303)
            let page = try await browser.get(entry, Self.german)
            #expect(page.text.contains("75,4\u{A0}kg") && page.text.contains("Gewicht"))
            let path = try #require(entry.split(separator: "?").first.map(String.init))
            let same = try await send("\(path)/correct", ["reason": ""])
            #expect(same.location?.contains("unchanged") == true)
            let refused = try await send("\(record)/entries/weight/new", ["value": "viel", "unit": "kg"])
            #expect(refused.status == 400)
            let problem = try #require(
                refused.text.firstMatch(of: /id="field-value-problem".{0,200}/.dotMatchesNewlines())
            )
            #expect(problem.output.contains("Ist keine Zahl: Schreiben Sie sie als 75,5."), "\(problem.output)")
            let missing = try await browser.get("/records/\(UUID().text)", Self.german)
            #expect(missing.text.contains("<html lang=\"de\""))
            #expect(!missing.text.contains("does not exist"))
        }
    }

    @Test("A search finds entries by the name of their kind in the reader's language")
    func search() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            _ = try await browser.submit("\(record)/entries/weight/new", ["value": "75.4", "unit": "kg"])
            let address = try #require(
                try await browser.submit("/search", ["words": "gewicht"], from: "/records").location
            )
            let found = try await browser.get(address, Self.german)
            #expect(found.text.contains("75,4\u{A0}kg"))
            #expect(try await !browser.get(address).text.contains("75.4\u{A0}kg"))
        }
    }

    @Test("A printed record is in the language of the request")
    func printed() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            _ = try await browser.submit("\(record)/entries/weight/new", ["value": "75.4", "unit": "kg"])
            let page = try await browser.get("/v1\(record)/export?as=html", [("Accept-Language", "fr")])
            #expect(page.text.contains("<html lang=\"fr\"") && page.text.contains("75,4\u{A0}kg"))
            #expect(page.text.contains("Poids"))
            #expect(!page.text.contains("Weight"))
            // What was asked for goes before the account's own language.
            var preferences = try await fixture.journal.accounts.preferences(fixture.owner)
            preferences.language = "de"
            _ = try await fixture.journal.accounts.setPreferences(preferences, fixture.owner)
            let asked = try await browser.get("/v1\(record)/export?as=html&language=fr")
            #expect(asked.text.contains("<html lang=\"fr\""))
            #expect(try await browser.get("/v1\(record)/export?as=html").text.contains("<html lang=\"de\""))
        }
    }

    @Test("Reminders are in the language that the account prefers, also the subject of an e-mail")
    func reminder() throws {
        let french = Languages.builtIn.language(of: ["fr"]).words
        let text = french.message("Lisinopril, 1 tablet: due at 08:00")
        #expect(text.contains("Lisinopril, 1 tablet"))
        #expect(text.contains("08:00"))
        #expect(!text.contains("due at"))
        let message = ReminderMessage(
            id: UUID(),
            cause: .doseDue,
            text: text,
            title: french.message("Health journal"),
            subject: "Rappel à prendre",
            path: "",
            site: nil,
            at: Instant(microseconds: 0)
        )
        #expect(message.email(to: "a@example.org").contains("Subject: =?utf-8?B?UmFwcGVsIMOgIHByZW5kcmU=?=\n"))
        #expect(!String(decoding: message.pushed, as: UTF8.self).contains("Health journal"))
    }
}
