import Testing

@testable import HealthModel

/// Rule sets as values: the built-in one, its text, and the checks of a set that a practice wrote.
@Suite("Triage rules")
struct TriageRulesTests {
    private static let rules = TriageRules.version1

    /// FNV-1a in 64 bits.
    private static func digest(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @Test("Version 1 never changes: a correction is another version")
    func golden() {
        #expect(Self.rules.label == "hj-triage/1")
        #expect(TriageRules.builtIn(name: "hj-triage", version: "1") == Self.rules)
        #expect(TriageRules.builtIn(name: "hj-triage", version: "0") == nil)
        #expect(Self.digest(Self.rules.text) == 0x1176_9207_CC2C_5021, "\(Self.rules.text)")
    }

    @Test("The text has a line for each fact")
    func text() {
        let lines = Self.rules.lines
        #expect(lines.prefix(2) == ["triage rules hj-triage/1", "not assessed 3"])
        for line in [
            "sign immediate 1 -", "sign labouredBreathing 2 breathing", "sign nails 5 -",
            "examination airway critical 1", "examination exposure compromised 3",
            "threshold bloodPressure.systolic at least 180 3", "threshold consciousness is unresponsive 1",
            "limits 2 species dog lighter than 15 kg panting lifts the upper limit",
            "limits 4 species cat younger than 6 months",
            "limits 4 heartRate usual ..220 orange beyond 60..240 red beyond 40..270",
            "limits 9 temperature usual 37.2..38.5 orange beyond 36.5..40 red beyond -",
            "complexity base 5 50", "complexity species unknown 50", "complexity age cat from 15 years 100",
            "complexity age any below 12 weeks 100", "complexity surgery 50 within 90 days",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(Set(lines).count == lines.count)
    }

    @Test("Every part of a set is in its text")
    func textIsComplete() {
        let changes: [(inout TriageRules) -> Void] = [
            { $0.name = "own" }, { $0.version = "2" }, { $0.notAssessedLevel = .orange },
            { $0.signs.removeLast() }, { $0.signs[3].level = .blue }, { $0.signs[3].part = nil },
            { $0.examination.removeLast() }, { $0.examination[0].level = .blue }, { $0.thresholds.removeLast() },
            { $0.thresholds[4].level = .blue }, { $0.thresholds[9].condition = .above(.tenths(900)) },
            { $0.limits.removeLast() }, { $0.limits.swapAt(1, 2) }, { $0.limits[0].youngerThan = nil },
            { $0.limits[1].lighterThan = .tenths(151) }, { $0.limits[2].pantingLiftsUpperLimit = false },
            { $0.limits[4].heartRate.usual.lowest = nil }, { $0.limits[4].respiratoryRate.orangeBeyond = nil },
            { $0.limits[4].temperature.redBeyond?.highest = .tenths(416) },
            { $0.complexityWeights.base[.red] = 390 }, { $0.complexityWeights.species[.bird] = 10 },
            { $0.complexityWeights.unknownSpecies = 0 }, { $0.complexityWeights.ages.removeLast() },
            { $0.complexityWeights.ages[0].hundredths = 90 }, { $0.complexityWeights.illness = 10 },
            { $0.complexityWeights.allergy = 10 }, { $0.complexityWeights.surgery = 10 },
            { $0.complexityWeights.surgeryDays = 10 }, { $0.complexityWeights.drug = 10 },
            { $0.complexityWeights.drugsFree = 10 }, { $0.complexityWeights.historyMaximum = 10 },
        ]
        var texts: Set<String> = [Self.rules.text]
        for (number, change) in changes.enumerated() {
            var rules = Self.rules
            change(&rules)
            #expect(texts.insert(rules.text).inserted, "change \(number)")
        }
    }

    @Test("The notice says that no veterinarian has reviewed the table")
    func notice() {
        #expect(TriageRules.notice.contains("supports a professional and replaces none"))
        #expect(TriageRules.notice.contains("No veterinarian has reviewed"))
    }

    @Test("The built-in sets are valid")
    func builtIn() {
        #expect(Set(TriageRules.builtIn.map(\.label)).count == TriageRules.builtIn.count)
        for rules in TriageRules.builtIn { #expect(throws: Never.self) { try rules.validate() } }
    }

    @Test("A set that makes no sense is refused, by the part that is wrong")
    func checking() {
        func field(_ edit: (inout TriageRules) -> Void) -> String? {
            var rules = Self.rules
            edit(&rules)
            do {
                try rules.validate()
                return nil
            } catch {
                return error.field
            }
        }
        #expect(field { ($0.name, $0.version) = ("our-practice", "2026.1") } == nil)
        for name in ["", "a b", "a/b", "é", String(repeating: "a", count: 51)] {
            #expect(field { $0.name = name } == "name" && field { $0.version = name } == "version")
        }
        #expect(field { $0.signs.append(SignRule(.nails, .green)) } == "signs")
        #expect(field { $0.signs.append(SignRule(TriageSign("two words"), .green)) } == "signs")
        #expect(field { $0.signs.removeAll { $0.sign == .immediate } } == "signs")
        #expect(field { $0.signs = (0...500).map { SignRule(TriageSign("a\($0)"), .green) } } == "signs")
        #expect(field { $0.signs.append(SignRule(TriageSign("ourOwn"), .green)) } == nil)
        #expect(field { $0.examination.append(ExaminationRule(.airway, .critical, .blue)) } == "examination")
        for rule in [
            ThresholdRule(.consciousness, .word("asleep"), .green), ThresholdRule(.pain, .word("severe"), .green),
            ThresholdRule(.mucousMembrane, .above(.tenths(10)), .green),
            ThresholdRule(.weight, .above(.tenths(10)), .green), ThresholdRule(.sign, .word("nails"), .green),
        ] {
            #expect(field { $0.thresholds.insert(rule, at: 0) } == "thresholds[0]")
        }
        #expect(field { $0.thresholds.append(ThresholdRule(.temperature, .above(.tenths(430)), .red)) } == nil)
        #expect(field { $0.limits[4].heartRate.usual.highest = .tenths(2_210) } == "limits[4].heartRate")
        #expect(field { $0.limits[4].heartRate.redBeyond?.lowest = .tenths(1_210) } == "limits[4].heartRate")
        #expect(field { $0.limits[8].temperature.orangeBeyond?.lowest = .tenths(401) } == "limits[8].temperature")
        #expect(field { $0.limits[8].respiratoryRate.orangeBeyond = nil } == nil)
        #expect(field { $0.complexityWeights.base[.red] = 451 } == "complexity")
        #expect(field { $0.complexityWeights.illness = -1 } == "complexity")
    }

    @Test("A practice's own set assesses by its own data")
    func ownSet() {
        var own = Self.rules
        own.signs.append(SignRule(TriageSign("bloat"), .red))
        own.limits = [
            SpeciesLimits(
                .bird,
                heartRate: Self.rules.limits[3].heartRate,
                respiratoryRate: Self.rules.limits[3].respiratoryRate,
                temperature: Self.rules.limits[3].temperature
            )
        ]
        own.notAssessedLevel = .orange
        func level(_ input: TriageInput) -> (Int, Int) {
            (Self.rules.assess(input).level.rawValue, own.assess(input).level.rawValue)
        }
        let bloat = TriageInput(signs: [TriageSign("bloat")], abcde: .all(.normal), patient: .example(.dog))
        #expect(level(bloat) == (4, 1))
        #expect(level(TriageInput(patient: .example(.dog))) == (3, 2))
        let bird = TriageInput(
            abcde: .all(.normal),
            vitals: VitalSigns { $0.heartRate = 400 },
            patient: .example(.bird)
        )
        #expect(level(bird) == (4, 1))
        let dog = TriageInput(abcde: .all(.normal), vitals: VitalSigns { $0.heartRate = 30 }, patient: .example(.dog))
        #expect(level(dog) == (1, 4))
    }
}
