import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import JournalPages
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Pages of plans and doses")
struct CarePageTests {
    @Test("A plan is described in words and by its next doses before it is saved, and saved as it was checked")
    func checkedPlan() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let form = "\(record)/medication/new?kind=drug"
            let typed = [
                "name": "Zolmidan", "unit": "tablet", "times.0.at": "08:00", "times.0.amount": "1",
                "times.1.at": "20:00",
                "times.1.amount": "1", "pattern": "daily",
            ]
            let head = try fixture.journal.log.head()
            let checked = try await browser.submit(form, typed)
            #expect(checked.status == 200 && checked.text.contains("1\u{A0}tablet at 08:00 and 20:00, each day"))
            #expect(checked.formFields["checked"] != nil)
            #expect(checked.text.contains("Next doses"))
            let added = try fixture.types(after: head)
            #expect(!added.contains(EntryAdded.type))

            // What is changed after the check is checked again, and not saved.
            var fields = checked.formFields
            (fields["times.0.at"], fields["times.1.at"], fields["times.1.amount"]) = ("09:00", "", "")
            fields["pattern"] = "daily"
            let again = try await browser.post(form, fields)
            #expect(again.status == 200 && again.text.contains("1\u{A0}tablet at 09:00, each day"))
            #expect(try await !browser.get("\(record)/medication").text.contains("Zolmidan"))

            let saved = try await browser.post(form, again.formFields)
            #expect(saved.location == "\(record)/medication?done=added")
            // The same form, sent twice, adds one plan.
            #expect(try await browser.post(form, again.formFields).status == 303)
            let list = try await browser.get("\(record)/medication").text
            #expect(list.matches(of: /<h3 dir="auto">Zolmidan/).count == 1)
            #expect(list.contains("1\u{A0}tablet at 09:00, each day"))
        }
    }

    @Test(
        "A mistake in the form of a plan is shown beside its field, and nothing is saved",
        arguments: [
            (["pattern": "daily", "times.0.amount": "1"], "Enter a time of day"),
            (["pattern": "daily", "times.0.at": "25:00"], "Enter a time of day"),
            (["pattern": "daily", "times.0.at": "8 am"], "Enter a time of day"),
            (["pattern": "daily", "times.0.at": "08:00", "times.0.amount": "some"], "Enter an amount greater than 0"),
            (["pattern": "daily", "times.0.at": "08:00", "times.1.amount": "2"], "field-times-1-at-problem"),
            (["pattern": "days", "times.0.at": "08:00", "everyDays": "0"], "Write a whole number of days"),
            (["pattern": "weekdays", "times.0.at": "08:00"], "Choose at least one day"),
            (["pattern": "monthDays", "times.0.at": "08:00", "monthDays": "32"], "Write days of the month"),
            (["pattern": "cycle", "times.0.at": "08:00", "cycle": "21"], "Write the days on and the days off"),
            (["pattern": "interval", "everyHours": "6"], "Enter a date and a time."),
            (["pattern": "interval", "start": "2026-03-01T08:00", "everyHours": "0.1"], "Enter a number of hours"),
            (["pattern": "once"], "Enter a date and a time."),
            (["pattern": "asNeeded", "gap": "-1"], "Enter a number greater than 0."),
            (["pattern": "daily", "times.0.at": "08:00", "name": ""], "Enter the name."),
        ]
    )
    func mistakes(_ typed: [String: String], _ message: String) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let head = try fixture.journal.log.head()
            let fields = ["name": "Zolmidan", "amount": "1"].merging(typed) { _, typed in typed }
            let answer = try await browser.submit("\(record)/medication/new?kind=drug", fields)
            #expect(answer.status == 400, "\(typed): \(answer.status)")
            #expect(answer.text.contains(message), "\(typed): \(answer.status)")
            let types = try fixture.types(after: head)
            #expect(!types.contains(EntryAdded.type))
        }
    }

    @Test("Doses are logged with one tap, together, in part and with a reason, and taken back")
    func taps() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            for name in ["Zolmidan", "Brenapril"] {
                try await browser.add(plan: name, ["times.0.at": "00:00", "times.0.amount": "2"], to: record)
            }
            // Both were due before their plans were recorded, and can be logged all the same.
            let today = try await browser.get("\(record)/today")
            #expect(today.text.contains("All of 00:00 taken"))
            #expect(today.text.contains("due before it was recorded"))
            let doses = today.doses
            #expect(doses.count == 2)

            let both = try await browser.log(doses, ["status": "taken"], in: record)
            #expect(both.location == "\(record)/today?day=\(fixture.journal.today)&done=doseTaken", "\(both.text)")
            let done = try await browser.get(both.location ?? "")
            #expect(done.text.matches(of: /<li class="dose taken"/).count == 2)
            #expect(done.text.contains("Recorded as taken."))

            let undone = try await browser.post(
                "\(record)/today/undo",
                ["formToken": done.formFields["formToken"] ?? "", "entry": done.doseEntries.first ?? ""]
            )
            #expect(undone.location == "\(record)/today?done=doseUndone")
            let open = try await browser.get("\(record)/today")
            #expect(open.text.matches(of: /<li class="dose taken"/).count == 1)
            #expect(open.doses.count == 1)

            let part = try await browser.log(open.doses, ["status": "taken", "amount": "1"], in: record)
            #expect(part.status == 303)
            #expect(try await browser.get("\(record)/today").text.contains("1 of 2, at "))
        }
    }

    @Test("A form that is sent again by a device without a connection is recognized, and keeps the time of the tap")
    func sentAgain() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["pattern": "asNeeded", "amount": "1"], to: record)
            let plan = try #require(
                try await browser.get("\(record)/today").text.firstMatch(of: /name="dose" value="([^" ]*)"/)
            )
            .1
            let key = UUID()
            // Half an hour ago, but not yesterday: the page shows one day.
            let (journal, now) = (fixture.journal, fixture.journal.now)
            let midnight = journal.day(of: now).adding(days: -1).end(in: journal.zone)
            let tapped = max(now.adding(minutes: -30), midnight)
            let sent = try await browser.log([String(plan)], ["status": "taken"], in: record, key: key)
            #expect(sent.status == 303, "\(sent.text)")
            // The answer was lost: the device adds when it was tapped, and sends the form again.
            let again = ["status": "taken", "offline": "true", "tapped": tapped.description]
            #expect(try await browser.log([String(plan)], again, in: record, key: key).status == 204)
            let page = try await browser.get("\(record)/today").text
            #expect(page.matches(of: /<li class="dose taken"/).count == 1)
            // Another tap is another dose, with its own time.
            #expect(try await browser.log([String(plan)], again, in: record, key: UUID()).status == 204)
            let both = try await browser.get("\(record)/today").text
            #expect(both.matches(of: /<li class="dose taken"/).count == 2)
        }
    }

    @Test("More than the plan allows is asked about before it is recorded, and is marked afterwards")
    func asked() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let limits = ["pattern": "asNeeded", "amount": "1", "gap": "4", "most": "3"]
            try await browser.add(plan: "Zolmidan", limits, to: record)
            let plan = try #require(
                try await browser.get("\(record)/today").text.firstMatch(of: /name="dose" value="([^" ]*)"/)
            )
            .1
            let take = ["status": "taken"]
            #expect(try await browser.log([String(plan)], take, in: record).status == 303)
            let head = try fixture.journal.log.head()
            let asked = try await browser.log([String(plan)], take, in: record, key: UUID())
            #expect(asked.status == 409, "\(asked.text)")
            #expect(asked.text.contains("Please check this dose"), "\(asked.text)")
            #expect(asked.text.contains("only 4\u{A0}h after another one"))
            #expect(asked.text.contains("Another one is possible from"))
            #expect(try !fixture.types(after: head).contains(EntryAdded.type))
            let confirmed = try await browser.post("\(record)/today", asked.formFields)
            #expect(confirmed.status == 303, "\(confirmed.text)")
            let page = try await browser.get("\(record)/today").text
            #expect(page.contains("closer to another dose than the plan allows"))
            #expect(page.matches(of: /<li class="dose taken unusual"/).count == 2)
            // A tap that waited on a device is recorded: nobody could be asked.
            let waited = ["status": "taken", "offline": "true", "tapped": fixture.journal.now.description]
            #expect(try await browser.log([String(plan)], waited, in: record, key: UUID()).status == 204)
        }
    }

    @Test("A dose that is ticked on the page of a past day was taken when it was due, unless another time is given")
    func pastDay() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let yesterday = fixture.journal.today.adding(days: -1)
            for (name, times) in [("Zolmidan", "08:00"), ("Brenapril", "08:00"), ("Qvexi", "08:00")] {
                try await browser.add(
                    plan: name,
                    ["times.0.at": times, "times.0.amount": "1", "start": "\(yesterday)"],
                    to: record
                )
            }
            let page = try await browser.get("\(record)/today?day=\(yesterday)")
            let doses = page.doses
            #expect(doses.count == 3)
            #expect(page.text.contains("All of 08:00 taken"))
            let fields = ["status": "taken", "day": "\(yesterday)"]
            #expect(try await browser.log(Array(doses.dropLast()), fields, in: record).status == 303)
            let other = fields.merging(["at": "\(yesterday)T09:30"]) { $1 }
            #expect(try await browser.log([doses[2]], other, in: record, key: UUID()).status == 303)
            let done = try await browser.get("\(record)/today?day=\(yesterday)").text
            #expect(done.matches(of: /at 08:00/).count >= 2, "\(done)")
            #expect(done.contains("at 09:30"), "\(done)")
            #expect(done.matches(of: /<li class="dose taken"/).count == 3)
        }
    }

    @Test("A taper shows its amounts with the strength, which the form asks for, and begins when its time is ahead")
    func taper() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let steps = ["pattern": "taper", "steps": "40x5, 2.5x5", "times.0.at": "00:00", "unit": "tablet"]
            let form = "\(record)/medication/new?kind=drug"
            let bare = try await browser.submit(form, steps.merging(["name": "Zolmidan", "strength": "5"]) { $1 })
            #expect(bare.status == 400 && bare.text.contains("such as 5 mg"))
            try await browser.add(plan: "Zolmidan", steps.merging(["strength": "5 mg"]) { $1 }, to: record)
            // Midnight of today is over, so that the first dose is that of tomorrow.
            let tomorrow = fixture.journal.today.adding(days: 1)
            let (first, last) = (tomorrow, tomorrow.adding(days: 9))
            let today = try await browser.get("\(record)/today?day=\(fixture.journal.today)").text
            #expect(today.contains("Nothing is planned for this day."))
            let shown = try await browser.get("\(record)/today?day=\(first)").text
            #expect(shown.contains("8\u{A0}tablets × 5 mg = 40 mg"), "\(shown)")
            let less = try await browser.get("\(record)/today?day=\(last)").text
            #expect(less.contains("0.5\u{A0}tablet × 5 mg = 2.5 mg"), "\(less)")
            #expect(try await browser.get("\(record)/medication").text.contains("× 5 mg = 40 mg"))
            #expect(try await browser.get("\(record)/sheet?from=\(first)").text.contains("× 5 mg = 40 mg"))
        }
    }

    @Test("One dose of several that cannot be logged does not keep the others from being logged")
    func othersOfForm() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            for name in ["Zolmidan", "Brenapril", "Qvexi"] {
                try await browser.add(plan: name, ["times.0.at": "00:00", "times.0.amount": "1"], to: record)
            }
            let doses = try await browser.get("\(record)/today").doses
            #expect(try await browser.log([doses[1]], ["status": "skipped"], in: record).status == 303)
            let asked = try await browser.log(doses, ["status": "taken"], in: record, key: UUID())
            #expect(asked.status == 400 && asked.text.contains("This dose is logged already"))
            let page = try await browser.get("\(record)/today").text
            #expect(page.matches(of: /<li class="dose taken"/).count == 2)
        }
    }

    @Test("A change of a plan names the rules that end, and keeps an end and a stop that lie ahead")
    func replacedRules() async throws {
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
            let list = try await browser.get("\(record)/medication").text
            let plan = try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/change"/)).1
            let form = try await browser.get("\(plan)/change")
            // What was given today stays given by the plan as it was.
            #expect(form.formFields["until"] == "\(until)")
            #expect(form.formFields["effective"]?.hasPrefix("\(today)T") == true)
            let stop = ["from": "\(today.adding(days: 5))", "why": "finished"]
            #expect(try await browser.submit("\(plan)/stop", stop).status == 303)

            let checked = try await browser.submit("\(plan)/change", ["times.0.at": "21:00"])
            #expect(checked.text.contains("No longer from then on"))
            #expect(checked.text.contains("1 at 08:00, each day"))
            #expect(try await browser.post("\(plan)/change", checked.formFields).status == 303)
            #expect(try await browser.get("\(record)/today?day=\(today.adding(days: 4))").text.contains("21:00"))
            let after = try await browser.get("\(record)/today?day=\(today.adding(days: 6))").text
            #expect(after.contains("Nothing is planned for this day."))
        }
    }

    @Test("Of several rules, the form of a change shows each, fills in the chosen one, and keeps the others")
    func severalRules() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "08:00", "times.0.amount": "2"], to: record)
            let list = try await browser.get("\(record)/medication").text
            let plan = String(try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/change"/)).1)
            let today = fixture.journal.today
            func change(_ values: [String: String]) async throws {
                let checked = try await browser.submit("\(plan)/change", values)
                #expect(checked.status == 200, "\(checked.text)")
                #expect(try await browser.post("\(plan)/change", checked.formFields).status == 303)
            }
            let weekly = [
                "effective": "\(today)T00:00", "replaces": "none", "pattern": "days", "everyDays": "7",
                "times.0.at": "21:00", "times.0.amount": "1",
            ]
            try await change(weekly)
            let page = try await browser.get("\(record)/today").text
            #expect(page.contains("08:00"))
            #expect(page.contains("21:00"))

            // Both rules are offered; the fields are those of the one that is chosen.
            let form = try await browser.get("\(plan)/change")
            #expect(form.text.contains("2 at 08:00, each day"))
            #expect(form.text.contains("1 at 21:00"))
            #expect(form.formFields.times == "21:00")
            let rules = form.text.matches(of: /<option value="([0-9a-f-]{36})"/).map { String($0.1) }
            #expect(rules.count == 2)
            var fields = form.formFields
            fields["replaces"] = rules[0]
            fields["step"] = "replaces"
            let filled = try await browser.post("\(plan)/change", fields)
            #expect(filled.formFields.times == "08:00")
            #expect(filled.formFields["times.0.amount"] == "2")
            #expect(filled.formFields["replaces"] == rules[0])

            var changed = filled.formFields
            (changed["times.0.at"], changed["effective"]) = ("09:00", "\(today.adding(days: 7))T00:00")
            let checked = try await browser.post("\(plan)/change", changed)
            #expect(checked.text.contains("No longer from then on"))
            #expect(checked.text.contains("Still applies"))
            #expect(try await browser.post("\(plan)/change", checked.formFields).status == 303)
            let after = try await browser.get("\(record)/today?day=\(today.adding(days: 7))").text
            #expect(after.contains("09:00"))
            #expect(after.contains("21:00"))
            #expect(!after.contains("08:00"))
        }
    }

    @Test("A dose that is taken when needed does not fill the planned one that is open")
    func takenWhenNeeded() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "00:00", "times.0.amount": "1"], to: record)
            let list = try await browser.get("\(record)/medication").text
            let plan = String(try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/change"/)).1)
            let needed = [
                "effective": "\(fixture.journal.today)T00:00", "replaces": "none", "pattern": "asNeeded",
                "amount": "2", "times.0.at": "", "times.0.amount": "",
            ]
            let checked = try await browser.submit("\(plan)/change", needed)
            #expect(try await browser.post("\(plan)/change", checked.formFields).status == 303, "\(checked.text)")
            let page = try await browser.get("\(record)/today")
            let offered = try #require(page.text.firstMatch(of: /name="dose" value="([^" ]*\/needed)"/)).1
            let values = ["status": "taken", "voice": "true"]
            #expect(
                try await browser.log([String(offered)], values, in: record).location?.contains("doseTaken") == true
            )
            let done = try await browser.get("\(record)/today")
            // The dose of 00:00 is still offered.
            #expect(done.doses.contains { $0.contains(" ") })
            #expect(done.text.matches(of: /<li class="dose taken"/).count == 1)
            #expect(done.text.contains(#"<p class="detail" dir="auto">when needed</p>"#))
            // What was dictated stays marked.
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            let answer = try await fixture.journal.records.read(id, ReadOptions(kinds: [Dose.kind]), fixture.owner)
            #expect(answer.state.entries.map(\.content.voiceEntryUsed) == [true])
        }
    }

    @Test("An entry without a plan becomes one, which begins with its frequency and the person's meal times")
    func planFromEntry() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            var content = EntryContent(kind: Drug.kind)
            try content.set("name", text: "Zolmidan")
            try content.set("frequency", text: "twice_daily")
            _ = try await fixture.journal.entries.addEntry(content, to: id, fixture.owner)
            let list = try await browser.get("\(record)/medication").text
            #expect(list.contains("Plan from this entry"))
            let plan = String(try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/change"/)).1)
            let form = try await browser.get("\(plan)/change").formFields
            #expect(form["pattern"] == "daily")
            #expect(form.times == "08:00 18:30")
            let checked = try await browser.submit("\(plan)/change", ["times.0.amount": "1", "times.1.amount": "1"])
            #expect(try await browser.post("\(plan)/change", checked.formFields).status == 303, "\(checked.text)")
            #expect(try await !browser.get("\(record)/medication").text.contains("Plan from this entry"))
        }
    }

    @Test("A dose that was logged differently is asked about, and each answer is kept")
    func conflicts() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "00:00", "times.0.amount": "1"], to: record)
            let dose = try #require(try await browser.get("\(record)/today").doses.first)
            #expect(try await browser.log([dose], ["status": "skipped", "why": "forgot"], in: record).status == 303)
            // A page that was open before, on another device.
            let asked = try await browser.log([dose], ["status": "taken"], in: record, key: UUID())
            #expect(asked.status == 400 && asked.text.contains("This dose is logged already"))
            let corrected = try await browser.log(
                [dose],
                ["status": "taken", "repetition": "instead"],
                in: record,
                key: UUID()
            )
            #expect(corrected.status == 303, "\(corrected.text)")
            let page = try await browser.get("\(record)/today").text
            #expect(
                page.matches(of: /<li class="dose taken"/).count == 1 && !page.contains("<li class=\"dose skipped\"")
            )
        }
    }

    @Test("A plan is changed from a day on, paused, resumed and stopped, and its stock is counted")
    func steps() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(
                plan: "Zolmidan",
                ["times.0.at": "08:00", "times.0.amount": "1", "stock": "30"],
                to: record
            )
            let list = try await browser.get("\(record)/medication").text
            let plan = try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/change"/)).1
            #expect(try await browser.get("\(record)/stock").text.contains("<strong>30</strong>"))

            let today = fixture.journal.today
            let change = [
                "effective": "\(today.adding(days: 1))T00:00", "times.0.at": "21:00", "pattern": "daily",
                "times.0.amount": "2",
            ]
            let checked = try await browser.submit("\(plan)/change", change)
            #expect(checked.status == 200, "\(checked.text)")
            #expect(checked.text.contains("2 at 21:00, each day"), "\(checked.text)")
            let changed = try await browser.post(
                "\(plan)/change",
                checked.formFields.merging(["pattern": "daily"]) { $1 }
            )
            #expect(changed.location == "\(record)/medication?done=changed", "\(changed.text)")

            let pause = ["from": "\(today.adding(days: 2))", "until": "\(today.adding(days: 3))", "why": "travel"]
            #expect(try await browser.submit("\(plan)/pause", pause).status == 303)
            #expect(try await browser.get("\(record)/today?day=\(today.adding(days: 3))").text.contains("dose paused"))
            #expect(try await browser.get("\(record)/today?day=\(today.adding(days: 4))").text.contains("dose later"))
            #expect(try await browser.submit("\(plan)/resume", ["from": "\(today.adding(days: 3))"]).status == 303)
            #expect(try await browser.get("\(record)/today?day=\(today.adding(days: 3))").text.contains("dose later"))

            #expect(try await browser.submit("\(plan)/stock", ["what": "counted", "amount": "27"]).status == 303)
            #expect(try await browser.get("\(record)/stock").text.contains("3 fewer than the log says"))

            #expect(
                try await browser.submit("\(plan)/stop", ["from": "\(today.adding(days: 5))", "why": "finished"]).status
                    == 303
            )
            let after = try await browser.get("\(record)/today?day=\(today.adding(days: 5))").text
            #expect(after.contains("Nothing is planned for this day."))
        }
    }

    @Test("A correction of a plan reaches into the past, and logged doses stay with their times")
    func correction() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(
                plan: "Zolmidan",
                [
                    "times.0.at": "00:00", "times.0.amount": "1", "times.1.at": "23:59",
                    "times.1.amount": "1",
                ],
                to: record
            )
            let dose = try #require(try await browser.get("\(record)/today").doses.first)
            #expect(try await browser.log([dose], ["status": "taken"], in: record).status == 303)
            let list = try await browser.get("\(record)/medication").text
            let plan = try #require(list.firstMatch(of: /href="([^"]*\/medication\/[^"]*)\/correct"/)).1
            let form = try await browser.get("\(plan)/correct")
            #expect(form.formFields.times == "00:00 23:59")
            #expect(form.formFields["name"] == "Zolmidan")
            // Ids and other fields of machines are not for people.
            #expect(!form.text.contains("Rules, 1"))
            #expect(!form.text.contains("name=\"rules"))

            let typed = [
                "name": "Zolmidan", "times.0.at": "00:30", "times.1.at": "23:59", "reason": "the label says so",
            ]
            let corrected = try await browser.submit("\(plan)/correct", typed)
            #expect(corrected.location == "\(record)/medication?done=changed", "\(corrected.text)")
            let today = try await browser.get("\(record)/today").text
            #expect(today.matches(of: /<li class="dose taken"/).count == 1)
            #expect(!today.contains("outside the plan"))
            #expect(try await browser.get("\(record)/calendar").text.contains("00:30 <bdi>Zolmidan"))
            #expect(try await browser.get("\(record)/history").text.contains("the label says so"))

            let shown = try await browser.submit("\(plan)/correct", ["step": "pattern", "pattern": "cycle"])
            #expect(shown.status == 200)
            #expect(shown.formFields["cycle"] == "")
            #expect(shown.formFields["everyDays"] == nil)
        }
    }

    @Test("The forms of a dose and of stock let choose a medication by its name, also to correct them")
    func chosenMedication() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["unit": "tablet", "times.0.at": "08:00"], to: record)
            try await browser.add(plan: "<Abilos>", ["times.0.at": "09:00"], to: record)
            let form = try await browser.get("\(record)/entries/dose/new").text
            let offered = form.matches(of: /<option value="([0-9a-f-]{36})"[^>]*>([^<]*)</)
            #expect(offered.map { String($0.2) } == ["&lt;Abilos&gt;", "Zolmidan (tablet)"])
            let zolmidan = try #require(offered.last.map { String($0.1) })

            let nameless = try await browser.submit("\(record)/entries/dose/new", ["status": "taken", "amount": "1"])
            #expect(nameless.status == 400 && nameless.text.contains("field-of-problem"))
            #expect(nameless.text.contains("Zolmidan (tablet)"))

            let stock = ["of": zolmidan, "what": "received", "amount": "30", "unit": "tablet", "time": "00:00"]
            let added = try await browser.submit("\(record)/entries/supply/new", stock)
            let entry = try #require(added.location?.split(separator: "?").first.map(String.init))
            let correction = try await browser.get("\(entry)/correct").text
            #expect(correction.contains("<option value=\"\(zolmidan)\" selected>Zolmidan (tablet)"))
        }
    }
}

extension Browser {
    /// Adds a plan through its form, which is first checked and then saved.
    func add(plan name: String, _ values: [String: String], to record: String) async throws {
        let form = "\(record)/medication/new?kind=drug"
        let typed = ["name": name, "pattern": "daily"].merging(values) { $1 }
        let checked = try await submit(form, typed)
        #expect(checked.status == 200, "\(checked.text)")
        let saved = try await post(form, checked.formFields)
        #expect(saved.status == 303, "\(saved.text)")
    }

    /// Sends the form that logs doses.
    fileprivate func log(
        _ doses: [String],
        _ values: [String: String],
        in record: String,
        key: UUID? = nil
    ) async throws -> Answer {
        let page = try await get("\(record)/today")
        var fields = [
            "formToken": page.formFields["formToken"] ?? "", "key": key?.text ?? page.formFields["key"] ?? "",
            "day": page.formFields["day"] ?? "",
        ]
        fields.merge(values) { $1 }
        return try await post("\(record)/today", fields.sorted { $0.key < $1.key } + doses.map { ("dose", $0) })
    }
}

extension ServiceFixture {
    /// The types of the events after a position.
    fileprivate func types(after head: UInt64) throws -> [EventType] {
        try (head..<journal.log.head()).map { try journal.log.event(at: $0 + 1).header.type }
            .compactMap(EventType.init(rawValue:))
    }
}

extension Answer {
    /// The planned doses that the page offers to log one by one.
    var doses: [String] {
        text.matches(of: /name="dose" value="([^"]*)">\s*<button class="main"/).map { String($0.1) }
    }

    /// The logged doses that the page offers to take back.
    fileprivate var doseEntries: [String] {
        text.matches(of: /name="entry" value="([^"]*)"/).map { String($0.1) }
    }
}
