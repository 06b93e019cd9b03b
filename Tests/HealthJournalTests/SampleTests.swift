import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import HealthJournal
@testable import JournalCore

/// The sample household and the sample practice, read as those do who try the journal.
@Suite("The sample")
struct SampleTests {
    /// A moment in a time zone, at which the sample is added.
    struct Occasion: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let zone: String
        let moment: String

        init(_ description: String, _ zone: String, _ moment: String) {
            (testDescription, self.zone, self.moment) = (description, zone, moment)
        }

        static let all = [
            Occasion("an ordinary morning", "Europe/Zurich", "2026-11-30T08:40:00Z"),
            Occasion("an evening", "America/New_York", "2026-07-09T00:15:30Z"),
            Occasion("before clocks are set forward", "Europe/Zurich", "2027-03-28T00:50:00Z"),
            Occasion("after clocks were set forward", "Europe/Zurich", "2027-03-28T07:10:00Z"),
            Occasion("before clocks are set back", "Europe/Zurich", "2027-10-31T00:40:00Z"),
            Occasion("in the hour that comes twice", "Europe/Zurich", "2027-10-31T01:20:00Z"),
            Occasion("a leap day", "Europe/Zurich", "2028-02-29T11:00:00Z"),
            Occasion("two minutes before a year begins", "Pacific/Auckland", "2026-12-31T10:58:00Z"),
            Occasion("a minute after a year began", "Pacific/Auckland", "2026-12-31T11:01:00Z"),
        ]

        func household() async throws -> TestHousehold {
            let clock = try TestClock()
            try clock.set(moment)
            return try await TestHousehold(zone: zone, clock: clock)
        }
    }

    private static func household(of home: TestHousehold) async throws -> (ada: UUID, theo: UUID, dog: UUID) {
        let added = try await home.journal.samples.addHousehold(home.owner)
        try #require(added.records.count == 3)
        return (added.records[0], added.records[1], added.records[2])
    }

    @Test("The household has plans with doses, values, findings and caregivers at any time", arguments: Occasion.all)
    func household(_ occasion: Occasion) async throws {
        let home = try await occasion.household()
        let (ada, theo, dog) = try await Self.household(of: home)
        let records = try await home.journal.records.listRecords(home.owner)
        #expect(records.map(\.displayName) == ["Ada Winter", "Theo Winter", "Biscuit"])
        try await expectPast(of: [ada, theo, dog], home)
        try await expectValues(of: ada, home)
        try await expectDoses(of: ada, home)
        try await expectSharing(of: ada, home)

        let other = try await home.state(theo)
        #expect(other.entries.count { $0.kind == Meal.kind } == 1)
        let needed = try await home.journal.care.today(of: theo, CareQuestion(), home.owner).plans
        #expect(needed.compactMap(\.allowance?.left) == [1])

        let days = home.journal.today...home.journal.today.adding(days: 3)
        let ahead = CareQuestion(from: days.lowerBound, to: days.upperBound)
        let monthly = try await home.journal.care.due(of: dog, ahead, home.owner).plans.flatMap(\.day.slots)
        #expect(monthly.map(\.state) == [.later])
        let animal = try await home.state(dog)
        #expect(animal.entries.count { $0.kind == Weight.kind } == 36)
        #expect(animal.entries.contains { $0.kind == Vaccination.kind })

        let unwell = try await home.journal.maintenance.examine(home.owner).filter { !$0.isOK }.map(\.what)
        #expect(unwell.allSatisfy { $0 == "clock" || $0 == "disk" })
    }

    /// Expects that nothing happened after the moment at which it was recorded, and that all of it was recorded then.
    private func expectPast(of records: [UUID], _ home: TestHousehold) async throws {
        let now = home.journal.now
        for record in records {
            for entry in try await home.state(record).entries {
                if let moment = entry.content.instant {
                    #expect(moment <= now, "\(entry.kind.name)")
                } else if let days = entry.content.happened {
                    #expect(days.lowerBound <= home.journal.today, "\(entry.kind.name)")
                }
                #expect(entry.added.recordedAt <= now && entry.added.recordedAt >= now.adding(minutes: -5))
            }
        }
    }

    private func expectValues(of ada: UUID, _ home: TestHousehold) async throws {
        let entries = try await home.state(ada).entries
        let today = home.journal.today
        for (name, unit) in [("HbA1c", "%"), ("LDL cholesterol", "mmol/L")] {
            let values = entries.filter { $0.content.body.text(Blood.name) == name && $0.kind == Blood.kind }
            #expect(values.allSatisfy { $0.content.body.text(Blood.unit) == unit })
            let days = values.compactMap { $0.content.happened?.lowerBound }
            #expect(days.count >= 6)
            let first = try #require(days.min())
            #expect(first <= today.adding(years: -3), "\(name)")
        }
        let pressures = entries.filter { $0.content.body.text(MeasuredValue.name) == "Blood pressure" }
        #expect(pressures.count >= 15)
        for pressure in pressures {
            let parts = pressure.content.body.groups(MeasuredValue.parts)
            #expect(parts.map { $0.text(MeasuredValue.part) } == ["Systolic", "Diastolic"])
            #expect(parts.allSatisfy { $0.text(MeasuredValue.partUnit) == "mmHg" })
            let values = parts.compactMap { $0.text(MeasuredValue.partValue).flatMap { Int($0) } }
            #expect(values.count == 2 && values[0] > values[1])
        }
        let weights = entries.filter { $0.kind == Weight.kind }
        #expect(weights.count == 36)
        let latest = weights.compactMap(\.content.instant).max()
        let corrected = weights.first { $0.content.instant == latest }
        #expect(corrected?.content.body.decimal(Weight.value)?.description == "68.3")
        let years = Set(entries.filter { $0.kind == Cost.kind }.compactMap { $0.content.body.integer(Cost.year) })
        #expect(years.count >= 3)
        let vaccinations = entries.filter { $0.kind == Vaccination.kind }.compactMap { $0.content.happened?.lowerBound }
        #expect(vaccinations.contains { $0 > today.adding(days: -90) })
        for kind in [Allergy.kind, Illness.kind, Surgery.kind, Doctor.kind, EmergencyContact.kind] {
            #expect(entries.contains { $0.kind == kind }, "\(kind.name)")
        }
    }

    private func expectDoses(of ada: UUID, _ home: TestHousehold) async throws {
        let care = home.journal.care
        let answer = try await care.today(of: ada, CareQuestion(), includesStock: true, home.owner)
        #expect(answer.plans.count == 8)
        // An injection is overdue whatever the time is.
        #expect(answer.plans.flatMap(\.day.slots).contains { $0.state == .overdue })
        #expect(answer.plans.compactMap(\.allowance?.left).count == 1)
        let low = answer.stocks.filter { $0.refillBy.map { $0 <= answer.from } ?? false }
        #expect(low.map(\.plan.name) == ["Metformin"])

        let question = CareQuestion(from: answer.from.adding(days: -14), to: answer.from)
        let weeks = try await care.due(of: ada, question, home.owner)
        let total = weeks.adherence(by: .plan).total
        #expect(total.taken > 70 && total.skipped >= 5 && total.unplanned == 0 && total.asNeeded >= 3)
        // A dose that is not logged was due before the plan was recorded.
        #expect(total.missed == 0 && total.beforeKept == 2)
        let slots = weeks.plans.flatMap(\.day.slots)
        #expect(slots.contains { $0.dose?.reason == .unwell } && slots.contains { $0.dose?.reason == .forgot })
        #expect(weeks.plans.allSatisfy { $0.warnings.isEmpty })
        let minutes = Set(
            slots.compactMap { slot in slot.dose.map { ($0.at.microseconds - slot.due.due.microseconds) / 60_000_000 } }
        )
        #expect(minutes.count > 5)
        let taper = weeks.plans.first { $0.plan.name == "Prednisone" }?.day.slots.compactMap(\.dose?.amount)
        #expect(taper?.map(\.description) == ["4", "4", "4", "4", "4", "3", "3", "3"])

        let findings = try await home.journal.interactionChecks.findings(of: ada, isOpen: true, home.owner)
        #expect(findings.contains { $0.rule == "nsaid-corticosteroid" })
        #expect(findings.contains { $0.rule == "potassium-raising" && $0.severity == .high })
    }

    private func expectSharing(of ada: UUID, _ home: TestHousehold) async throws {
        let grants = try await home.journal.sharing.grants(of: ada, home.owner)
        let open = grants.filter { $0.isOpen(on: home.journal.today) }
        #expect(open.map(\.terms.sections) == [[.myhealth]])
        #expect(grants.count { $0.revoked != nil } == 1)
        let anna = try home.journal.accounts.caller("anna", source: .commandLine)
        #expect(open.map(\.account) == [anna.account])
        let events = try home.events(after: 0)
        #expect(events.contains { $0.event.type == AccessDenied.type && $0.stamp.actor == anna.account })
        let doses = try await home.state(ada).entries.filter { $0.kind == Dose.kind }
        #expect(doses.count { $0.added.actor == anna.account } == 1)
        #expect(try home.journal.accounts.account(anna.account).password == nil)
    }

    @Test("The practice has appointments around now in different states, and a board", arguments: Occasion.all)
    func practice(_ occasion: Occasion) async throws {
        let home = try await occasion.household()
        let (journal, owner) = (home.journal, home.owner)
        let added = try await journal.samples.addPractice(owner)
        let practice = try #require(added.practice)
        let days = journal.today.adding(days: -1)...journal.today.adding(days: 1)
        let calendar = try await journal.appointments.calendar(of: practice, days: days, owner)
        #expect(
            calendar.appointments.map(\.state.status)
                == [.completed, .inProgress, .scheduled, .confirmed, .scheduled]
        )
        let arrived = calendar.appointments.filter { $0.state.arrived != nil && $0.state.status == .scheduled }
        #expect(arrived.map(\.patient?.name) == ["Biscuit"])
        #expect(calendar.appointments.allSatisfy { $0.problem == nil && !$0.isUnresolved })
        for appointment in calendar.appointments {
            let distance = appointment.state.details.start.microseconds - journal.now.microseconds
            #expect(distance.magnitude < 90 * 60_000_000)
        }
        #expect(calendar.specialists.count == 2 && calendar.practice.places.count == 2)
        #expect(calendar.practice.services.count == 3)
        #expect(try await journal.clients.waitingList(of: practice, owner).map(\.patient?.name) == ["Luna"])
        let board = try await journal.triage.triageBoard(of: practice, owner)
        #expect(Set(board.map(\.state.status)) == [.begun, .assessed])
        #expect(try await journal.triage.triageRules(of: practice, owner).current != nil)
        // The other patients are in the practice, and not among the records of the household.
        #expect(try await journal.records.listRecords(owner).map(\.id) == added.records)

        let head = try home.head
        #expect(try await journal.samples.addPractice(owner).isChanged == false)
        #expect(try home.head == head)
    }

    @Test("Adding the sample again adds nothing, also on another day, and the practice can be added later")
    func again() async throws {
        let home = try await Occasion.all[0].household()
        let first = try await home.journal.samples.addHousehold(home.owner)
        #expect(first.isChanged && first.practice == nil)
        try home.clock.set("2026-12-04T19:00:00Z")
        let head = try home.head
        let again = try await home.journal.samples.addHousehold(home.owner)
        #expect(!again.isChanged && again.records == first.records)
        #expect(try home.head == head)
        let practice = try await home.journal.samples.addPractice(home.owner)
        #expect(practice.isChanged && practice.practice != nil && practice.records == first.records)
        try home.clock.set("2026-12-05T19:00:00Z")
        let later = try home.head
        let last = try await home.journal.samples.addPractice(home.owner)
        #expect(!last.isChanged && last.practice == nil)
        #expect(try home.head == later)
    }

    @Test("The household follows from the journal's id and the moment", arguments: Occasion.all)
    func determined(_ occasion: Occasion) throws {
        let (journal, moment) = (UUID(), try Instant(parsing: occasion.moment))
        let one = try SampleHousehold(journal: journal, SampleClock(moment, zone: occasion.zone))
        let other = try SampleHousehold(journal: journal, SampleClock(moment, zone: occasion.zone))
        #expect(one.documents == other.documents)
        let ids = one.documents.flatMap(\.entries).map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test("A journal in use keeps its records and its rules, and an erased sample record stays erased")
    func inUse() async throws {
        let home = try await Occasion.all[0].household()
        let own = try await home.person("Anna")
        _ = try await home.add("drug", ["name": "Lisinopril"], to: own)
        let before = try await home.state(own)
        let (ada, _, dog) = try await Self.household(of: home)
        #expect(try home.journal.interactionChecks.loadedRules().isEmpty)
        #expect(try await home.state(own) == before)

        for record in [ada, dog] {
            _ = try await home.journal.erasure.eraseRecord(record, home.owner.giving(reason: "tried enough"))
        }
        let added = try await home.journal.samples.addPractice(home.owner)
        let practice = try #require(added.practice)
        let days = home.journal.today...home.journal.today
        let calendar = try await home.journal.appointments.calendar(of: practice, days: days, home.owner)
        #expect(calendar.appointments.count == 4)
        let names = try await home.journal.records.listRecords(home.owner).map(\.displayName)
        #expect(names.sorted() == ["Anna Winterthaler", "Theo Winter"])
    }

    @Test("Only who manages the journal may add the sample")
    func refused() async throws {
        let home = try await Occasion.all[0].household()
        let anna = try await home.account("anna")
        let error = await refusal { _ = try await home.journal.samples.addPractice(anna) }
        #expect(error?.code == .refused)
        #expect(try await home.journal.records.listRecords(home.owner).isEmpty)
    }
}
