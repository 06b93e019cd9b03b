import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalClinic
@testable import JournalCore

@Suite("Importing practices of VetNet")
struct VetNetImportTests {
    private static let practice = UUID(uuidString: "6F9619FF-8B86-4D01-B42D-00CF4FC96400")!
    private static func id(_ last: String) -> UUID { UUID(uuidString: "6F9619FF-8B86-4D01-B42D-00CF4FC964\(last)")! }

    private func read(_ text: String = VetNetTexts.whole, in journal: Journal) throws -> VetNetPractice {
        let entries = try journal.imports.namespaces(of: "vetnet", isTrial: false).entries
        let options = VetNetOptions(zone: nil, now: journal.now, entries: entries) { instant, _ in Day(of: instant) }
        return try #require(try VetNetDocument.read(Array(text.utf8), options: options).first)
    }

    private func household() async throws -> (home: TestHousehold, caller: Caller) {
        let home = try await TestHousehold(zone: "Europe/Zurich", clock: TestClock("2027-03-01"))
        var caller = home.owner
        caller.source = .import
        return (home, caller)
    }

    @Test("A practice is imported with its past, and what is ahead is booked unless it overlaps")
    func whole() async throws {
        let (home, caller) = try await household()
        let journal = home.journal
        let document = try read(in: journal)
        let before = try home.head
        let trial = try await journal.practices.take(document, isTrial: true, caller)
        #expect(try home.head == before && trial.position == nil)
        #expect(trial.added == .init(specialists: 2, clients: 1, patients: 3, appointments: 4, assessments: 1))

        let report = try await journal.practices.take(document, caller)
        #expect(
            report.isNew
                && report.added == .init(specialists: 2, clients: 1, patients: 3, appointments: 3, assessments: 1)
        )
        #expect(report.refused.map(\.path) == ["practices[0].appointments[3]"])
        #expect(report.refused.first?.message.contains("not free") == true)
        #expect(
            Set(report.unrepresented) == [
                "practices[0].theme", "practices[0].createdAt", "practices[0].updatedAt",
                "practices[0].specialists[0].caseLoadPreferences", "practices[0].patients[0].caseComplexity",
                "practices[0].patients[0].medicalHistory.medications[0].dose",
                "practices[0].patients[0].medicalHistory.vaccinations[0].date",
                "practices[0].patients[0].medicalHistory.surgicalHistory[0].date",
                "practices[0].patients[1].gender", "practices[0].appointments[0].actualDuration",
                "practices[0].appointments[2].status", "practices[0].triageAssessments[0].caseComplexityScore",
            ]
        )

        let answer = try await journal.practices.practice(Self.practice, caller)
        #expect(answer.roles == [.manager])
        #expect(answer.practice.profile.zone == "Europe/Zurich")
        #expect(answer.practice.timetables.values.count == 1)
        let specialists = try await journal.practices.specialists(of: Self.practice, caller)
        #expect(specialists.map(\.profile.name) == ["Ada Roth", "Ben Meier"])
        #expect(specialists.map { $0.endedFrom == nil } == [true, false])
        let patients = try await journal.patients.list(of: Self.practice, caller)
        #expect(patients.map(\.patient.name) == ["Luna", "Stray"])
        let all = try await journal.patients.list(of: Self.practice, includesFormer: true, caller)
        #expect(all.map(\.patient.name) == ["Luna", "Momo", "Stray"])
        #expect(all.map { $0.document.endedAt == nil } == [true, false, true])
        #expect(patients.first?.registration.profile.clients == [Self.id("04")])

        // The record has its history and the vital signs; the practice keeps it.
        let vet = try await home.account("Vera")
        let member = MemberCommand.grant(account: vet.account, Membership(roles: [.veterinarian]))
        _ = try await journal.practices.changeMembers(of: Self.practice, member, caller)
        let luna = try await journal.records.read(Self.id("05"), ReadOptions(), vet).state
        let kinds = Dictionary(grouping: luna.entries, by: \.kind).mapValues(\.count)
        #expect(
            kinds[Illness.kind] == 1 && kinds[Drug.kind] == 1 && kinds[Vaccination.kind] == 1
                && kinds[Surgery.kind] == 1
        )
        #expect(kinds[MeasuredValue.kind] == 4)
        #expect(kinds[Weight.kind] == 1)
        #expect(luna.owners == [Self.practice])
        #expect(luna.profile.extra.map(\.name) == ["caseComplexity", "$vetnet.kept"])
        let drug = try #require(luna.entries.first { $0.kind == Drug.kind })
        #expect(drug.content.extra.map(\.name) == ["dose"])
        // Ids are in plaintext: no guess of what an entry says may be compared with them.
        let illness = try #require(luna.entries.first { $0.kind == Illness.kind })
        #expect(illness.id != UUID(nameBased: Self.id("05"), "\(Illness.kind.name)\n\"arthritis\""))

        let visits = try await journal.appointments.list(of: Self.id("05"), vet)
        #expect(visits.map(\.state.status) == [.completed, .scheduled])
        #expect(visits[0].state.notes.map(\.text) == ["owner asks about food"])
        #expect(visits[1].state.id == Self.id("0A"))
        let triages = try await journal.triage.triages(of: Self.id("05"), vet)
        #expect(triages.map(\.state.level) == [.orange])
        #expect(triages.first?.state.status == .taken)
        #expect(triages.first?.state.assessment?.assessment.rulesLabel == "VetNet")
        #expect(try await journal.triage.triageBoard(of: Self.practice, vet).isEmpty)

        // A second import appends nothing, except that it tries again what did not fit.
        let head = try home.head
        let again = try await journal.practices.take(document, caller)
        #expect(again.added == .init())
        #expect(again.position == nil)
        #expect(again.refused.count == 1)
        let written = try home.events(after: head).filter { !($0.event.data is RecordRead) }
        #expect(written.isEmpty, "\(written.map(\.event.type.name))")
        _ = try await journal.appointments.changeAppointment(Self.id("0A"), caller) { _ in .cancel(code: "") }
        #expect(try await journal.practices.take(document, caller).added.appointments == 1)
    }

    @Test("What is nested and listed again is imported once, and an id stands for one thing")
    func repeated() async throws {
        let (home, caller) = try await household()
        let journal = home.journal
        let visit = try #require(
            VetNetTexts.whole.firstMatch(of: /\{"id": "6F9619FF-8B86-4D01-B42D-00CF4FC96409"(?s:.*?)\}/)?.output
        )
        let nested = VetNetTexts.whole.replacing(
            #""owner": {"ownerID": "6F9619FF-8B86-4D01-B42D-00CF4FC96404"}"#,
            with: #""ownerID": "6F9619FF-8B86-4D01-B42D-00CF4FC96404", "appointments": [\#(visit)]"#
        )
        #expect(try read(nested, in: journal).appointments.count == 4)
        let doubled = VetNetTexts.whole.replacing("CF4FC96403\", \"name\"", with: "CF4FC96404\", \"name\"")
        let other = nested.replacing(#""status": "no_show""#, with: #""status": "cancelled""#, maxReplacements: 1)
        for (text, field) in [
            (doubled, "practices[0].owners[0]"), (other, "practices[0].appointments[1]"),
        ] {
            do {
                _ = try read(text, in: journal)
                Issue.record("\(field) was read")
            } catch let error as ModelError {
                #expect(error.code == .conflict, "\(error)")
                #expect(error.field == field, "\(error)")
            }
        }
        // What still takes time at the import must fit as well, but for the minutes that a form may take.
        try home.clock.set("2027-03-02T09:20:00Z")
        let report = try await journal.practices.take(try read(in: journal), caller)
        #expect(report.refused.map(\.path) == ["practices[0].appointments[2]"])
        // The practice has its zone already.
        var moved = try read(in: journal)
        try moved.profile.set("zone", text: "America/New_York")
        let document = moved
        #expect(await refusal { _ = try await journal.practices.take(document, caller) }?.field == "timeZone")
    }

    @Test("What was erased since an import stays erased when the document is imported again")
    func erased() async throws {
        let (home, caller) = try await household()
        let journal = home.journal
        let document = try read(in: journal)
        let first = try await journal.practices.take(document, caller)
        var eraser = caller
        eraser.reason = "wishes it"
        _ = try await journal.clients.eraseClient(Self.id("04"), in: Self.practice, eraser)
        _ = try await journal.erasure.eraseRecord(Self.id("05"), eraser)
        let again = try await journal.practices.take(document, caller)
        // The time of the erased patient's appointment is free for the one that did not fit.
        #expect(again.added == .init(appointments: 1))
        #expect(again.refused.isEmpty)
        let added = first.added
        let count = added.specialists + added.clients + added.patients + added.appointments + added.assessments
        // The practice, and each of its parts.
        #expect(again.known == 1 + count)
        #expect(try await journal.clients.list(of: Self.practice, caller).isEmpty)
        #expect(try await journal.patients.list(of: Self.practice, caller).map(\.patient.name) == ["Stray"])
    }

    @Test("Days are exported as days, whatever the time zone")
    func days() async throws {
        let (home, _) = try await household()
        let text = VetNetTexts.whole.replacing("631148400", with: #""1998-02-28""#)
            .replacing("Europe/Zurich", with: "America/New_York")
        let document = try read(text, in: home.journal)
        #expect(document.patients[0].record.profile.values.day(RecordProfile.birthdate)?.description == "1998-02-28")
    }

    @Test("A document that cannot be is refused as a whole, with the path of what is wrong and no value")
    func refusals() async throws {
        let (home, caller) = try await household()
        let journal = home.journal
        let cases: [(from: String, to: String, field: String)] = [
            (#""status": "completed""#, #""status": "done""#, "practices[0].appointments[0].status"),
            (
                #""estimatedDuration": 1800, "actualDuration""#, #""estimatedDuration": 18, "actualDuration""#,
                "practices[0].appointments[0].estimatedDuration"
            ),
            (#""vtlUrgencyLevel": 2"#, #""vtlUrgencyLevel": 6"#, "practices[0].triageAssessments[0].vtlUrgencyLevel"),
            (#""timeZone": "Europe/Zurich""#, #""timeZone": """#, "practices[0].timeZone"),
            (#""latitude": 47.3769, "#, "", "practices[0].location"),
            (
                #""scheduledDateTime": "2026-03-02T09:00:00Z""#, #""scheduledDateTime": "soon""#,
                "practices[0].appointments[0].scheduledDateTime"
            ),
            (
                #""breathing": "compromised""#, #""breathing": "bad""#,
                "practices[0].triageAssessments[0].abcdeAssessment.breathing"
            ),
        ]
        for (from, to, field) in cases {
            let text = VetNetTexts.whole.replacing(from, with: to, maxReplacements: 1)
            #expect(text != VetNetTexts.whole, "\(from)")
            do {
                _ = try read(text, in: journal)
                Issue.record("\(to) was read")
            } catch let error as ModelError {
                #expect(error.field == field, "\(to): \(error)")
            }
        }
        let head = try home.head
        var document = try read(in: journal)
        document.appointments[0].patient = UUID()
        let refused = await refusal { _ = try await journal.practices.take(document, caller) }
        #expect(refused?.code == .notFound && refused?.field == "practices[0].appointments[0].patientId")
        #expect(try home.head == head)
        // Another person's practice is not changed.
        _ = try await journal.practices.take(try read(in: journal), caller)
        let stranger = try await home.account("Stranger")
        let taken = await refusal { _ = try await journal.practices.take(try read(in: journal), stranger) }
        #expect(taken?.code == .refused)
    }
}
