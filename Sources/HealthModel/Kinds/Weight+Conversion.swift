extension Weight {
    /// Parses a weight such as `72.5kg` or `72.5 kg`.
    ///
    /// `lbs` is read as `lb`. The unit is nil if the text contains none.
    package static func parse(_ text: String) throws(ModelError) -> (value: ExactDecimal, unit: String?) {
        let unit = text.reversed().prefix { $0.isLetter }.reversed()
        let number = text.dropLast(unit.count).trimmingSpaces
        // For a text without digits, such as `NaN`, the error names the value and not the unit.
        guard number.contains(where: \.isNumber) else {
            throw ModelError(.invalid, field: Weight.value.name, "not a number: write it as 72.5kg")
        }
        var name: String? = String(unit)
        switch name {
        case "kg", "g", "lb": break
        case "lbs": name = "lb"
        case "": name = nil
        default: throw ModelError(.invalid, field: Weight.unit.name, "must be one of kg, g, lb, as in 72.5kg")
        }
        do {
            return (try ExactDecimal(parsing: String(number)), name)
        } catch {
            throw ModelError(error.code, field: Weight.value.name, error.message)
        }
    }

    /// Returns a weight converted to another unit.
    ///
    /// Conversions between kg and g are exact. Results of other conversions are rounded half to even: to one decimal
    /// place for g, to three for kg and lb. Returns nil if a unit is unknown or a number has too many digits.
    package static func converted(_ value: ExactDecimal, from unit: String, to target: String) -> ExactDecimal? {
        if unit == target { return isKnown(unit) ? value : nil }
        guard value.scale <= 18 else { return nil }
        let coefficient = Int128(value.coefficient)
        switch (unit, target) {
        case ("kg", "g"):
            if value.scale >= 3 { return ExactDecimal(digits: coefficient, scale: value.scale - 3) }
            return ExactDecimal(digits: coefficient * power(3 - value.scale), scale: 0)
        case ("g", "kg"):
            return ExactDecimal(digits: coefficient, scale: value.scale + 3)
        case ("lb", "kg"):
            return rounded(coefficient * poundInHundredMillionths, over: power(value.scale + 8), places: 3)
        case ("lb", "g"):
            return rounded(coefficient * poundInHundredMillionths, over: power(value.scale + 5), places: 1)
        case ("kg", "lb"):
            return rounded(coefficient * power(8), over: poundInHundredMillionths * power(value.scale), places: 3)
        case ("g", "lb"):
            return rounded(coefficient * power(5), over: poundInHundredMillionths * power(value.scale), places: 3)
        default:
            return nil
        }
    }

    /// One pound, which is 0.45359237 kg by definition, in units of 10⁻⁸ kg.
    private static let poundInHundredMillionths: Int128 = 45_359_237

    private static func isKnown(_ unit: String) -> Bool { ["kg", "g", "lb"].contains(unit) }

    private static func power(_ exponent: UInt8) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private static func rounded(_ dividend: Int128, over divisor: Int128, places: UInt8) -> ExactDecimal? {
        ExactDecimal.rounded(dividend * power(places), over: divisor, scale: places)?.withoutTrailingZeros
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: SubSequence {
        let start = drop { $0 == " " }
        let end = start.lastIndex { $0 != " " }
        return end.map { start[...$0] } ?? start
    }
}
