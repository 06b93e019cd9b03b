import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalPages
import Testing

@testable import JournalCore
@testable import JournalServer

/// The forms that add and change plans, and what the card of a plan says of interactions.
@Suite("Forms of plans")
struct PlanPageTests {
    @Test("A change after the end of what it replaces names a field that the form shows")
    func changeAfterEnd() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let today = fixture.journal.today
            let until = today.adding(days: 10)
            try await browser.add(
                plan: "Zolmidan",
                ["times.0.at": "08:00", "times.0.amount": "1", "until": "\(until)"],
                to: record
            )
            let plan = try await browser.plan(in: record)
            let later = today.adding(days: 20)
            // The form was opened while the rule applied, so it replaces it and begins with its last day.
            let asked = try await browser.submit(
                "\(plan)/change",
                ["effective": "\(later)T00:00", "times.0.at": "21:00"]
            )
            #expect(asked.status == 400)
            #expect(asked.problem(of: "effective")?.contains("ends before this moment") == true, "\(asked.text)")
            #expect(asked.problem(of: "until") == "The last day must not be before the first one.")
            #expect(!asked.text.contains("rules."))
            #expect(asked.formFields["replaces"] == nil)

            var fields = asked.formFields
            fields["until"] = ""
            let checked = try await browser.post("\(plan)/change", fields)
            #expect(checked.status == 200, "\(checked.text)")
            let saved = try await browser.post("\(plan)/change", checked.formFields)
            #expect(saved.status == 303, "\(saved.text)")
            #expect(try await browser.get("\(record)/today?day=\(later)").text.contains("21:00"))
            #expect(try await browser.get("\(record)/today?day=\(until)").text.contains("08:00"))
        }
    }

    @Test("A new plan does not end before it begins")
    func endBeforeStart() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let typed = [
                "name": "Zolmidan", "times.0.at": "08:00", "times.0.amount": "1", "start": "2026-03-02T00:00",
                "until": "2026-03-01",
            ]
            let answer = try await browser.submit("\(record)/medication/new?kind=drug", typed)
            #expect(answer.status == 400)
            #expect(answer.problem(of: "until") == "The last day must not be before the first one.")
        }
    }

    @Test("Of several rules, a change must say which one it replaces, and the field is shown")
    func severalRules() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "08:00", "times.0.amount": "2"], to: record)
            let plan = try await browser.plan(in: record)
            let today = fixture.journal.today
            let more = [
                "effective": "\(today)T00:00", "replaces": "none", "pattern": "asNeeded", "amount": "1",
                "times.0.at": "",
                "times.0.amount": "",
            ]
            let added = try await browser.submit("\(plan)/change", more)
            #expect(try await browser.post("\(plan)/change", added.formFields).status == 303, "\(added.text)")
            // A rule that the plan never had, as from a form of another plan.
            let unknown = [
                "effective": "\(today)T00:00", "replaces": UUID().text, "times.0.at": "09:00", "pattern": "daily",
            ]
            for replaced in [unknown, unknown.merging(["replaces": ""]) { $1 }] {
                let asked = try await browser.submit("\(plan)/change", replaced)
                #expect(asked.status == 400)
                #expect(asked.problem(of: "replaces") == "Choose what the change replaces.")
            }
        }
    }

    @Test("Each form of a new plan begins with the three meal times that a person prefers")
    func preferredTimes() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            var preferences = AccountPreferences()
            preferences.reminderFrequency = .threeDaily
            try preferences.set("mealTimes.breakfast", text: "07:15")
            _ = try await fixture.journal.accounts.setPreferences(preferences, fixture.owner)
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            var content = EntryContent(kind: Drug.kind)
            try content.set("name", text: "Zolmidan")
            _ = try await fixture.journal.entries.addEntry(content, to: id, fixture.owner)
            let plan = try await browser.plan(in: record)
            let said = ["lisinopril 10 mg", "took two aspirin"]
            var forms = [
                try await browser.get("\(record)/medication/new?kind=drug"),
                try await browser.get("\(record)/medication/new?kind=supplement"),
                try await browser.get("\(plan)/change"),
            ]
            for text in said { forms.append(try await browser.submit("\(record)/say", ["text": text])) }
            for form in forms {
                let fields = form.formFields
                #expect(fields["pattern"] == "daily", "\(form.text)")
                #expect(fields.times == "07:15 12:30 18:30", "\(form.text)")
            }
            // Who says when it is taken does not get other times.
            let other = try await browser.submit("\(record)/say", ["text": "lisinopril 10 mg every morning"])
            #expect(other.formFields.times == "08:00")
        }
    }

    @Test(
        "The plan of an entry begins with its frequency, whatever the person prefers",
        arguments: [
            ("once_daily", "daily", "08:00"), ("twice_daily", "daily", "08:00 18:30"),
            ("three_times_daily", "daily", "08:00 12:30 18:30"), ("weekly", "days", "08:00"),
            ("as_needed", "asNeeded", nil),
        ]
    )
    func frequencies(_ frequency: String, _ pattern: String, _ times: String?) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            var preferences = AccountPreferences()
            preferences.reminderFrequency = .threeDaily
            _ = try await fixture.journal.accounts.setPreferences(preferences, fixture.owner)
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            var content = EntryContent(kind: Supplement.kind)
            try content.set("name", text: "Zolmidan")
            try content.set("frequency", text: frequency)
            _ = try await fixture.journal.entries.addEntry(content, to: id, fixture.owner)
            let form = try await browser.get("\(browser.plan(in: record))/change").formFields
            #expect(form["pattern"] == pattern)
            #expect(form.times == times ?? "")
            #expect(form["everyDays"] == (frequency == "weekly" ? "7" : nil))
        }
    }

    @Test("A button adds a time of day to the form, with the amount of the last one, and saves nothing")
    func anotherTime() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let form = "\(record)/medication/new?kind=drug"
            let page = try await browser.get(form)
            #expect(page.text.contains(#"<input id="field-times-0-at" name="times.0.at" type="time""#), "\(page.text)")
            let first = [
                "name": "Zolmidan", "unit": "tablet", "times.0.at": "08:00", "times.0.amount": "1/2", "step": "times",
            ]
            let more = try await browser.submit(form, first)
            #expect(more.status == 200 && !more.text.contains("Not saved"))
            var fields = more.formFields
            #expect(fields["times.1.at"] == "" && fields["times.1.amount"] == "1/2")
            (fields["times.1.at"], fields["times.1.amount"]) = ("20:00", "2")
            let checked = try await browser.post(form, fields)
            #expect(checked.text.contains("0.5\u{A0}tablet at 08:00 and 2\u{A0}tablets at 20:00"), "\(checked.text)")
            #expect(try await browser.post(form, checked.formFields).status == 303)
            // A line that is emptied is no longer a time of the plan.
            let plan = try await browser.plan(in: record)
            let less = ["times.0.at": "", "times.0.amount": ""]
            let changed = try await browser.submit("\(plan)/change", less)
            #expect(changed.text.contains("2\u{A0}tablets at 20:00, each day"), "\(changed.text)")
        }
    }

    @Test("The card of a plan with a finding leads to the interactions, and says what no check can promise")
    func findings() async throws {
        let fixture = try await ServiceFixture()
        _ = try await fixture.journal.interactionChecks.loadRules(RuleSetDocument.starter, fixture.owner)
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "08:00", "times.0.amount": "1"], to: record)
            let before = try await browser.get("\(record)/medication").text
            #expect(!before.contains(CheckDocument.disclaimer))
            #expect(!before.contains("Show the interactions"))
            for name in ["Paracetamol", "Acetaminophen"] {
                try await browser.add(plan: name, ["times.0.at": "08:00", "times.0.amount": "1"], to: record)
            }
            let list = try await browser.get("\(record)/medication").text
            // What the rules are worth is said once, whatever the number of findings.
            #expect(list.ranges(of: CheckDocument.disclaimer).count == 1)
            let cards = list.split(separator: #"<li class="card plan">"#)
            for name in ["Paracetamol", "Acetaminophen"] {
                let card = try #require(cards.first { $0.contains(#"<h3 dir="auto">\#(name)</h3>"#) })
                #expect(card.contains("class=\"tag severity severity-"))
                #expect(card.contains(#"<a href="\#(record)/interactions">Show the interactions</a>"#))
            }
            let page = try await browser.get("\(record)/interactions").text
            #expect(page.ranges(of: CheckDocument.disclaimer).count == 1)
        }
    }
}

extension Browser {
    /// The address of the first plan on the page of medication.
    fileprivate func plan(in record: String) async throws -> String {
        let list = try await get("\(record)/medication").text
        return String(try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/change"/)).1)
    }
}

extension Answer {
    /// The problem that the page shows beside a field; nil if the field is not shown, or has none.
    fileprivate func problem(of field: String) -> String? {
        let problems = text.matches(of: /id="field-([^"]*)-problem"><span aria-hidden="true">✕<\/span> ([^<]*)</)
        return problems.first { $0.1 == field }.map { String($0.2) }
    }
}
