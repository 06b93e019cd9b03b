import EventLog
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalServer

/// Forms that complete names, and that a sentence prefills.
@Suite("Names and sentences on the pages")
struct DraftPageTests {
    @Test("The form of a plan offers names, fills in the substance, and shows it before the plan is saved")
    func names() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/medication/new?kind=drug"
            let blank = try await browser.get(address).text
            #expect(blank.contains(#"list="field-name-list""#))
            #expect(blank.contains(#"<option value="Lisinopril">"#))
            let plan = ["name": "Acetaminophen", "times.0.at": "08:00", "times.0.amount": "1"]
            let checked = try await browser.submit(address, plan)
            #expect(checked.status == 200)
            #expect(checked.text.contains("paracetamol"))
            let saved = try await browser.post(address, checked.formFields)
            #expect(saved.location == "\(record)/medication?done=added", "\(saved.text)")
            let again = try await browser.get(address).text
            let own = try #require(again.firstRange(of: #"<option value="Acetaminophen">"#))
            let common = try #require(again.firstRange(of: #"<option value="Lisinopril">"#))
            #expect(own.lowerBound < common.lowerBound)
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            let answer = try await fixture.journal.records.read(id, ReadOptions(kinds: [Drug.kind]), fixture.owner)
            let content = try #require(answer.state.entries.first?.content)
            let substance = content.body.groups(PlanFields.substances).first?.text(PlanFields.Substance.name)
            #expect(substance == "paracetamol")
            #expect(content.inferred == ["substances"])
        }
    }

    @Test("A sentence opens the form that it prefills; what was heard stands beside what was understood")
    func sentences() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            #expect(try await browser.get("\(record)/medication").text.contains("Say it in a sentence"))
            let head = try fixture.journal.log.head()
            let heard = try await browser.submit("\(record)/say", ["text": "weight 75.4 kilos", "voice": "true"])
            #expect(heard.status == 200)
            #expect(heard.text.contains("“75.4”"))
            #expect(heard.text.contains("Weight: 75.4"))
            #expect(heard.formFields["value"] == "75.4")
            #expect(heard.formFields["voice"] == "true")
            let changes = try (head..<fixture.journal.log.head())
                .map { try fixture.journal.log.event(at: $0 + 1).header.type }
            #expect(Set(changes) == [RecordRead.type.rawValue])
            let saved = try await browser.post("\(record)/entries/weight/new", heard.formFields)
            #expect(saved.status == 303, "\(saved.text)")
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            let answer = try await fixture.journal.records.read(id, ReadOptions(kinds: [Weight.kind]), fixture.owner)
            #expect(answer.state.entries.filter(\.content.voiceEntryUsed).count == 1)
        }
    }

    @Test("A plan, and a dose of what the record does not have, open the form of a medication")
    func plans() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let plan = try await browser.submit("\(record)/say", ["text": "lisinopril 10 mg every morning"])
            let fields = plan.formFields
            #expect(fields["name"] == "Lisinopril")
            #expect(fields["dosage"] == "10 mg")
            #expect(fields.times == "08:00")
            #expect(plan.text.contains("medication/new?kind=drug"))
            let dose = try await browser.submit("\(record)/say", ["text": "took two aspirin"])
            #expect(dose.formFields["name"] == "Aspirin")
            #expect(dose.text.contains("Add it first"))
        }
    }

    @Test("A dose opens a form that logs it like a tap, with no amount if that is doubtful")
    func doses() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/medication/new?kind=drug"
            let checked = try await browser.submit(
                address,
                ["name": "Zorbifin", "times.0.at": "08:00", "times.0.amount": "1"]
            )
            #expect(try await browser.post(address, checked.formFields).status == 303)
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            let plans = try await fixture.journal.records.read(id, ReadOptions(kinds: [Drug.kind]), fixture.owner)
            let plan = try #require(plans.state.entries.first?.id)
            let heard = try await browser.submit("\(record)/say", ["text": "took two zorbifin yesterday at 8:05 pm"])
            #expect(heard.text.contains(#"action="\#(record)/today""#), "\(heard.text)")
            #expect(heard.text.contains("“two”"))
            let fields = heard.formFields
            #expect(fields["dose"] == plan.text)
            #expect(fields["day"]?.isEmpty == true)
            #expect(fields["status"] == "taken")
            #expect(fields["amount"] == "2")
            #expect(fields["at"]?.hasSuffix("T20:05") == true)
            let doubtful = try await browser.submit("\(record)/say", ["text": "took 1/2 tablet of zorbifin"])
            #expect(doubtful.formFields["amount"]?.isEmpty == true)
            #expect(doubtful.formFields["at"]?.isEmpty == true)
            // Whatever the time of day is: outside the hours of the plan, the page asks.
            let confirmed = doubtful.formFields.merging(["confirmed": "true"]) { $1 }
            let saved = try await browser.post("\(record)/today", confirmed)
            #expect(saved.status == 303, "\(saved.text)")
            let doses = try await fixture.journal.records.read(id, ReadOptions(kinds: [Dose.kind]), fixture.owner)
            #expect(doses.state.entries.first?.content.body.id(Dose.of) == plan)
            let negated = try await browser.submit("\(record)/say", ["text": "I haven’t taken my zorbifin"])
            #expect(negated.status == 400)
        }
    }

    @Test("A sentence that is empty or not understood is asked for again")
    func wrong() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            for text in ["", "the <weather> is fine"] {
                let answer = try await browser.submit("\(record)/say", ["text": text])
                #expect(answer.status == 400)
                #expect(answer.text.contains("role=\"alert\""))
                #expect(!answer.text.contains("<weather>"))
            }
        }
    }
}
