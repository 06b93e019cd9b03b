import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("The page that searches")
struct SearchPageTests {
    @Test("A search leads to an address that does not contain the words, and that only its session can open")
    func sealed() async throws {
        let fixture = try await ServiceFixture()
        let other = try await fixture.account("other")
        try await fixture.browse { browser in
            let (record, _) = try await browser.start(name: "Zebulon")
            let added = try await browser.submit("\(record)/entries/illness/new", ["name": "Bronchitis <acute>"])
            #expect(added.status == 303)
            let sent = try await browser.submit("/search", ["words": "bronchitis"], from: "/records")
            let address = try #require(sent.location)
            #expect(sent.status == 303)
            #expect(address.hasPrefix("/search?q="))
            #expect(!address.lowercased().contains("bronch"))
            let before = try fixture.journal.log.head()
            let page = try await browser.get(address)
            #expect(page.status == 200)
            #expect(page.text.contains("Bronchitis &lt;acute&gt;"))
            #expect(page.text.contains("Zebulon Lu · Illness"))
            #expect(page.text.contains("1 entry"))
            #expect(page.formFields["words"] == "bronchitis")
            let title = try #require(page.text.firstMatch(of: #/<title>(.*?)</title>/#)?.output.1)
            #expect(title.hasPrefix("Search"))
            let events = try fixture.journal.log.events(after: before, limit: 10)
                .map { try fixture.journal.log.recorded($0) }
            #expect(events.compactMap { ($0.event.data as? RecordRead)?.access.action } == [.search])
            // Equal searches have different addresses, and of equal length.
            let again = try #require(try await browser.submit("/search", ["words": "bro"], from: "/records").location)
            #expect(again != address)
            #expect(again.count == address.count)
            let stranger = Browser(client: browser.client, cookie: try await fixture.session(of: other.id))
            let refused = try await stranger.get(address)
            #expect(refused.status == 400)
            #expect(refused.text.contains("another session"))
            #expect(!refused.text.contains("Zebulon"))
            #expect(try await browser.get(address + "A").status == 400)
        }
    }

    @Test("Mistakes are shown at their field, and nothing is searched")
    func mistakes() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            _ = try await browser.start()
            let head = try fixture.journal.log.head()
            for (fields, id) in [
                (["words": ""], "field-words-problem"), (["words": "x", "from": "yesterday"], "field-from-problem"),
                (["words": "x", "until": "2025-13"], "field-until-problem"),
                (["words": "x", "from": "2025", "until": "2024"], "field-until-problem"),
                (["words": "x", "kind": "elephant"], "field-kind-problem"),
            ] {
                let answer = try await browser.submit("/search", fields)
                #expect(answer.status == 400, "\(fields)")
                #expect(answer.text.contains(id), "\(fields)")
                for (name, value) in fields where name != "kind" { #expect(answer.formFields[name] == value) }
            }
            #expect(try fixture.journal.log.head() == head)
        }
    }

    @Test("A search with many entries shows the latest, and leads to more; one in vain says where it looked")
    func many() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let id = try #require(UUID(uuidString: String(record.dropFirst("/records/".count))))
            for number in 0..<60 {
                var content = EntryContent(kind: Illness.kind)
                try content.set("name", text: "Headache \(number)")
                _ = try await fixture.journal.entries.addEntry(content, to: id, fixture.owner)
            }
            let sent = try await browser.submit("/search", ["words": "headache"], from: "/records")
            let page = try await browser.get(try #require(sent.location))
            #expect(page.text.contains("The latest 50 of 60 entries"))
            #expect(page.text.contains("Headache 59"))
            #expect(!page.text.contains(">Headache 9<"))
            let more = try #require(page.text.firstMatch(of: #/href="(/search\?q=[^"]+)"/#)?.output.1)
            let all = try await browser.get(String(more))
            #expect(all.text.contains("60 entries"))
            #expect(all.text.contains("Headache 9<"))
            for (words, note) in [
                ("haedache", "Similar words are in"), ("zzz", "Nothing was found in the record that you may see."),
            ] {
                let sent = try await browser.submit("/search", ["words": words], from: "/records")
                #expect(try await browser.get(try #require(sent.location)).text.contains(note))
            }
        }
    }
}

@Suite("Days of which a page shows entries")
struct PeriodPageTests {
    @Test("The entries and the chart of weights are limited to usual days by links, and to others by a form")
    func periods() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            for (value, date) in [("81", "2023-12-31"), ("82", "2025-02-01")] {
                _ = try await browser.submit("\(record)/entries/weight/new", ["value": value, "date": date])
            }
            for path in ["\(record)/entries/weight", "\(record)/weight"] {
                let all = try await browser.get(path)
                #expect(["72.5", "81", "82"].allSatisfy { all.text.contains("\($0)\u{A0}") }, "\(path)")
                let some = try await browser.get(path + "?from=2024&until=2024-05")
                #expect(some.text.contains("72.5\u{A0}") && !some.text.contains("82\u{A0}"), "\(path)")
                #expect(some.formFields["from"] == "2024")
                #expect(some.formFields["until"] == "2024-05")
                let none = try await browser.get(path + "?from=2019&until=2020")
                #expect(none.text.contains("Nothing in these days."), "\(path)")
                let year = fixture.journal.today.year
                #expect(all.text.contains("?from=\(year)&amp;until=\(year)"), "\(path)")
                for wrong in ["?from=soon", "?from=2025&until=2024"] {
                    #expect(try await browser.get(path + wrong).status == 400)
                }
            }
            // Both limits apply: what had happened by a day, and the days that are chosen.
            let both = try await browser.get("\(record)/entries/weight?happenedBy=2024-06-01&from=2023&until=2025")
            #expect(both.text.contains("72.5\u{A0}kg") && !both.text.contains("82\u{A0}kg"))
            let id = record.dropFirst("/records/".count)
            let inverted = "/v1/records/\(id)/entries/weight?happenedFrom=2025&happenedBy=2024"
            #expect(try await browser.client.get(inverted).status == 400)
            let retracted = try await browser.get("\(record)/entries/weight?from=2024")
            #expect(retracted.text.contains("?retracted=true&amp;from=2024"))
        }
    }
}
