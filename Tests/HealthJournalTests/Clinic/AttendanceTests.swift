import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalClinic
@testable import JournalCore

@Suite("Who is there: bookings, free times and rankings give one answer")
struct AttendanceTests {
    /// A practice with hours for emergencies in the night from Monday to Tuesday, whose veterinarian adopted the rules.
    private func clinic() async throws -> TestPractice {
        let clinic = try await TestPractice(dogs: 2)
        let timetable = Timetable(
            usual: try WeeklyHours(parsing: ["mon-fri 08:00-12:00,13:00-17:00"]),
            emergency: try WeeklyHours(parsing: ["mon 20:00-02:00"])
        )
        let start = try Day(parsing: "2027-02-01")
        _ = try await clinic.journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setTimetable(timetable, from: start)
        }
        let vet = try clinic.caller(.veterinarian)
        _ = try await clinic.journal.triage.adoptTriageRules(.version1, by: "Dr. Ada Roth", in: clinic.practice, vet)
        return clinic
    }

    private func own(_ lines: [String], _ specialist: UUID, _ clinic: TestPractice) async throws {
        let hours = try WeeklyHours(parsing: lines)
        let (practice, start) = (clinic.practice, try Day(parsing: "2027-02-01"))
        _ = try await clinic.journal.practices.changeSpecialist(specialist, in: practice, clinic.home.owner) { _ in
            .setHours(hours, practice: practice, from: start)
        }
    }

    /// Assesses a dog at a moment, and returns the ranking of the practice's specialists.
    private func ranking(
        _ moment: String,
        signs: [TriageSign],
        _ clinic: TestPractice
    ) async throws -> SpecialistRanking {
        try clinic.home.clock.set(moment)
        let request = TriageRequest(practice: clinic.practice, record: clinic.dogs[1])
        let nurse = try clinic.caller(.nurse)
        let triage = try #require(try await clinic.journal.triage.beginTriage(request, nurse).entry)
        let normal = ["airway", "breathing", "circulation", "disability"].map { ($0, "normal") }
        var findings: TriageFindings = try TestPractice.profile(normal)
        findings.signsFound = signs
        _ = try await clinic.journal.triage.changeTriage(triage, .assess(findings), nurse)
        let assessment = try clinic.journal.triage.state(of: triage).state.assessment
        _ = try await clinic.journal.triage.changeTriage(triage, .leave(.withoutBeingSeen), nurse)
        return try #require(assessment?.assessment.ranking)
    }

    private func isFreeNow(_ specialist: UUID, _ ranking: SpecialistRanking) -> Bool {
        ranking.ranked.first { $0.specialist == specialist }?.waitMinutes == 0
    }

    @Test("Nobody is free now while the practice is closed, and only those on duty are while it takes emergencies")
    func ranked() async throws {
        let clinic = try await clinic()
        try await own(["mon-fri 08:00-17:00"], clinic.ben, clinic)
        // Monday, 19:00 by the practice's clock: closed until 20:00.
        let closed = try await ranking("2027-03-01T18:00:00Z", signs: [.collapsed], clinic)
        #expect(!isFreeNow(clinic.ada, closed))
        #expect(!isFreeNow(clinic.ben, closed))
        #expect(closed.ranked.map(\.waitMinutes) == [60])
        // 21:00: emergencies alone. Ada has no hours of her own; Ben has, and is at home.
        let night = try await ranking("2027-03-01T20:00:00Z", signs: [.collapsed], clinic)
        #expect(isFreeNow(clinic.ada, night))
        #expect(night.leftOut.map(\.specialist) == [clinic.ben])
        let late = try await ranking("2027-03-02T02:00:00Z", signs: [.collapsed], clinic)
        #expect(late.ranked.isEmpty)
    }

    @Test("The load of a day is divided by the minutes in which the specialist is there")
    func load() async throws {
        let clinic = try await clinic()
        _ = try await clinic.book("2027-03-08T10:00")
        let ranking = try await ranking("2027-03-08T10:00:00Z", signs: [.minorWound], clinic)
        let ada = try #require(ranking.ranked.first { $0.specialist == clinic.ada })
        #expect(ada.lines.last?.because == "30 of 480 minutes of that day are booked")
    }

    @Test("A night emergency is offered at the times at which it can be booked, on the day on which it begins")
    func nightEmergency() async throws {
        let clinic = try await clinic()
        let desk = try clinic.caller(.receptionist)
        func walls(_ day: String, _ type: AppointmentType?) async throws -> [String] {
            let day = try Day(parsing: day)
            var asked = FreeSlotRequest(practice: clinic.practice, service: nil, days: day...day)
            (asked.minutes, asked.type, asked.specialist) = (60, type, clinic.ada)
            return try await clinic.journal.appointments.freeSlots(asked, desk).document.slots.map { "\($0.wall)" }
        }
        #expect(try await walls("2027-03-01", nil).last == "2027-03-01T16:00")
        #expect(try await walls("2027-03-01", .emergency).contains("2027-03-01T23:45"))
        let after = try await walls("2027-03-02", .emergency)
        let quarters = ["00:00", "00:15", "00:30", "00:45", "01:00"]
        #expect(after.prefix(5) == quarters.map { "2027-03-02T\($0)" }[...])
        _ = try await clinic.book("2027-03-02T00:30") {
            ($0.service, $0.type, $0.minutes) = (nil, .emergency, 60)
        }
        #expect(try await walls("2027-03-02", .emergency).first == "2027-03-02T08:00")
    }
}

@Suite("When a practice is open, what specialists like, and how an appointment was matched")
struct PracticeQuestionTests {
    @Test("A practice is open, open for emergencies alone, or closed until it opens; a specialty is listed and held")
    func operating() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, practice) = (clinic.journal, clinic.home.owner, clinic.practice)
        let timetable = Timetable(
            usual: try WeeklyHours(parsing: ["mon-fri 08:00-12:00"]),
            emergency: try WeeklyHours(parsing: ["mon 20:00-02:00"])
        )
        let start = try Day(parsing: "2027-01-01")
        _ = try await journal.practices.changePractice(practice, owner) { _ in .setTimetable(timetable, from: start) }
        let profile: PracticeProfile = try TestPractice.profile([
            ("name", "Two Rooms"), ("zone", "Europe/Zurich"), ("specialties.0.name", "Dentistry"),
        ])
        _ = try await journal.practices.changePractice(practice, owner) { _ in .change(profile) }
        func state(_ moment: String) async throws -> OperatingDocument {
            try await journal.practices.operating(
                of: practice,
                at: Instant(parsing: moment),
                specialty: "dentistry",
                clinic.client
            )
        }
        let open = try await state("2027-03-01T08:00:00Z")
        #expect(try open.state == .open && open.until == Instant(parsing: "2027-03-01T11:00:00Z"))
        #expect(open.json["operating"] == .bool(true))
        #expect(open.specialty?.answer == "notHeld")
        #expect(try await state("2027-03-01T20:00:00Z").state == .emergencyOnly)
        let closed = try await state("2027-03-02T02:00:00Z")
        #expect(try closed.state == .closed && closed.next == Instant(parsing: "2027-03-02T07:00:00Z"))
        let ada: SpecialistProfile = try TestPractice.profile([
            ("name", "Ada"), ("expertise.0.specialty", "Dentistry"), ("expertise.0.level", "basic"),
            ("licenseUntil", "2027-03-01"),
        ])
        _ = try await journal.practices.changeSpecialist(clinic.ada, in: practice, owner) { _ in .change(ada) }
        #expect(try await state("2027-03-01T08:00:00Z").specialty?.specialists == [clinic.ada])
        // The licence is over on the next day.
        #expect(try await state("2027-03-02T08:00:00Z").specialty?.answer == "notHeld")
        let other = try await journal.practices.operating(of: practice, specialty: "surgery", clinic.client)
        #expect(other.specialty?.answer == "notListed")
    }

    @Test("Preferences order equal times, and bind nothing")
    func preferences() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, practice) = (clinic.journal, clinic.home.owner, clinic.practice)
        let hours = try WeeklyHours(parsing: ["mon-fri 08:00-17:00"])
        let start = try Day(parsing: "2027-01-01")
        func set(_ specialist: UUID, _ preferences: [AvailabilityPreference]) async throws {
            _ = try await journal.practices.changeSpecialist(specialist, in: practice, owner) { _ in
                .setHours(hours, preferences, practice: practice, from: start)
            }
        }
        func first(_ day: String) async throws -> [UUID] {
            let day = try Day(parsing: day)
            let asked = FreeSlotRequest(practice: practice, service: clinic.checkUp, days: day...day)
            return try await journal.appointments.freeSlots(asked, clinic.caller(.receptionist)).slots.prefix(2)
                .map(\.specialist)
        }
        let service = clinic.checkUp
        try await set(
            clinic.ada,
            [.init(service: service, weight: 1), .init(service: service, weekday: .wednesday, weight: -2)]
        )
        try await set(clinic.ben, [])
        #expect(try await first("2027-03-02") == [clinic.ada, clinic.ben])
        #expect(try await first("2027-03-03") == [clinic.ben, clinic.ada])
        _ = try await clinic.book("2027-03-03T09:00")
        let wrong = await refusal { try await set(clinic.ada, [.init(service: service, weight: 3)]) }
        #expect(wrong?.field == "preferences")
        let twice = await refusal {
            try await set(clinic.ada, [.init(service: service, weight: 1), .init(service: service, weight: 2)])
        }
        #expect(twice?.field == "preferences")
    }

    @Test("An appointment keeps the triage from which it was booked, and its ranking, for those who treat")
    func match() async throws {
        let clinic = try await TestPractice()
        try clinic.home.clock.set("2027-03-01T09:00:00Z")
        let (journal, nurse) = (clinic.journal, try clinic.caller(.nurse))
        let vet = try clinic.caller(.veterinarian)
        _ = try await journal.triage.adoptTriageRules(.version1, by: "Dr. Ada Roth", in: clinic.practice, vet)
        let request = TriageRequest(practice: clinic.practice, record: clinic.dogs[0])
        let triage = try #require(try await journal.triage.beginTriage(request, nurse).entry)
        var findings = TriageFindings(values: FieldValues())
        findings.signsFound = [.lame]
        _ = try await journal.triage.changeTriage(triage, .assess(findings), nurse)
        let appointment = try await clinic.book("2027-03-02T09:00") { $0.assessment = triage }
        let shown = try await journal.appointments.appointment(appointment, nurse).document
        #expect(shown.details.assessment == triage)
        #expect(shown.details.match?.taken == clinic.ada)
        #expect(shown.details.match?.ranking.ranked.count == 2)
        #expect(shown.details.match?.rank != nil)
        let read = try AppointmentDocument(NativeObject(shown.json))
        #expect(read.details == shown.details)
        let desk = try await journal.appointments.appointment(appointment, clinic.caller(.receptionist)).document
        #expect(desk.details.assessment == triage)
        #expect(desk.details.match == nil)
        let client = try await journal.appointments.appointment(appointment, clinic.client).document
        #expect(client.details.assessment == nil)
        #expect(client.details.match == nil)
        _ = try await clinic.change(appointment, .reassign(specialist: clinic.ben, places: nil))
        #expect(try clinic.state(appointment).details.match?.taken == clinic.ben)
        // Of another animal.
        let other = await refusal { _ = try await clinic.book("2027-03-02T10:00", 1) { $0.assessment = triage } }
        #expect(other?.code == .notFound)
    }
}
