import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import EventLog
@testable import JournalCore

/// What else in the journal contains a part of an erased entry.
@Suite("Copies of an erased entry")
struct EntryCopiesTests {
    private func preview(_ entry: UUID, _ home: TestHousehold, _ caller: Caller? = nil) async throws -> [EntryCopy] {
        try await home.journal.erasure.previewErasure(ofEntry: entry, caller ?? home.owner).copies
    }

    private func erase(_ entry: UUID, _ home: TestHousehold, _ caller: Caller? = nil) async throws {
        _ = try await home.journal.erasure.eraseEntry(entry, (caller ?? home.owner).giving(reason: "of somebody else"))
    }

    /// Everything that can still be decrypted, as one text.
    private func readable(_ home: TestHousehold) throws -> String {
        try home.journal.log.events(after: 0, limit: 10_000)
            .compactMap { event in try home.journal.records.unlessErased { "\(try home.journal.log.recorded(event))" } }
            .joined()
    }

    /// Checks that the receipt names the copies that the preview named.
    private func expectReceipt(
        _ entry: UUID,
        of record: UUID,
        names copies: [EntryCopy],
        _ home: TestHousehold,
        _ caller: Caller? = nil
    ) async throws {
        let text = try await home.journal.erasure.receipt(ofEntry: entry, in: record, caller ?? home.owner).text
        let receipt = try ErasureReceipt(
            parsing: Array(text.utf8),
            verifiedBy: [home.journal.log.keys.signer(of: home.journal.log.description.id).verifier]
        )
        #expect(
            receipt.copies == copies.map { ErasureReceipt.Copy(what: $0.what.name, id: $0.id, fate: $0.fate.name) },
            "\(text)"
        )
    }

    @Test("The originals of a moved entry are erased with it, with their files; a live one in another record stays")
    func moved() async throws {
        let home = try await TestHousehold()
        let (anna, ben, carl) = (
            try await home.person("Anna"), try await home.person("Ben"), try await home.person("Carl")
        )
        let attached = try await home.journal.entries.attachDocument(
            Array("needle in a file".utf8),
            try entry("document", ["name": "needle.pdf"]),
            to: anna,
            home.owner
        )
        let first = try #require(attached.entry)
        let second = try #require(try await home.journal.entries.moveEntry(first, to: ben, home.owner).entry)
        _ = try await home.journal.entries.correctEntry(second, home.owner) { content throws(ModelError) in
            try content.set("comment", text: "the needle's second version")
        }
        let third = try #require(try await home.journal.entries.moveEntry(second, to: carl, home.owner).entry)

        // Erasing an original must not take the entry out of the record in which it belongs.
        #expect(
            try await Set(preview(first, home))
                == [EntryCopy(.moved, id: second, .erased), EntryCopy(.moved, id: third, .ownEntry)]
        )
        let copies = try await preview(third, home)
        #expect(Set(copies) == [EntryCopy(.moved, id: second, .erased), EntryCopy(.moved, id: first, .erased)])
        try await erase(third, home)
        #expect(try !readable(home).contains("needle"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.folder.blobs).allSatisfy { !$0.contains("/") })
        for original in [first, second] {
            #expect(
                await refusal { _ = try await home.journal.trail.history(ofEntry: original, home.owner) }?.code
                    == .erased
            )
        }
        // The reason is about the person of the record in which the entry was erased.
        let erasures = try home.journal.log.events(after: 0, limit: 10_000)
            .filter { $0.header.type == EntryErased.type.rawValue }
        #expect(erasures.count == 3)
        for event in erasures {
            let reason = try home.journal.log.recorded(event).reason
            #expect(reason == (event.header.subject == carl ? "of somebody else" : ""))
        }
        try await expectReceipt(third, of: carl, names: copies, home)
        #expect(try home.journal.log.verify().isSound)
    }

    @Test(
        "A copy in a record that the account may not erase from is named with the reason, and without its id if unseen"
    )
    func foreignRecords() async throws {
        let home = try await TestHousehold()
        let (anna, ben) = (try await home.account("anna"), try await home.account("ben"))
        let (hers, his) = (try await home.person("Anna", anna), try await home.person("Ben", ben))
        _ = try await home.journal.sharing.grant(
            GrantTerms(verbs: [.read, .contribute]),
            to: anna.account,
            on: his,
            ben
        )
        let added = try await home.journal.entries.addEntry(try entry("illness", ["name": "needle"]), to: hers, anna)
        let original = try #require(added.entry)
        let moved = try #require(try await home.journal.entries.moveEntry(original, to: his, anna).entry)
        #expect(try await preview(moved, home, ben) == [EntryCopy(.moved, id: nil, .notPermitted)])
        _ = try await home.journal.sharing.grant(GrantTerms(verbs: [.read]), to: ben.account, on: hers, anna)
        #expect(try await preview(moved, home, ben) == [EntryCopy(.moved, id: original, .notPermitted)])
        _ = try await home.journal.sharing.addOwner(ben.account, to: hers, anna)
        _ = try await home.journal.erasure.holdRecord(
            hers,
            until: home.journal.today.adding(days: 3),
            anna.giving(reason: "a trial")
        )
        let copies = try await preview(moved, home, ben)
        #expect(copies == [EntryCopy(.moved, id: original, .held)])
        try await erase(moved, home, ben)
        #expect(try await home.journal.trail.history(ofEntry: original, anna).count == 2)
        try await expectReceipt(moved, of: his, names: copies, home, ben)
    }

    @Test("A finding about the entry is erased with it; a question that names it and a dose of it stay, and are named")
    func findings() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        _ = try await home.journal.interactionChecks.loadRules(RuleSetDocument.starter, home.owner)
        var warfarin = try entry("drug", ["name": "Needlefarin", "date": "2026-01-01"])
        try warfarin.set("substances.0.name", text: "warfarin")
        let from = try WallMoment(parsing: "2026-03-01")
        let pattern = try PlanRule.Pattern(.daily, parsing: "08:00=1", anchor: from.day) { UUID() }
        let rule = PlanRule(id: UUID(), from: from, pattern: pattern, recordedAt: Instant(microseconds: 0))
        warfarin.addRule(rule)
        let drug = try #require(try await home.journal.entries.addEntry(warfarin, to: record, home.owner).entry)
        var other = try entry("drug", ["name": "Ibuprofen", "date": "2026-01-01"])
        try other.set("substances.0.name", text: "ibuprofen")
        other.addRule(rule)
        _ = try await home.journal.entries.addEntry(other, to: record, home.owner)
        _ = try await home.journal.care.logDose(DoseRequest(plan: drug, status: .taken), in: record, home.owner)
        let question = ["queryText": "May I take Needlefarin with garlic?", "source": "manual_entry"]
        let asked = try await home.add("interaction", question, to: record)

        let state = try await home.state(record)
        let interactions = Set(state.entries.filter { $0.kind == Interaction.kind && $0.id != asked }.map(\.id))
        let dose = try #require(state.entries.first { $0.kind == Dose.kind }).id
        let copies = try await preview(drug, home)
        let erased = copies.filter { $0.fate == .erased }
        let findings = erased.compactMap(\.id)
        #expect(!findings.isEmpty)
        #expect(erased.allSatisfy { $0.what == .finding })
        #expect(interactions.isSuperset(of: findings))
        #expect(
            Set(copies).subtracting(erased) == [
                EntryCopy(.finding, id: asked, .ownEntry), EntryCopy(.reference, id: dose, .ownEntry),
            ]
        )
        try await erase(drug, home)
        for finding in findings {
            #expect(
                await refusal { _ = try await home.journal.trail.history(ofEntry: finding, home.owner) }?.code
                    == .erased
            )
        }
        try await expectReceipt(drug, of: record, names: copies, home)
        try await erase(asked, home)
        #expect(try !readable(home).contains("Needlefarin"))
    }

    @Test("Imported resources that refer to an erased one, or to which it refers, are named; so is a repetition")
    func resources() async throws {
        let home = try await TestHousehold()
        var caller = home.owner
        caller.source = .import
        let order: JSONValue = [
            "resourceType": "MedicationRequest", "id": "mr", "status": "active", "intent": "order",
            "subject": ["reference": "Patient/p1"],
            "medicationReference": ["reference": "https://hospital.example/fhir/Medication/m1"],
        ]
        let product: JSONValue = ["resourceType": "Medication", "id": "m1", "code": ["text": "needle"]]
        let letter: JSONValue = [
            "resourceType": "CarePlan", "id": "cp", "status": "active", "intent": "plan",
            "subject": ["reference": "Patient/p1"], "title": "needle", "addresses": [["reference": "Condition/c1"]],
        ]
        let document = FHIRTexts.bundle([FHIRTexts.condition("2010-05"), order, product, letter])
        let options = try home.journal.imports.fhirOptions(of: nil, isTrial: false)
        let documents = try FHIRDocument.read(JSONWriter.bytes(document), options: options)
        let record = try #require(try await home.journal.imports.take(documents, digest: "ab", caller).first?.record)
        let entries = try await home.state(record).entries
        func resource(_ type: String) throws -> UUID {
            try #require(
                entries.first { entry in
                    entry.content.extra.contains {
                        $0.json.contains("\"\(type)\"") && $0.name.hasPrefix("$fhir.resource")
                    }
                }
            )
            .id
        }
        let (plan, medication) = (try resource("CarePlan"), try resource("Medication"))
        let drug = try resource("MedicationRequest")
        #expect(try await preview(drug, home).contains(EntryCopy(.resource, id: medication, .ownEntry)))
        #expect(try await preview(medication, home).contains(EntryCopy(.resource, id: drug, .ownEntry)))
        let illness = try #require(entries.first { $0.kind == Illness.kind })
        #expect(try await preview(illness.id, home).contains(EntryCopy(.resource, id: plan, .ownEntry)))
        #expect(try await !preview(illness.id, home).contains { $0.id == drug })

        var content = EntryContent(kind: Illness.kind)
        content.body = illness.content.body
        let one = try #require(try await home.journal.entries.addEntry(content, to: record, home.owner).entry)
        let two = try #require(try await home.journal.entries.addEntry(content, to: record, home.owner).entry)
        #expect(try await preview(one, home) == [EntryCopy(.repetition, id: two, .ownEntry)])
    }

    @Test("A triage that used an entry, or from which it came, is named in the preview and the receipt")
    func triages() async throws {
        let clinic = try await TestPractice(dogs: 1)
        let (home, journal, dog) = (clinic.home, clinic.journal, clinic.dogs[0])
        let veterinarian = try clinic.caller(.veterinarian)
        _ = try await journal.triage.adoptTriageRules(.version1, by: "Dr. Ada Roth", in: clinic.practice, veterinarian)
        func add(_ kind: String, _ values: [String: String]) async throws -> UUID {
            try #require(try await journal.entries.addEntry(try entry(kind, values), to: dog, clinic.client).entry)
        }
        _ = try await journal.sharing.grant(.ofPractice, to: clinic.practice, on: dog, clinic.client)
        let older = try await add("weight", ["value": "20.5", "unit": "kg", "date": "2027-01-01"])
        let weight = try await add("weight", ["value": "21500", "unit": "g", "date": "2027-02-01"])
        let allergy = try await add("allergy", ["name": "grass"])
        let vaccination = try await add("vaccination", ["name": "rabies", "date": "2026-02-01"])
        let request = TriageRequest(practice: clinic.practice, record: dog)
        let triage = try #require(try await journal.triage.beginTriage(request, clinic.caller(.nurse)).entry)
        let findings: TriageFindings = try TestPractice.profile([
            ("airway", "normal"), ("temperature", "41.1"), ("heartRate", "130"),
        ])
        _ = try await journal.triage.changeTriage(triage, .assess(findings), clinic.caller(.nurse))
        let later = try await add("illness", ["name": "fever"])
        let named = EntryCopy(.triage, id: triage, .recordKey)
        let state = try await journal.records.read(dog, ReadOptions(), clinic.client).state
        let measured = try #require(state.entries.first { $0.content.body.text(MeasuredValue.value) == "41.1" }).id
        for (entry, copies) in [
            (weight, [named]), (allergy, [named]), (measured, [named]), (older, []), (vaccination, []), (later, []),
        ] {
            #expect(try await preview(entry, home, clinic.client) == copies, "\(entry)")
        }
        for entry in [weight, measured] {
            try await erase(entry, home, clinic.client)
            try await expectReceipt(entry, of: dog, names: [named], home, clinic.client)
        }
    }
}
