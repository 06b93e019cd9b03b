import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing
import TriageQueue

@testable import JournalClinic
@testable import JournalCore

@Suite("Triage at a practice")
struct TriageTests {
    /// A practice whose veterinarian has adopted the built-in rules.
    private func clinic(dogs: Int = 3, adopts: Bool = true) async throws -> TestPractice {
        let clinic = try await TestPractice(dogs: dogs)
        if adopts { _ = try await adopt(.version1, clinic) }
        try await clinic.grantRecords()
        return clinic
    }

    private func adopt(_ rules: TriageRules, _ clinic: TestPractice) async throws -> WriteResult {
        let caller = try clinic.caller(.veterinarian)
        return try await clinic.journal.triage.adoptTriageRules(rules, by: "Dr. Ada Roth", in: clinic.practice, caller)
    }

    private func begin(
        _ clinic: TestPractice,
        _ dog: Int = 0,
        as role: ClinicRole = .receptionist,
        redNow: Bool = false
    ) async throws -> UUID {
        var request = TriageRequest(practice: clinic.practice, record: clinic.dogs[dog])
        request.complaint = "vomits"
        request.isRedNow = redNow
        return try #require(try await clinic.journal.triage.beginTriage(request, clinic.caller(role)).entry)
    }

    @discardableResult
    private func change(
        _ triage: UUID,
        _ change: TriageChange,
        _ clinic: TestPractice,
        as role: ClinicRole = .nurse,
        reason: String = ""
    ) async throws -> WriteResult {
        var caller = try clinic.caller(role)
        caller.reason = reason
        return try await clinic.journal.triage.changeTriage(triage, change, caller)
    }

    private func findings(_ values: [(String, String)], signs: [TriageSign] = []) throws -> TriageFindings {
        var findings: TriageFindings = try TestPractice.profile(values)
        findings.signsFound = signs
        return findings
    }

    private static let normal = ["airway", "breathing", "circulation", "disability"].map { ($0, "normal") }

    @Test("No vital signs and A to D normal are green, with what is missing; B not assessed is yellow")
    func levels() async throws {
        let clinic = try await clinic()
        let triage = try await begin(clinic)
        #expect(try clinic.journal.triage.state(of: triage).state.level == .yellow)
        try await change(triage, .assess(findings(Self.normal)), clinic)
        let green = try await clinic.journal.triage.find(triage, clinic.caller(.nurse))
        #expect(green.state.level == .green)
        #expect(green.document.missing.contains("heart rate"))
        #expect(green.document.missing.contains("species"))
        try await change(triage, .assess(findings(Self.normal.filter { $0.0 != "breathing" })), clinic)
        let yellow = try await clinic.journal.triage.find(triage, clinic.caller(.nurse))
        #expect(yellow.state.level == .yellow)
        #expect(yellow.document.reasons.contains("breathing was not assessed: not assessed is not normal"))
    }

    @Test("\"Red now\" is one request, by a receptionist too, also before any rules were adopted")
    func redNow() async throws {
        let clinic = try await clinic(adopts: false)
        let triage = try await begin(clinic, redNow: true)
        #expect(try clinic.journal.triage.state(of: triage).state.level == .red)
        let refused = await refusal { _ = try await change(triage, .assess(findings(Self.normal)), clinic) }
        #expect(refused?.code == .conflict)
        #expect(refused?.field == "rules")
        let other = try await begin(clinic, 1)
        try await change(other, .assess(.redNow), clinic, as: .receptionist)
        #expect(try clinic.journal.triage.state(of: other).state.level == .red)
    }

    @Test("The vital signs go into the record in the same append, each as an entry")
    func measurements() async throws {
        let clinic = try await clinic()
        let triage = try await begin(clinic)
        let before = try clinic.home.head
        let values = [
            ("temperature", "39.4"), ("heartRate", "130"), ("bloodPressure.systolic", "120"),
            ("bloodPressure.diastolic", "80"), ("weight", "31.5"), ("mucousMembrane", "pale"),
        ]
        let result = try await change(triage, .assess(findings(Self.normal + values)), clinic)
        let events = try clinic.home.events(after: before)
        let added = Array(repeating: "entry.added", count: 5)
        #expect(events.map(\.type.name) == ["access.read", "triage.assessed"] + added)
        #expect(events.last?.stamp.position == result.position)
        let record = try await clinic.journal.records.read(clinic.dogs[0], ReadOptions(), clinic.client)
        let shown = record.state.entries.map { entry in
            let body = entry.content.body
            guard entry.kind == MeasuredValue.kind else {
                return "weight \(body.decimal(Weight.value)?.description ?? "")"
            }
            return "\(body.text(MeasuredValue.name) ?? "") \(body.text(MeasuredValue.value) ?? "")"
        }
        #expect(
            Set(shown) == [
                "Body temperature 39.4", "Heart rate 130", "Blood pressure 120/80",
                "Mucous membranes pale", "weight 31.5",
            ]
        )
    }

    @Test("Without a grant, triage uses nothing of the record but the species, and adds nothing to it")
    func withoutGrant() async throws {
        let clinic = try await TestPractice()
        _ = try await adopt(.version1, clinic)
        let (journal, dog, owner) = (clinic.journal, clinic.dogs[0], clinic.client)
        _ = try await journal.records.changeRecord(dog, owner) { profile throws(ModelError) in
            try profile.set("species", text: "dog")
            try profile.set("birthdate", text: "2012-03-01")
        }
        let entries = [
            try entry("weight", ["value": "31.7", "unit": "kg"]), try entry("illness", ["name": "epilepsy"]),
            try entry("allergy", ["name": "penicillin"]), try entry("drug", ["name": "phenobarbital"]),
            try entry("surgery", ["name": "splenectomy", "date": "2027-02-06"]),
        ]
        for content in entries { _ = try await journal.entries.addEntry(content, to: dog, owner) }
        let triage = try await begin(clinic)
        let findings = try findings(Self.normal + [("heartRate", "175"), ("weight", "3.5")])
        func assess() async throws -> PatientFacts {
            try await change(triage, .assess(findings), clinic)
            let shown = try await journal.triage.find(triage, clinic.caller(.nurse))
            return try #require(shown.state.assessment?.assessment.patient)
        }
        func count() async throws -> Int {
            try await journal.records.read(dog, ReadOptions(), owner).state.entries.count
        }
        var facts = try await assess()
        #expect(facts.species == .dog)
        #expect(facts.age == nil)
        #expect(facts.weight == nil)
        #expect(facts.history.isEmpty)
        #expect(try await count() == entries.count)
        let missing = try await journal.triage.find(triage, clinic.caller(.nurse)).document.missing
        #expect(missing.contains("age"))
        // With the owner's consent it does, and that is a read on the record's trail.
        try await clinic.grantRecords()
        let before = try clinic.home.head
        facts = try await assess()
        #expect(facts.age != nil)
        #expect(facts.weight != nil)
        #expect(facts.history.count == 4)
        #expect(try await count() == entries.count + 2)
        #expect(try clinic.home.events(after: before).first?.type == RecordRead.type)
        // Without it, not any more; and a closed record stays as it is.
        _ = try await journal.sharing.revoke(clinic.practice, on: dog, owner)
        facts = try await assess()
        #expect(facts.age == nil)
        #expect(facts.weight == nil)
        #expect(facts.history.isEmpty)
        #expect(try await count() == entries.count + 2)
        try await clinic.grantRecords()
        _ = try await journal.records.closeRecord(dog, owner)
        let closed = await refusal { _ = try await assess() }
        #expect(closed?.code == .conflict)
        let begun = await refusal { _ = try await begin(clinic) }
        #expect(begun?.code == .conflict)
        #expect(try await count() == entries.count + 2)
    }

    @Test("The board is in the order of urgency, then of the due times, now and as of any moment")
    func board() async throws {
        let clinic = try await clinic(dogs: 4)
        let clock = clinic.home.clock
        var triages: [UUID] = []
        for dog in 0..<4 {
            try clock.set("2027-03-01T13:0\(dog):00Z")
            triages.append(try await begin(clinic, dog))
        }
        let early = try clinic.home.head
        try await change(triages[0], .assess(findings(Self.normal)), clinic)
        try await change(triages[2], .assess(findings(Self.normal, signs: [.labouredBreathing])), clinic)
        try await change(triages[3], .assess(.redNow), clinic)
        let middle = try clinic.home.head
        try await change(triages[3], .take(specialist: clinic.ada), clinic, as: .veterinarian)
        try await change(triages[1], .leave(.withoutBeingSeen), clinic, as: .receptionist)
        let (journal, nurse) = (clinic.journal, try clinic.caller(.nurse))
        func board(_ moment: AsOf?) async throws -> [UUID] {
            try await journal.triage.triageBoard(of: clinic.practice, asOf: moment, nurse).map(\.state.id)
        }
        #expect(try await board(nil) == [triages[2], triages[0]])
        #expect(try await board(.position(early)) == triages)
        #expect(try await board(.position(middle)) == [triages[3], triages[2], triages[1], triages[0]])
        // An overdue green never passes an orange.
        try clock.set("2027-03-01T19:00:00Z")
        let late = try await journal.triage.triageBoard(of: clinic.practice, nurse).map(\.document)
        #expect(late.map(\.id) == [triages[2], triages[0]])
        #expect(late.allSatisfy { $0.isOverdue })
    }

    @Test("A nurse may lower a level by one step, but not from red; each change needs a reason")
    func overrides() async throws {
        let clinic = try await clinic()
        let triage = try await begin(clinic)
        try await change(triage, .assess(findings(Self.normal)), clinic)
        let reason = "plays and eats in the waiting room"
        func error(_ level: UrgencyLevel, as role: ClinicRole, _ why: String) async -> JournalError? {
            await refusal { _ = try await change(triage, .override(level), clinic, as: role, reason: why) }
        }
        #expect(await error(.blue, as: .nurse, "short")?.field == "reason")
        #expect(await error(.blue, as: .receptionist, reason)?.code == .refused)
        #expect(await error(.blue, as: .nurse, reason) == nil)
        #expect(await error(.red, as: .nurse, "does not breathe well any more") == nil)
        let before = try clinic.home.head
        #expect(await error(.yellow, as: .nurse, reason)?.code == .refused)
        #expect(try clinic.home.events(after: before).map(\.type.name) == ["access.denied"])
        #expect(await error(.yellow, as: .veterinarian, reason) == nil)
        let state = try clinic.journal.triage.state(of: triage).state
        #expect(state.level == .yellow)
        #expect(state.assessment?.assessment.level == .green)
        #expect(state.override?.reason == reason)
    }

    @Test("A past assessment is explained by the rules of then, also after others were adopted")
    func explained() async throws {
        let clinic = try await clinic()
        let triage = try await begin(clinic)
        try await change(triage, .assess(findings(Self.normal + [("pain", "3")])), clinic)
        var own = TriageRules.version1
        (own.name, own.version) = ("clinic", "2")
        own.thresholds.append(ThresholdRule(.pain, .atLeast(try ExactDecimal(parsing: "3")), .red))
        _ = try await adopt(TriageRules(parsing: own.text), clinic)
        let (journal, vet) = (clinic.journal, try clinic.caller(.veterinarian))
        let then = try await journal.triage.explainTriage(triage, vet)
        #expect(then.isSame)
        #expect(then.computed.level == .yellow)
        #expect(then.computed.rulesLabel == "hj-triage/1")
        let before = try clinic.home.head
        let now = try await journal.triage.explainTriage(triage, rules: "clinic/2", vet)
        #expect(!now.isSame)
        #expect(now.computed.level == .red)
        #expect(try clinic.home.events(after: before).map(\.type.name) == ["access.read"])
        try await change(triage, .assess(findings(Self.normal + [("pain", "3")])), clinic)
        #expect(try clinic.journal.triage.state(of: triage).state.level == .red)
        // The label of a set cannot be given to other rules, and only a veterinarian adopts.
        own.notAssessedLevel = .orange
        let conflict = try TriageRules(parsing: own.text)
        #expect(await refusal { _ = try await adopt(conflict, clinic) }?.field == "rules")
        let nurse = try clinic.caller(.nurse)
        let refused = await refusal {
            _ = try await journal.triage.adoptTriageRules(.version1, by: "Nora", in: clinic.practice, nurse)
        }
        #expect(refused?.code == .refused)
    }

    @Test("A receptionist sees level and waiting time, a client the reasons, those who treat everything")
    func details() async throws {
        let clinic = try await clinic()
        try clinic.home.clock.set("2027-03-01T09:00:00Z")
        let triage = try await begin(clinic)
        try await change(triage, .assess(findings(Self.normal, signs: [.bloodyStool])), clinic)
        let journal = clinic.journal
        let reception = try await journal.triage.find(triage, clinic.caller(.receptionist)).document
        #expect(reception.level == .yellow)
        #expect(reception.reasons.isEmpty)
        #expect(reception.assessment == nil)
        let client = try await journal.triage.triages(of: clinic.dogs[0], clinic.client).map(\.document)
        #expect(client.first?.reasons == ["sign: bloody stool"])
        #expect(client.first?.assessment == nil)
        let nurse = try await journal.triage.find(triage, clinic.caller(.nurse)).document
        #expect(nurse.assessment?.ranking.ranked.count == 2)
        let manager = await refusal { _ = try await journal.triage.find(triage, clinic.caller(.manager)) }
        #expect(manager?.code == .refused)
        let stranger = try await clinic.home.account("Stranger")
        #expect(await refusal { _ = try await journal.triage.find(triage, stranger) }?.code == .refused)
    }

    @Test("Each look at a patient of the board is in its record's audit trail before the answer")
    func traced() async throws {
        let clinic = try await clinic(dogs: 3)
        for dog in 0..<3 { _ = try await begin(clinic, dog) }
        let before = try clinic.home.head
        _ = try await clinic.journal.triage.triageBoard(of: clinic.practice, clinic.caller(.nurse))
        let events = try clinic.home.events(after: before)
        #expect(events.map(\.type.name) == Array(repeating: "access.read", count: 3))
        #expect(Set(events.map(\.subject)) == Set(clinic.dogs))
        #expect(events.allSatisfy { $0.event.access?.action == .triage })
    }

    @Test("The statistics count what was taken in time, and what a veterinarian said afterwards")
    func statistics() async throws {
        let clinic = try await clinic(dogs: 2)
        let clock = clinic.home.clock
        try clock.set("2027-03-01T13:00:00Z")
        let first = try await begin(clinic, 0)
        let second = try await begin(clinic, 1)
        for triage in [first, second] {
            try await change(triage, .assess(findings(Self.normal, signs: [.labouredBreathing])), clinic)
        }
        try clock.set("2027-03-01T13:10:00Z")
        try await change(first, .take(specialist: nil), clinic)
        try clock.set("2027-03-01T13:40:00Z")
        try await change(second, .take(specialist: nil), clinic)
        try await change(first, .judge(.red), clinic, as: .veterinarian)
        try await change(second, .judge(.green), clinic, as: .veterinarian)
        let day = try Day(parsing: "2027-03-01")
        let found = try await clinic.journal.triage.triageStatistics(
            of: clinic.practice,
            days: day...day,
            clinic.caller(.manager)
        )
        let orange = try #require(found.levels.first { $0.level == .orange })
        let counts = [orange.patients, orange.taken, orange.inTime, orange.left]
        #expect(counts == [2, 2, 1, 0])
        #expect(orange.longestWait == 39)
        #expect(found.judged == 2)
        #expect(found.underTriaged == 1)
        #expect(found.overTriaged == 1)
    }

    @Test("What each role may do in triage", arguments: TriageAction.allCases)
    func roles(_ action: TriageAction) {
        let may: [TriageAction: Set<ClinicRole>] = [
            .begin: [.veterinarian, .nurse, .receptionist], .leave: [.veterinarian, .nurse, .receptionist],
            .see: [.veterinarian, .nurse, .receptionist], .assess: [.veterinarian, .nurse],
            .override: [.veterinarian, .nurse], .take: [.veterinarian, .nurse], .judge: [.veterinarian],
            .retract: [.veterinarian], .adoptRules: [.veterinarian], .seeStatistics: [.veterinarian, .manager],
        ]
        let caller = Caller(account: UUID(), name: "Somebody", kind: .person, source: .system)
        for role in ClinicRole.allCases {
            let why = Gate.refusal(of: .triage(action), by: caller, roles: [role], isClient: false)
            #expect((why == nil) == (may[action]?.contains(role) == true), "\(action) \(role)")
        }
        #expect(Gate.refusal(of: .triage(action), by: caller, roles: [], isClient: false) != nil)
        let client = Gate.refusal(of: .triage(action), by: caller, roles: [], isClient: true)
        #expect((client == nil) == (action == .see))
    }

    @Test("An erased animal is on no board, and the views have no row of it")
    func erased() async throws {
        let clinic = try await clinic(dogs: 2)
        let triage = try await begin(clinic, 0)
        _ = try await begin(clinic, 1)
        var owner = clinic.client
        owner.reason = "moved away"
        _ = try await clinic.journal.erasure.eraseRecord(clinic.dogs[0], owner)
        let board = try await clinic.journal.triage.triageBoard(of: clinic.practice, clinic.caller(.nurse))
        #expect(board.map(\.state.record) == [clinic.dogs[1]])
        #expect(try !clinic.journal.triageQueue.hasRows(of: clinic.dogs[0]))
        let gone = await refusal { _ = try await clinic.journal.triage.find(triage, clinic.caller(.nurse)) }
        #expect(gone?.code == .notFound)
    }
}
