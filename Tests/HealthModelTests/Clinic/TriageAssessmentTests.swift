import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The rules R1 to R6, and what they list.
@Suite("Triage assessment")
struct TriageAssessmentTests {
    private static let rules = TriageRules.version1
    private static let dog = PatientFacts.example(.dog, kilograms: 20)
    /// A to D assessed as normal, and E not.
    private static let vitalNormal = ABCDE(
        airway: .normal,
        breathing: .normal,
        circulation: .normal,
        disability: .normal
    )

    private static func assess(
        _ signs: [TriageSign] = [],
        _ abcde: ABCDE = .all(.normal),
        _ vitals: VitalSigns = VitalSigns(),
        patient: PatientFacts = dog
    ) -> TriageResult {
        rules.assess(TriageInput(signs: signs, abcde: abcde, vitals: vitals, patient: patient))
    }

    /// The codes of every sign, by level.
    private static let codes: [(level: Int, codes: String)] = [
        (1, "arrest airwayBlocked agonalBreathing blueGums unresponsive seizingNow massiveBleeding immediate"),
        (
            2,
            """
            labouredBreathing openMouthCat collapsed swollenBellyRetching cannotUrinate obstructedBirth poisonRecent \
            majorTrauma organsExposed openFracture heatStroke snakeBite seizuresRepeated suddenParalysis eyeOut \
            severePain
            """
        ),
        (
            3,
            """
            vomitingRepeated bloodyStool seizureOver deepWound noWeightBearing faceSwelling notEatingHerbivore \
            moderatePain
            """
        ),
        (4, "minorWound lame vomitedOnce eyeDischarge mildPain"),
        (5, "skinOrEarsLong checkUp nails"),
    ]

    // MARK: - R1, R2

    @Test("Each sign has the level under which it is listed, and no other sign is known")
    func signs() {
        for (level, codes) in Self.codes {
            for code in codes.split(separator: " ").map({ TriageSign(String($0)) }) {
                // A sign of level 5 alone is green: heart and breathing were not measured.
                #expect(Self.assess([code]).level.rawValue == min(level, 4), "\(code.code)")
                #expect(Self.rules.level(of: code)?.rawValue == level)
            }
        }
        let listed = Self.codes.flatMap { $0.codes.split(separator: " ").map(String.init) }
        #expect(Self.rules.signs.map(\.sign.code).sorted() == listed.sorted())
    }

    @Test("A sign that the rules do not have is listed, fires nothing, and keeps a patient from being blue")
    func unknownSigns() {
        var vitals = VitalSigns()
        (vitals.heartRate, vitals.respiratoryRate) = (80, 20)
        let known = Self.assess([.nails], .all(.normal), vitals)
        #expect(known.level == .blue)
        #expect(known.unknownSigns.isEmpty)
        let unknown = Self.assess([.nails, TriageSign("zeta"), TriageSign("alpha")], .all(.normal), vitals)
        #expect(unknown.level == .green)
        #expect(unknown.unknownSigns == [TriageSign("alpha"), TriageSign("zeta")])
    }

    @Test("A to D count one level more than E")
    func examination() {
        for part in ABCDE.Part.allCases {
            for (result, level) in [(AssessmentResult.critical, 1), (.compromised, 2), (.normal, 4)] {
                var abcde = ABCDE.all(.normal)
                abcde[part] = result
                let expected = part == .exposure && result != .normal ? level + 1 : level
                let found = Self.assess([], abcde)
                #expect(found.level.rawValue == expected, "\(part) \(result)")
                let reason = TriageReason(
                    .examination,
                    TriageItem(rawValue: part.rawValue),
                    value: result.rawValue,
                    level: found.level
                )
                #expect(found.reasons.contains(reason) == (result != .normal))
            }
        }
    }

    @Test("Where a sign and the examination disagree, the worse counts, and the contradiction is listed")
    func contradictions() {
        let normal = Self.assess([.labouredBreathing, .lame])
        #expect(normal.level == .orange)
        #expect(normal.contradictions == [TriageContradiction(.labouredBreathing, .breathing, .normal, level: .orange)])
        var abcde = ABCDE.all(.normal)
        abcde.breathing = .compromised
        #expect(Self.assess([.labouredBreathing], abcde).contradictions.isEmpty)
        let agonal = Self.assess([.agonalBreathing], abcde)
        #expect(agonal.level == .red)
        #expect(agonal.contradictions == [TriageContradiction(.agonalBreathing, .breathing, .compromised, level: .red)])
        abcde.breathing = .critical
        #expect(Self.assess([.agonalBreathing, .labouredBreathing], abcde).contradictions.isEmpty)
        abcde.breathing = .notAssessed
        #expect(Self.assess([.agonalBreathing], abcde).contradictions.isEmpty)
        var wound = ABCDE.all(.normal)
        wound.exposure = .compromised
        #expect(Self.assess([.openFracture], wound).contradictions.isEmpty)
        #expect(Self.assess([.immediate]).contradictions.isEmpty)
    }

    // MARK: - R5, R6 and what is missing

    @Test("No vital signs, A to D normal: green, with what is missing")
    func nothingMeasured() {
        let result = Self.assess([], Self.vitalNormal)
        #expect(result.level == .green)
        #expect(result.reasons == [TriageReason(.nothingFound, level: .green)])
        #expect(
            result.missing == [
                .exposure, .consciousness, .mucousMembrane, .capillaryRefill, .oxygenSaturation, .systolicPressure,
                .pain, .heartRate, .respiratoryRate, .temperature,
            ]
        )
    }

    @Test("B not assessed: yellow, with the reason", arguments: ["airway", "breathing", "circulation", "disability"])
    func notAssessed(name: String) throws {
        let part = try #require(ABCDE.Part(rawValue: name))
        let item = try #require(TriageItem(rawValue: name))
        var abcde = Self.vitalNormal
        abcde[part] = .notAssessed
        let reason = TriageReason(.notAssessed, item, value: "notAssessed", level: .yellow)
        let result = Self.assess([], abcde)
        #expect(result.level == .yellow)
        #expect(result.reasons == [reason, TriageReason(.nothingFound, level: .green)])
        #expect(!abcde.isComplete)
        #expect(Self.vitalNormal.isComplete)
        // It makes no patient less urgent.
        let collapsed = Self.assess([.collapsed], abcde)
        #expect(collapsed.level == .orange)
        #expect(collapsed.reasons.contains(reason))
        #expect(Self.assess([.lame], abcde).level == .yellow)
    }

    @Test("\"Red now\" is red, whatever else is known, and in every rule set")
    func redNow() {
        let result = Self.rules.assess(.redNow(PatientFacts(asOf: PatientFacts.today)))
        #expect(result.level == .red)
        #expect(result.reasons.first == TriageReason(.sign, .sign, value: "immediate", level: .red))
        var vitals = VitalSigns()
        (vitals.heartRate, vitals.respiratoryRate) = (80, 20)
        #expect(Self.assess([.nails, .immediate], .all(.normal), vitals).level == .red)
        var other = Self.rules
        other.signs = []
        #expect(other.assess(.redNow(Self.dog)).level == .red)
    }

    @Test("Blue needs a sign of level 5, A to E normal, and a usual heart rate and respiratory rate")
    func blue() {
        func level(
            _ heart: Int? = 80,
            _ breathing: Int? = 20,
            signs: [TriageSign] = [.nails, .checkUp],
            abcde: ABCDE = .all(.normal),
            patient: PatientFacts = Self.dog
        ) -> Int {
            let vitals = VitalSigns { ($0.heartRate, $0.respiratoryRate) = (heart, breathing) }
            return Self.assess(signs, abcde, vitals, patient: patient).level.rawValue
        }
        #expect(level() == 5)
        #expect(level(60, 10) == 5)
        #expect(level(120, 34) == 5)
        #expect(level(59) == 4)
        #expect(level(121) == 4)
        #expect(level(80, 9) == 4)
        #expect(level(80, 35) == 4)
        #expect(level(nil) == 4)
        #expect(level(80, nil) == 4)
        #expect(level(signs: []) == 4)
        #expect(level(signs: [.nails, .lame]) == 4)
        #expect(level(abcde: Self.vitalNormal) == 4)
        #expect(level(80, 20, patient: .example(.bird)) == 4)
        #expect(level(80, 20, patient: .example(nil)) == 4)
        // The usual ranges of each group.
        let usual: [(PatientFacts, heart: (Int, Int), breathing: (Int, Int))] = [
            (.example(.dog, kilograms: 10), (70, 120), (10, 34)), (.example(.cat), (120, 200), (16, 40)),
            (.example(.cat, days: 90), (60, 220), (10, 40)), (.example(.dog, days: 90), (60, 220), (10, 40)),
            (.example(.rabbit), (130, 300), (30, 60)), (.example(.guineaPig), (130, 310), (42, 150)),
            (.example(.ferret), (200, 400), (20, 36)), (.example(.horse), (28, 44), (8, 16)),
        ]
        for (patient, heart, breathing) in usual {
            #expect(level(heart.0, breathing.0, patient: patient) == 5)
            #expect(level(heart.1, breathing.1, patient: patient) == 5)
            #expect(level(heart.0 - 1, breathing.0, patient: patient) < 5)
            #expect(level(heart.1 + 1, breathing.0, patient: patient) < 5)
            #expect(level(heart.0, breathing.0 - 1, patient: patient) < 5)
            #expect(level(heart.0, breathing.1 + 1, patient: patient) < 5)
        }
    }

    @Test("What a rule would need of the patient is listed")
    func missing() {
        func missing(_ patient: PatientFacts, _ edit: (inout VitalSigns) -> Void = { _ in }) -> Set<TriageItem> {
            let all = Self.assess([], .all(.normal), VitalSigns(edit), patient: patient).missing
            #expect(all == all.sorted())
            #expect(Set(all).count == all.count)
            return Set(all).intersection([.species, .speciesLimits, .age, .weight, .panting])
        }
        #expect(missing(.example(.dog)) == [.weight])
        #expect(missing(.example(.dog, kilograms: 5)).isEmpty)
        #expect(missing(.example(.dog)) { $0.weight = .tenths(50) }.isEmpty)
        #expect(missing(.example(.dog, days: 90)).isEmpty)
        #expect(missing(.example(.cat)).isEmpty)
        #expect(missing(.example(.dog, days: nil)) == [.age, .weight])
        #expect(missing(.example(nil)) == [.species])
        #expect(missing(.example(.reptile)) == [.speciesLimits])
        #expect(missing(.example(.other)) == [.speciesLimits])
        #expect(missing(.example(.dog, kilograms: 5)) { $0.respiratoryRate = 90 } == [.panting])
        #expect(missing(.example(.dog, kilograms: 5)) { ($0.respiratoryRate, $0.isPanting) = (90, false) }.isEmpty)
        #expect(missing(.example(.cat)) { $0.respiratoryRate = 90 }.isEmpty)
    }

    // MARK: - Properties

    private static func input(_ random: inout SeededGenerator) throws -> TriageInput {
        let codes = codes.flatMap { $0.codes.split(separator: " ").map { TriageSign(String($0)) } }
        var input = TriageInput(patient: .example(random.bool() ? try random.pick(SpeciesCode.allCases) : nil))
        input.signs = try (0..<random.int(0...6)).map { _ in try random.pick(codes + [TriageSign("other")]) }
        for part in ABCDE.Part.allCases { input.abcde[part] = try random.pick(AssessmentResult.allCases) }
        input.vitals.temperature = random.bool() ? .tenths(random.int(330...420)) : nil
        input.vitals.heartRate = random.bool() ? random.int(20...300) : nil
        input.vitals.respiratoryRate = random.bool() ? random.int(4...150) : nil
        input.vitals.isPanting = random.bool() ? random.bool() : nil
        input.vitals.bloodPressure = random.bool() ? BloodPressure(systolic: random.int(40...200)) : nil
        input.vitals.capillaryRefill = random.bool() ? .tenths(random.int(0...50)) : nil
        input.vitals.oxygenSaturation = random.bool() ? random.int(80...100) : nil
        input.vitals.pain = random.bool() ? random.int(0...4) : nil
        input.vitals.consciousness = random.bool() ? try random.pick(VitalSigns.Consciousness.allCases) : nil
        input.vitals.mucousMembrane = random.bool() ? try random.pick(VitalSigns.MucousMembrane.allCases) : nil
        input.patient.history = try (0..<random.int(0...8))
            .map { _ in
                PatientFacts.HistoryEntry(
                    id: random.id(),
                    try random.pick(PatientFacts.HistoryEntry.Kind.allCases),
                    on: PatientFacts.today.adding(days: -random.below(200))
                )
            }
        return input
    }

    @Test("A thousand orders of the same inputs, and of the rules, give the same result")
    func orders() throws {
        try checkProperty("orders of the inputs of triage", times: 1_000) { random, comment in
            var (input, rules) = (try Self.input(&random), Self.rules)
            let first = rules.assess(input)
            let complexity = rules.complexity(of: input.patient, at: first.level)
            input.signs.shuffle(using: &random)
            input.signs += input.signs.prefix(1)
            input.patient.history.shuffle(using: &random)
            input.patient.history += input.patient.history.prefix(1)
            rules.signs.shuffle(using: &random)
            rules.examination.shuffle(using: &random)
            rules.thresholds.shuffle(using: &random)
            let second = rules.assess(input)
            #expect(second == first, comment)
            #expect(String(describing: second) == String(describing: first), comment)
            #expect(rules.complexity(of: input.patient, at: first.level) == complexity, comment)
            #expect(rules.text == Self.rules.text, comment)
        }
    }

    @Test("The level is that of the most urgent reason, and a further sign never makes a patient less urgent")
    func monotonic() throws {
        try checkProperty("further signs", times: 500) { random, comment in
            var input = try Self.input(&random)
            let first = Self.rules.assess(input)
            #expect(first.level == first.reasons.map(\.level).min(), comment)
            #expect(first.reasons == first.reasons.sorted(), comment)
            let codes = Self.codes.dropLast().flatMap { $0.codes.split(separator: " ").map(String.init) }
            input.signs.append(TriageSign(try random.pick(codes)))
            #expect(Self.rules.assess(input).level <= first.level, comment)
        }
    }
}
