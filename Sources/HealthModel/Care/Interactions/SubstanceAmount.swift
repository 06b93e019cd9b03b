/// An amount of a substance that can be added to and compared with others of the same dimension.
package struct SubstanceAmount: Hashable, Sendable {
    /// The measured quantity; amounts of different dimensions cannot be compared.
    package enum Dimension: String, CaseIterable, Hashable, Sendable {
        /// In grams.
        case mass
        /// In international units.
        case units
        /// In millimoles.
        case substance
        /// In millilitres.
        case volume
    }

    package var dimension: Dimension
    package var value: ExactDecimal

    package init(_ value: ExactDecimal, _ dimension: Dimension) {
        self.value = value
        self.dimension = dimension
    }

    /// Creates an amount in one of the units of the field `strengthUnit`; nil for a share, such as %, or if it does
    /// not fit.
    package init?(_ value: ExactDecimal, unit: String) {
        let known: (Dimension, UInt8)? =
            switch unit {
            case "g": (.mass, 0)
            case "mg": (.mass, 3)
            case "µg": (.mass, 6)
            case "IU": (.units, 0)
            case "mmol": (.substance, 0)
            case "mL": (.volume, 0)
            default: nil
            }
        guard let (dimension, places) = known,
            let scaled = value.multiplied(by: ExactDecimal(coefficient: 1, scale: places))
        else { return nil }
        self.init(scaled, dimension)
    }

    /// The amount with its unit, for texts: a mass below 1 g in the unit in which it is no fraction, as on packages.
    package var text: String {
        let unit =
            switch dimension {
            case .mass: "g"
            case .units: "IU"
            case .substance: "mmol"
            case .volume: "mL"
            }
        guard dimension == .mass else { return "\(value.withoutTrailingZeros) \(unit)" }
        let thousand = ExactDecimal(coefficient: 1_000, scale: 0)
        var shown = (value: value, unit: unit)
        for smaller in ["mg", "µg"] where shown.value > .zero && shown.value < ExactDecimal(coefficient: 1, scale: 0) {
            guard let value = shown.value.multiplied(by: thousand) else { break }
            shown = (value, smaller)
        }
        return "\(shown.value.withoutTrailingZeros) \(shown.unit)"
    }
}

/// An amount of a substance that was taken at a moment, or is to be taken then.
package struct SubstanceIntake: Hashable, Sendable {
    package var at: Instant
    package var amount: ExactDecimal

    package init(at: Instant, amount: ExactDecimal) {
        self.at = at
        self.amount = amount
    }

    /// Returns the greatest sum of intakes within any 24 hours; nil if there are none.
    ///
    /// Two intakes exactly 24 hours apart do not count together.
    package static func greatestDailySum(of intakes: some Sequence<SubstanceIntake>) -> ExactDecimal? {
        let sorted = intakes.sorted { $0.at < $1.at }
        var greatest: ExactDecimal?
        var first = 0
        for (index, end) in sorted.enumerated() {
            while sorted[first].at.microseconds <= end.at.microseconds - Instant.microsecondsPerDay { first += 1 }
            // Added up anew for each end, because a difference of decimals could not be exact after an overflow.
            let sum = sorted[first...index].reduce(ExactDecimal.zero as ExactDecimal?) { $0?.adding($1.amount) }
            guard let sum else { continue }
            greatest = max(greatest ?? sum, sum)
        }
        return greatest
    }
}
