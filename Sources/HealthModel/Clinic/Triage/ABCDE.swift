/// The result of one part of the ABCDE examination; the raw values are stored.
package enum AssessmentResult: String, CaseIterable, Hashable, Sendable {
    case notAssessed
    case normal
    case compromised
    case critical
}

/// The five parts of the examination of an emergency patient, in the order in which they are examined.
package struct ABCDE: Hashable, Sendable {
    package var airway: AssessmentResult
    package var breathing: AssessmentResult
    package var circulation: AssessmentResult
    package var disability: AssessmentResult
    package var exposure: AssessmentResult

    /// A part of the examination; the raw values are stored.
    package enum Part: String, CaseIterable, Hashable, Sendable {
        case airway
        case breathing
        case circulation
        case disability
        case exposure
    }

    package init(
        airway: AssessmentResult = .notAssessed,
        breathing: AssessmentResult = .notAssessed,
        circulation: AssessmentResult = .notAssessed,
        disability: AssessmentResult = .notAssessed,
        exposure: AssessmentResult = .notAssessed
    ) {
        self.airway = airway
        self.breathing = breathing
        self.circulation = circulation
        self.disability = disability
        self.exposure = exposure
    }
}

extension ABCDE {
    /// The parts that an assessment needs to be complete: A to D.
    package static let vitalParts: [Part] = [.airway, .breathing, .circulation, .disability]

    package subscript(part: Part) -> AssessmentResult {
        get {
            switch part {
            case .airway: airway
            case .breathing: breathing
            case .circulation: circulation
            case .disability: disability
            case .exposure: exposure
            }
        }
        set {
            switch part {
            case .airway: airway = newValue
            case .breathing: breathing = newValue
            case .circulation: circulation = newValue
            case .disability: disability = newValue
            case .exposure: exposure = newValue
            }
        }
    }

    /// Whether A to D are all assessed.
    package var isComplete: Bool { ABCDE.vitalParts.allSatisfy { self[$0] != .notAssessed } }

    /// Whether A to E are all assessed as normal.
    package var isNormal: Bool { Part.allCases.allSatisfy { self[$0] == .normal } }
}
