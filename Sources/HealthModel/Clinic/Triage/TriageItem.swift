/// One input of triage, as reasons and lists of missing inputs name it; the raw values are stored.
package enum TriageItem: String, CaseIterable, Hashable, Sendable {
    case sign
    case airway
    case breathing
    case circulation
    case disability
    case exposure
    case consciousness
    case mucousMembrane
    case capillaryRefill
    case oxygenSaturation
    case systolicPressure = "bloodPressure.systolic"
    case pain
    case heartRate
    case respiratoryRate
    case temperature
    case panting
    case weight
    case age
    case species
    /// The limits that a rule set has for a species.
    case speciesLimits

    init(_ part: ABCDE.Part) {
        self =
            switch part {
            case .airway: .airway
            case .breathing: .breathing
            case .circulation: .circulation
            case .disability: .disability
            case .exposure: .exposure
            }
    }

    private var rank: Int { TriageItem.allCases.firstIndex(of: self) ?? 0 }
}

extension TriageItem: Comparable {
    /// Orders the inputs as they are declared.
    package static func < (left: TriageItem, right: TriageItem) -> Bool { left.rank < right.rank }
}

extension VitalSigns {
    /// A vital sign as a rule reads it: a number or a word.
    enum Value: Hashable {
        case number(ExactDecimal)
        case word(String)

        var text: String {
            switch self {
            case .number(let number): number.description
            case .word(let word): word
            }
        }
    }

    /// The vital signs that a rule can read.
    static let items: [TriageItem] = [
        .consciousness, .mucousMembrane, .capillaryRefill, .oxygenSaturation, .systolicPressure, .pain, .heartRate,
        .respiratoryRate, .temperature,
    ]

    /// Returns a vital sign; nil if it was not measured, or if the input is no vital sign.
    func value(of item: TriageItem) -> Value? {
        switch item {
        case .consciousness: consciousness.map { .word($0.rawValue) }
        case .mucousMembrane: mucousMembrane.map { .word($0.rawValue) }
        case .capillaryRefill: capillaryRefill.map(Value.number)
        case .oxygenSaturation: oxygenSaturation.map(Value.whole)
        case .systolicPressure: bloodPressure?.systolic.map(Value.whole)
        case .pain: pain.map(Value.whole)
        case .heartRate: heartRate.map(Value.whole)
        case .respiratoryRate: respiratoryRate.map(Value.whole)
        case .temperature: temperature.map(Value.number)
        case .sign, .airway, .breathing, .circulation, .disability, .exposure, .panting, .weight, .age, .species,
            .speciesLimits:
            nil
        }
    }
}

extension VitalSigns.Value {
    fileprivate static func whole(_ number: Int) -> VitalSigns.Value {
        .number(ExactDecimal(coefficient: Int64(number), scale: 0))
    }
}
