extension Weight {
    /// The units in which weights are shown to a reader; `st` is stones and pounds, in which none is stored.
    package static let shownUnits = ["kg", "g", "lb", "st"]

    /// Parses a weight such as `72.5kg`, `72.5 kg` or `11st 4lb`.
    ///
    /// `lbs` is read as `lb`, and stones are converted to it. The unit is nil if the text contains none.
    package static func parse(_ text: String) throws(ModelError) -> (value: ExactDecimal, unit: String?) {
        if let pounds = try pounds(ofStones: text) { return (pounds, "lb") }
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
            throw ModelError(error.code, field: Weight.value.name, error.text)
        }
    }

    /// Returns the pounds of a text such as `11st` or `11 st 4.5 lb`; nil for a text without stones.
    private static func pounds(ofStones text: String) throws(ModelError) -> ExactDecimal? {
        guard let mark = text.firstRange(of: "st"), text[mark.upperBound...].first?.isLetter != true else { return nil }
        let rest = text[mark.upperBound...].trimmingSpaces
        let pounds = rest.hasSuffix("lbs") ? rest.dropLast(3) : rest.hasSuffix("lb") ? rest.dropLast(2) : rest
        guard let stones = Int64(text[..<mark.lowerBound].trimmingSpaces), (0...1_000).contains(stones),
            let more = pounds.isEmpty ? .zero : try? ExactDecimal(parsing: String(pounds.trimmingSpaces)),
            more >= .zero,
            more < ExactDecimal(coefficient: 14, scale: 0), more.scale <= 6,
            let sum = ExactDecimal(
                digits: Int128(stones) * 14 * power(more.scale) + Int128(more.coefficient),
                scale: more.scale
            )
        else {
            throw ModelError(.invalid, field: Weight.value.name, "write stones and pounds as 11st 4.5lb")
        }
        return sum
    }

    /// Returns a weight in whole stones and the pounds that remain, rounded to one decimal place; nil if a unit is unknown.
    package static func stones(_ value: ExactDecimal, from unit: String) -> (stones: Int64, pounds: ExactDecimal)? {
        guard let pounds = converted(value, from: unit, to: "lb"), pounds >= .zero,
            let tenths = ExactDecimal.rounded(Int128(pounds.coefficient) * 10, over: power(pounds.scale), scale: 1)
        else { return nil }
        let (stones, rest) = tenths.coefficient.quotientAndRemainder(dividingBy: 140)
        return (stones, ExactDecimal(coefficient: rest, scale: 1).withoutTrailingZeros)
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
