/// The limits of heart rate, respiratory rate and temperature of a species, or of a group in it by age and weight.
package struct SpeciesLimits: Hashable, Sendable {
    package var species: SpeciesCode
    /// The age below which the row applies; nil for every age.
    ///
    /// A patient of unknown age counts as older.
    package var youngerThan: PatientAge.Span?
    /// The weight in kilograms below which the row applies; nil for every weight.
    ///
    /// A patient that was not weighed counts as heavier.
    package var lighterThan: ExactDecimal?
    package var heartRate: VitalLimits
    package var respiratoryRate: VitalLimits
    package var temperature: VitalLimits
    /// Whether a panting patient breathes fast without being urgent.
    package var pantingLiftsUpperLimit: Bool

    package init(
        _ species: SpeciesCode,
        youngerThan: PatientAge.Span? = nil,
        lighterThan: ExactDecimal? = nil,
        heartRate: VitalLimits,
        respiratoryRate: VitalLimits,
        temperature: VitalLimits,
        pantingLiftsUpperLimit: Bool = false
    ) {
        self.species = species
        self.youngerThan = youngerThan
        self.lighterThan = lighterThan
        self.heartRate = heartRate
        self.respiratoryRate = respiratoryRate
        self.temperature = temperature
        self.pantingLiftsUpperLimit = pantingLiftsUpperLimit
    }

    /// Whether the row is for the species and the age of a patient.
    func matches(_ patient: PatientFacts) -> Bool {
        guard patient.species == species else { return false }
        guard let youngerThan else { return true }
        return patient.age.map { !$0.isAtLeast(youngerThan) } ?? false
    }

    /// Whether the row is for a weight.
    func matches(weight: ExactDecimal?) -> Bool {
        guard let lighterThan else { return true }
        return weight.map { $0 < lighterThan } ?? false
    }
}

/// The limits of one vital sign; a limit itself is within.
package struct VitalLimits: Hashable, Sendable {
    /// Where most healthy patients are.
    package var usual: LimitSpan
    /// Beyond it the patient is orange; nil if nothing is known.
    package var orangeBeyond: LimitSpan?
    /// Beyond it the patient is red; nil if nothing is known.
    package var redBeyond: LimitSpan?

    package init(usual: LimitSpan, orangeBeyond: LimitSpan? = nil, redBeyond: LimitSpan? = nil) {
        self.usual = usual
        self.orangeBeyond = orangeBeyond
        self.redBeyond = redBeyond
    }

    /// Returns the most urgent level whose limits a value is beyond, and the limit; nil if it is within all of them.
    func exceeded(by value: ExactDecimal, upperIsLifted: Bool) -> (level: UrgencyLevel, limit: String)? {
        for (level, span) in [(UrgencyLevel.red, redBeyond), (.orange, orangeBeyond)] {
            if let limit = span?.exceeded(by: value, upperIsLifted: upperIsLifted) { return (level, limit) }
        }
        return nil
    }
}

/// A range of values that includes its limits; a limit may be absent.
package struct LimitSpan: Hashable, Sendable {
    package var lowest: ExactDecimal?
    package var highest: ExactDecimal?

    package init(_ lowest: ExactDecimal?, _ highest: ExactDecimal?) {
        self.lowest = lowest
        self.highest = highest
    }

    func contains(_ value: ExactDecimal) -> Bool { exceeded(by: value) == nil }

    /// Returns the limit that a value is beyond, such as `< 50`; nil if it is within.
    func exceeded(by value: ExactDecimal, upperIsLifted: Bool = false) -> String? {
        if let lowest, value < lowest { return "< \(lowest.withoutTrailingZeros)" }
        if !upperIsLifted, let highest, value > highest { return "> \(highest.withoutTrailingZeros)" }
        return nil
    }
}
