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
