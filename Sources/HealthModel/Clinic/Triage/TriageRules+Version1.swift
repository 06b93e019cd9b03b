/// The rule set `hj-triage/1`, which is never changed: a correction is a new version.
extension TriageRules {
    /// Version 1, after the veterinary triage list; see `notice`.
    package static let version1 = TriageRules(
        name: "hj-triage",
        version: "1",
        signs: redSigns + orangeSigns + yellowSigns + greenSigns + blueSigns,
        examination: ABCDE.vitalParts.flatMap { part in
            [ExaminationRule(part, .critical, .red), ExaminationRule(part, .compromised, .orange)]
        } + [ExaminationRule(.exposure, .critical, .orange), ExaminationRule(.exposure, .compromised, .yellow)],
        thresholds: thresholds1,
        limits: limits1,
        notAssessedLevel: .yellow,
        complexityWeights: complexity1
    )

    private static let redSigns = [
        SignRule(.immediate, .red),
        SignRule(.arrest, .red, .circulation),
        SignRule(.airwayBlocked, .red, .airway),
        SignRule(.agonalBreathing, .red, .breathing),
        SignRule(.blueGums, .red, .breathing),
        SignRule(.unresponsive, .red, .disability),
        SignRule(.seizingNow, .red, .disability),
        SignRule(.massiveBleeding, .red, .circulation),
    ]

    private static let orangeSigns = [
        SignRule(.labouredBreathing, .orange, .breathing),
        SignRule(.openMouthCat, .orange, .breathing),
        SignRule(.collapsed, .orange),
        SignRule(.swollenBellyRetching, .orange),
        SignRule(.cannotUrinate, .orange),
        SignRule(.obstructedBirth, .orange),
        SignRule(.poisonRecent, .orange),
        SignRule(.majorTrauma, .orange),
        SignRule(.organsExposed, .orange, .exposure),
        SignRule(.openFracture, .orange, .exposure),
        SignRule(.heatStroke, .orange, .exposure),
        SignRule(.snakeBite, .orange),
        SignRule(.seizuresRepeated, .orange),
        SignRule(.suddenParalysis, .orange, .disability),
        SignRule(.eyeOut, .orange, .exposure),
        SignRule(.severePain, .orange),
    ]

    private static let yellowSigns = [
        SignRule(.vomitingRepeated, .yellow),
        SignRule(.bloodyStool, .yellow),
        SignRule(.seizureOver, .yellow),
        SignRule(.deepWound, .yellow, .exposure),
        SignRule(.noWeightBearing, .yellow),
        SignRule(.faceSwelling, .yellow, .exposure),
        SignRule(.notEatingHerbivore, .yellow),
        SignRule(.moderatePain, .yellow),
    ]

    private static let greenSigns: [SignRule] =
        [TriageSign.minorWound, .lame, .vomitedOnce, .eyeDischarge, .mildPain].map { SignRule($0, .green) }

    private static let blueSigns: [SignRule] =
        [TriageSign.skinOrEarsLong, .checkUp, .nails].map { SignRule($0, .blue) }

    private static let thresholds1 = [
        ThresholdRule(.consciousness, .word("unresponsive"), .red),
        ThresholdRule(.consciousness, .word("pain"), .orange),
        ThresholdRule(.consciousness, .word("voice"), .yellow),
        ThresholdRule(.mucousMembrane, .word("blue"), .red),
        ThresholdRule(.mucousMembrane, .word("pale"), .orange),
        ThresholdRule(.mucousMembrane, .word("brickRed"), .orange),
        ThresholdRule(.mucousMembrane, .word("yellow"), .yellow),
        ThresholdRule(.capillaryRefill, .above(whole(3)), .orange),
        ThresholdRule(.capillaryRefill, .above(whole(2)), .yellow),
        ThresholdRule(.capillaryRefill, .below(whole(1)), .yellow),
        ThresholdRule(.oxygenSaturation, .below(whole(90)), .orange),
        ThresholdRule(.oxygenSaturation, .below(whole(95)), .yellow),
        ThresholdRule(.systolicPressure, .below(whole(60)), .red),
        ThresholdRule(.systolicPressure, .below(whole(90)), .orange),
        ThresholdRule(.systolicPressure, .atLeast(whole(180)), .yellow),
        ThresholdRule(.pain, .atLeast(whole(4)), .orange),
        ThresholdRule(.pain, .atLeast(whole(3)), .yellow),
    ]

    private static let complexity1 = ComplexityWeights(
        base: [.red: 400, .orange: 300, .yellow: 200, .green: 100, .blue: 50],
        species: [
            .dog: 0, .cat: 0, .horse: 100, .rabbit: 100, .guineaPig: 100, .ferret: 100, .bird: 150, .reptile: 150,
            .other: 150,
        ],
        unknownSpecies: 50,
        ages: [
            AgeWeight(below: PatientAge.Span(12, .weeks), 100),
            AgeWeight(.dog, from: PatientAge.Span(12, .years), 100),
            AgeWeight(.dog, from: PatientAge.Span(8, .years), 50),
            AgeWeight(.cat, from: PatientAge.Span(15, .years), 100),
            AgeWeight(.cat, from: PatientAge.Span(11, .years), 50),
        ],
        illness: 50,
        allergy: 50,
        surgery: 50,
        surgeryDays: 90,
        drug: 25,
        drugsFree: 2,
        historyMaximum: 300
    )

    private static func whole(_ number: Int64) -> ExactDecimal { ExactDecimal(coefficient: number, scale: 0) }
}
