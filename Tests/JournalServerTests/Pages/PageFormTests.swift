import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import JournalEvents
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Forms with errors, sent twice or outdated")
struct PageFormTests {
    @Test("An empty form adds no entry, and a record needs a name")
    func empty() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let head = try fixture.journal.log.head()
            let entry = try await browser.submit(record + "/entries/drug/new")
            #expect(entry.status == 400)
            #expect(entry.text.contains("Fill in at least one field."))
            for subject in ["human", "animal"] {
                let answer = try await browser.submit("/records/new?subject=\(subject)", ["sex": "female"])
                #expect(answer.status == 400)
                #expect(answer.text.contains("Enter at least one name."))
            }
            #expect(try fixture.onlyLooks(after: head))
        }
    }

    @Test("A reason that is too long is shown again to be shortened, and nothing is changed")
    func longReason() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            let head = try fixture.journal.log.head()
            let reason = String(repeating: "because ", count: 2_000) + "<end>"
            for address in [weight + "/correct", weight + "/retract", record + "/close", record + "/edit"] {
                let answer = try await browser.submit(address, ["reason": reason])
                #expect(answer.status == 400, "\(address)")
                #expect(answer.formFields["reason"] == reason, "\(address)")
                #expect(answer.text.contains("field-reason-problem"), "\(address)")
            }
            #expect(try fixture.onlyLooks(after: head))
        }
    }

    @Test("Errors are shown at their field, input is kept, and nothing is changed")
    func mistakes() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let head = try fixture.journal.log.head()
            let answer = try await browser.submit(
                "\(record)/entries/weight/new",
                ["value": "a \"lot\"", "comment": "so <heavy>"]
            )
            #expect(answer.status == 400)
            #expect(answer.formFields["value"] == "a \"lot\"")
            #expect(answer.formFields["comment"] == "so <heavy>")
            #expect(answer.text.contains("aria-invalid=\"true\""))
            #expect(answer.text.contains("field-value-problem"))
            let cost = try await browser.submit("\(record)/entries/cost/new", ["year": "2024"])
            #expect(cost.status == 400)
            #expect(cost.text.contains("field-amount-problem"))
            #expect(try fixture.onlyLooks(after: head))
        }
    }

    @Test("A refused form begins with its problems, which lead to the fields, and its title says that it was refused")
    func refused() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/entries/measurement/new?of=other"
            let form = try await browser.get(address)
            #expect(form.text.contains("<title>Add: Measurement"))
            #expect(form.text.contains("<details class=\"more-fields\"><summary>"))
            let typed = ["name": "Peak flow", "value": "400", "count": "none", "device": "Meter"]
            let answer = try await browser.submit(address, typed)
            #expect(answer.status == 400)
            #expect(answer.text.contains("<title>Error: Add: Measurement"), "\(answer.text)")
            let summary = try #require(answer.text.firstRange(of: #"<div class="problem" role="alert" tabindex="-1">"#))
            let link = try #require(answer.text.firstRange(of: "<a href=\"#field-count\">Number of values: "))
            let field = try #require(answer.text.firstRange(of: "id=\"field-count\""))
            #expect(summary.lowerBound < link.lowerBound && link.lowerBound < field.lowerBound)
            // What is shown on request is open if it has a problem or a value.
            #expect(answer.text.contains("<details class=\"more-fields\" open>"))
        }
    }

    @Test("A measurement is chosen first, asks only for its numbers, and is stored as imports store it")
    func measurements() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let kind = "\(record)/entries/measurement"
            let choices = try await browser.get("\(kind)/new")
            #expect(
                choices.text.contains(#"href="\#(kind)/new?of=blood-pressure">Blood pressure</a>"#),
                "\(choices.text)"
            )
            #expect(!choices.text.contains("name=\"value\""))
            let address = "\(kind)/new?of=blood-pressure"
            let form = try await browser.get(address)
            #expect(form.formFields["name"] == nil && form.text.contains("mmHg"))
            let half = try await browser.submit(address, ["parts.0.value": "120", "parts.1.value": "x"])
            #expect(half.status == 400 && half.text.contains("field-parts-1-value-problem"), "\(half.text)")
            let saved = try await browser.submit(address, ["parts.0.value": "120", "parts.1.value": "80"])
            #expect(saved.status == 303, "\(saved.text)")
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            let options = ReadOptions(kinds: [MeasuredValue.kind])
            let entry = try #require(
                try await fixture.journal.records.read(id, options, fixture.owner).state.entries.first
            )
            var expected = EntryContent(kind: MeasuredValue.kind)
            try expected.set([
                ("name", "Blood pressure"), ("parts.0.name", "Systolic"), ("parts.0.value", "120"),
                ("parts.0.unit", "mmHg"), ("parts.1.name", "Diastolic"), ("parts.1.value", "80"),
                ("parts.1.unit", "mmHg"),
            ])
            #expect(entry.content.body == expected.body)

            // A correction reaches every value.
            let page = try #require(saved.location).replacing("?done=added", with: "")
            let correction = try await browser.get("\(page)/correct").formFields
            #expect(correction["name"] == "Blood pressure" && correction["parts.1.value"] == "80")
            #expect(try await browser.submit("\(page)/correct", ["parts.1.value": "85"]).status == 303)

            for (name, typed) in [
                ("pulse", ["value": "64"]), ("blood-glucose", ["value": "5.4", "unit": "mmol/L"]),
                ("pain", ["value": "0"]),
            ] {
                #expect(try await browser.submit("\(kind)/new?of=\(name)", typed).status == 303, "\(name)")
            }
            for (name, typed) in [("pain", ["value": "11"]), ("blood-glucose", ["value": "5.4"]), ("pulse", [:])] {
                #expect(try await browser.submit("\(kind)/new?of=\(name)", typed).status == 400, "\(name)")
            }
            #expect(try await browser.get("\(kind)/new?of=mood").status == 404)
        }
    }

    @Test("A meal has one line for each food, a button adds another, and no ids are asked for")
    func meals() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/entries/meal/new"
            let form = try await browser.get(address)
            #expect(form.formFields["foods.0.id"] == nil && form.formFields["foods.1.name"] == nil)
            let typed = ["mealType": "lunch", "foods.0.name": "Rice", "foods.0.quantity": "200 g", "step": "foods"]
            let head = try fixture.journal.log.head()
            let more = try await browser.submit(address, typed)
            #expect(more.status == 200)
            #expect(try fixture.onlyLooks(after: head))
            var fields = more.formFields
            #expect(fields["foods.0.name"] == "Rice" && fields["foods.1.name"] == "")
            // A line that is left empty is left out.
            (fields["foods.2.name"], fields["foods.2.calories"]) = ("Peas", "80")
            let saved = try await browser.post(address, fields)
            #expect(saved.status == 303, "\(saved.text)")
            let page = try #require(saved.location).replacing("?done=added", with: "")
            let stored = try await browser.get("\(page)/correct").formFields
            #expect(stored["foods.1.name"] == "Peas" && stored["foods.1.calories"] == "80")
            #expect(stored["foods.2.name"] == nil)
            #expect(
                try await browser.submit("\(page)/correct", ["foods.0.name": "", "foods.0.quantity": ""]).status == 303
            )
            #expect(try await browser.get("\(page)/correct").formFields["foods.0.name"] == "Peas")
        }
    }

    @Test("What only programs add has no form and no button", arguments: ["interaction", "foreign", "zone"])
    func programs(_ kind: String) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/entries/\(kind)/new"
            #expect(try await browser.get(address).status == 404)
            let posted = try await browser.submit(address, ["zone": "Asia/Kathmandu"], from: record)
            #expect(posted.status == 404)
            #expect(posted.text.contains("not added with a form"), "\(posted.text)")
            for page in [record, "\(record)/entries/\(kind)"] {
                #expect(try await !browser.get(page).text.contains(address), "\(page)")
            }
        }
    }

    @Test("A form that is sent twice adds one entry, and a changed one adds another")
    func twice() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/entries/drug/new"
            var fields = try await browser.get(address).formFields
            fields["name"] = "Lisinopril"
            let first = try await browser.post(address, fields)
            let second = try await browser.post(address, fields)
            #expect(first.status == 303)
            #expect(second.location == first.location)
            fields["name"] = "Metformin"
            let other = try await browser.post(address, fields)
            #expect(other.status == 303)
            #expect(other.location != first.location)
        }
    }

    @Test("The forms of owners are refused to a caregiver, and recorded as refused and not as read")
    func formsOfOwners() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna").id
        let cookie = try await fixture.session(of: anna)
        let journal = fixture.journal
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            _ = try await journal.sharing.grant(GrantTerms(), to: anna, on: id, fixture.owner)
            let caregiver = Browser(client: browser.client, cookie: cookie)
            #expect(try await caregiver.get(record).status == 200)
            let head = try journal.log.head()
            for form in ["edit", "close"] { #expect(try await caregiver.get("\(record)/\(form)").status == 403) }
            let events = try journal.log.events(after: head, limit: 10).map { try journal.log.recorded($0).event }
            #expect(!events.isEmpty)
            for event in events {
                guard let access = (event.data as? AccessDenied)?.access else {
                    Issue.record("recorded as \(event.type)")
                    continue
                }
                #expect(access.action == .manage)
            }
        }
    }

    @Test("A correction of an outdated state is refused with what has changed")
    func stale() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            let old = try await browser.get(weight + "/correct").formFields
            #expect(try await browser.submit(weight + "/correct", ["value": "70"]).status == 303)
            var fields = old
            fields["value"] = "69"
            let answer = try await browser.post(weight + "/correct", fields)
            #expect(answer.status == 400)
            #expect(answer.text.contains("changed in the meantime"))
            #expect(answer.formFields["value"] == "69")
            #expect(try await browser.get(weight).text.contains("<ins>70</ins>"))
            #expect(!(try await browser.get(weight)).text.contains("<ins>69</ins>"))
            // The refused form contains the other's changes to fields that this account left unchanged, so saving it
            // does not undo them.
            let address = try #require(
                try await browser.submit("\(record)/entries/drug/new", ["name": "A", "dosage": "10 mg"]).location
            )
            .replacing("?done=added", with: "")
            var first = try await browser.get(address + "/correct").formFields
            #expect(try await browser.submit(address + "/correct", ["dosage": "20 mg"]).status == 303)
            first["comment"] = "with food"
            let again = try await browser.post(address + "/correct", first)
            #expect(again.status == 400)
            #expect(again.text.contains("Dosage: 10 mg → 20 mg"))
            #expect(again.formFields["dosage"] == "20 mg")
            #expect(again.formFields["comment"] == "with food")
            #expect(try await browser.post(address + "/correct", again.formFields).status == 303)
            let page = try await browser.get(address).text
            #expect(page.contains("with food"))
            #expect(page.contains("<ins>20 mg</ins>"))
            // The same holds for the profile form. An entry that was added in between does not count as a change of the
            // profile.
            var profile = try await browser.get(record + "/edit").formFields
            #expect(try await browser.submit("\(record)/entries/allergy/new", ["name": "Nuts"]).status == 303)
            profile["nickName"] = "Lulu"
            #expect(try await browser.post(record + "/edit", profile).status == 303)
            var other = profile
            other["nickName"] = "Ila"
            other["employer"] = "Bakery"
            let told = try await browser.post(record + "/edit", other)
            #expect(told.status == 400)
            #expect(told.text.contains("changed in the meantime"))
        }
    }
}

extension ServiceFixture {
    /// Reports whether only reads were recorded after a position.
    fileprivate func onlyLooks(after head: UInt64) throws -> Bool {
        try ((head + 1)...journal.log.head())
            .allSatisfy { try journal.log.event(at: $0).header.type == RecordRead.type.rawValue }
    }
}
