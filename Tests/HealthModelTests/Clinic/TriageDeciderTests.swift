import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("The life of a triage")
struct TriageDeciderTests {
    private static let now = Instant(microseconds: 1_800_000_000_000_000)
    private static let facts = PatientFacts(asOf: Day(of: now), species: .dog)

    private func findings(_ edit: (inout TriageFindings) throws -> Void = { _ in }) rethrows -> TriageFindings {
        var findings = TriageFindings(values: FieldValues())
        try edit(&findings)
        return findings
    }

    private func assessment(_ findings: TriageFindings) -> TriageAssessment {
        TriageAssessment(findings, of: Self.facts, asOf: 7, by: .version1, digest: String(repeating: "a", count: 64))
    }

    /// Folds events into a triage, each at a position and a minute of its own.
    private func given(_ events: JournalEvent...) -> TriageState? {
        var state: TriageState?
        for (index, event) in events.enumerated() {
            let stamp = Stamp(
                position: UInt64(index + 1),
                recordedAt: Self.now.adding(minutes: index),
                actor: Example.id(1)
            )
            evolve(
                &state,
                RecordedEvent(
                    stamp: stamp,
                    subject: Example.id(67),
                    stream: Example.id(90),
                    entry: Example.id(90),
                    event: event
                )
            )
        }
        return state
    }

    private static let begun = JournalEvent(TriageBegun(practice: Example.id(60), arrivedAt: now))

    @Test("A patient is yellow until it is assessed; then the computed level counts, until a person sets another one")
    func levels() throws {
        #expect(given(Self.begun)?.level == .yellow)
        let green = try assessment(normal())
        let assessed = given(Self.begun, JournalEvent(TriageAssessed(assessment: green)))
        #expect(assessed?.level == .green)
        #expect(assessed?.status == .assessed)
        let overridden = given(
            Self.begun,
            JournalEvent(TriageAssessed(assessment: green)),
            JournalEvent(TriageOverridden(level: .orange))
        )
        #expect(overridden?.level == .orange)
        #expect(overridden?.assessment?.assessment.level == .green)
    }

    @Test("A more urgent level that a person set survives the next assessment, a less urgent one does not")
    func overrideAndAssessment() throws {
        let green = JournalEvent(TriageAssessed(assessment: try assessment(normal())))
        let orange = JournalEvent(TriageOverridden(level: .orange))
        #expect(given(Self.begun, green, orange, green)?.level == .orange)
        let red = JournalEvent(TriageAssessed(assessment: assessment(.redNow)))
        #expect(given(Self.begun, green, JournalEvent(TriageOverridden(level: .blue)), red)?.level == .red)
    }

    @Test("\"Red now\" stays until a person sets a level")
    func immediate() throws {
        let red = given(Self.begun, JournalEvent(TriageAssessed(assessment: assessment(.redNow))))
        let next = try #require(red).keepingImmediate(try normal())
        #expect(next.signsFound == [.immediate])
        #expect(assessment(next).level == .red)
        let lowered = given(
            Self.begun,
            JournalEvent(TriageAssessed(assessment: assessment(.redNow))),
            JournalEvent(TriageOverridden(level: .yellow))
        )
        #expect(try #require(lowered).keepingImmediate(try normal()).signsFound.isEmpty)
    }

    @Test("Each command is possible from some statuses only; all else names both")
    func statuses() throws {
        let assessed = JournalEvent(TriageAssessed(assessment: try assessment(normal())))
        let states: [TriageState.Status: TriageState?] = [
            .begun: given(Self.begun), .assessed: given(Self.begun, assessed),
            .taken: given(Self.begun, JournalEvent(TriageTaken(specialist: nil))),
            .left: given(Self.begun, JournalEvent(TriageLeft(why: .transferred))),
            .retracted: given(Self.begun, JournalEvent(TriageRetracted())),
        ]
        let waiting: Set<TriageState.Status> = [.begun, .assessed]
        let commands: [(TriageCommand, Set<TriageState.Status>)] = [
            (.begin(TriageBegun(practice: Example.id(60), arrivedAt: Self.now)), []),
            (.assess(assessment(.redNow)), waiting), (.override(.red, by: [.veterinarian]), waiting),
            (.take(specialist: nil), waiting), (.leave(.died), waiting), (.judge(.blue), [.taken, .left]),
            (.retract, [.begun, .assessed, .taken, .left]),
        ]
        for (status, state) in states {
            #expect(state?.status == status)
            for (command, from) in commands {
                let error = Self.error { () throws(ModelError) in
                    try decide(command, state, reason: "as the table says", now: Self.now)
                }
                #expect((error == nil) == from.contains(status), "\(command.verb?.participle ?? "begun") \(status)")
                if let error { #expect(error.code == .conflict && error.message.contains(status.sentence)) }
            }
        }
    }

    @Test("An arrival is not in the future, and not more than a day ago")
    func arrivals() {
        func arriving(_ minutes: Int) -> ModelError? {
            let begun = TriageBegun(practice: Example.id(60), arrivedAt: Self.now.adding(minutes: minutes))
            return Self.error { () throws(ModelError) in try decide(.begin(begun), nil, now: Self.now) }
        }
        #expect(arriving(0) == nil)
        #expect(arriving(-1_440) == nil)
        #expect(arriving(1)?.field == "arrivedAt")
        #expect(arriving(-1_441)?.field == "arrivedAt")
    }

    @Test("An assessment is computed again from what is stored, to the byte; other rules give another result")
    func computedAgain() throws {
        let found = try findings { findings in
            for (name, text) in [
                ("airway", "normal"), ("breathing", "compromised"), ("circulation", "normal"), ("disability", "normal"),
                ("heartRate", "181"), ("fahrenheit", "104.95"), ("bloodPressure.systolic", "88"), ("weight", "31.5"),
                ("capillaryRefill", "2.1"), ("mucousMembrane", "pale"), ("consciousness", "voice"), ("pain", "3"),
                ("panting", "true"), ("respiratoryRate", "61"),
            ] { try findings.set(name, text: text) }
            findings.signsFound = [.labouredBreathing, TriageSign("ours")]
        }
        var facts = Self.facts
        facts.age = PatientAge(bornOn: Day(daysSince1970: 18_000), at: facts.asOf)
        facts.weight = try ExactDecimal(parsing: "30")
        facts.history = [
            .init(id: Example.id(5), .illness), .init(id: Example.id(4), .surgery, on: facts.asOf.adding(days: -3)),
        ]
        let digest = String(repeating: "b", count: 64)
        let made = TriageAssessment(found, of: facts, asOf: 9, by: .version1, digest: digest)
        let bytes = try EventCodec.encode(JournalEvent(TriageAssessed(assessment: made)), reason: "")
        let stored = try EventCodec.decode(type: 172, schemaVersion: 1, kind: 0, payload: bytes)
        let read = try #require(stored.event.data as? TriageAssessed).assessment
        #expect(read == made)
        #expect(read.computedAgain(by: .version1, digest: digest) == made)
        #expect(read.level == .orange)
        #expect(read.complexity.overall.description == "4.0")
        var own = TriageRules.version1
        own.thresholds.append(ThresholdRule(.pain, .atLeast(try ExactDecimal(parsing: "3")), .red))
        #expect(read.computedAgain(by: own, digest: digest)?.level == .red)
    }

    /// Returns the error of a decision; nil if it is made.
    private static func error(_ decide: () throws(ModelError) -> [JournalEvent]) -> ModelError? {
        do throws(ModelError) {
            _ = try decide()
            return nil
        } catch {
            return error
        }
    }

    private func normal() throws -> TriageFindings {
        try findings { findings in
            for part in ["airway", "breathing", "circulation", "disability"] { try findings.set(part, text: "normal") }
        }
    }
}
