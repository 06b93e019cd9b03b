package import HealthModel

/// A sum of decimals that is exact for any number of costs that a journal can hold.
package struct ExactSum: Sendable {
    /// The sum rounded down to a whole number.
    let whole: Int128
    /// The rest above `whole`, in units of the smallest decimal place that an amount can have.
    ///
    /// It is never negative and always less than one in total.
    let fraction: Int128
    /// The number of decimal places to write.
    let scale: UInt8

    /// One, in units of `fraction`.
    ///
    /// The whole part is stored separately, because a few large amounts would overflow a single number of 10⁻³⁰ units.
    private static let one: Int128 = ExactSum.power(ExactDecimal.maximumScale)

    package init() {
        self.init(whole: 0, fraction: 0, scale: 0)
    }

    init(whole: Int128, fraction: Int128, scale: UInt8) {
        self.whole = whole
        self.fraction = fraction
        self.scale = scale
    }

    package init(_ amount: ExactDecimal) {
        let scale = min(amount.scale, ExactDecimal.maximumScale)
        let (quotient, remainder) = Int128(amount.coefficient).quotientAndRemainder(dividingBy: ExactSum.power(scale))
        let behind = remainder * ExactSum.power(ExactDecimal.maximumScale - scale)
        self.init(
            whole: remainder < 0 ? quotient - 1 : quotient,
            fraction: remainder < 0 ? behind + ExactSum.one : behind,
            scale: scale
        )
    }

    /// Parses the format that ``description`` writes; returns nil for any other text.
    package init?(parsing text: String) {
        if text.hasPrefix("-") {
            let rest = String(text.dropFirst())
            guard !rest.hasPrefix("-"), let sum = ExactSum(parsing: rest) else { return nil }
            self = sum.negated
            return
        }
        let maximum = ExactDecimal.maximumScale
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count > 1 ? parts[1] : ""
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let whole = parts.first.flatMap({ Int128($0) }), places.utf8.count <= maximum,
            let fraction = Int128(places + String(repeating: "0", count: Int(maximum) - places.utf8.count))
        else { return nil }
        self.init(whole: whole, fraction: fraction, scale: UInt8(places.utf8.count))
    }

    package var negated: ExactSum {
        if fraction == 0 { return ExactSum(whole: -whole, fraction: 0, scale: scale) }
        return ExactSum(whole: -whole - 1, fraction: ExactSum.one - fraction, scale: scale)
    }

    package static func + (left: ExactSum, right: ExactSum) -> ExactSum {
        let fraction = left.fraction + right.fraction
        let carries = fraction >= one
        return ExactSum(
            whole: left.whole + right.whole + (carries ? 1 : 0),
            fraction: carries ? fraction - one : fraction,
            scale: max(left.scale, right.scale)
        )
    }

    /// Returns the sum with at least the given number of decimal places, as is usual for money.
    package func text(minimumPlaces: UInt8) -> String {
        if whole < 0 { return "-" + negated.text(minimumPlaces: minimumPlaces) }
        let places = min(max(scale, minimumPlaces), ExactDecimal.maximumScale)
        guard places > 0 else { return String(whole) }
        let digits = String(fraction)
        let padded = String(repeating: "0", count: Int(ExactDecimal.maximumScale) - digits.count) + digits
        return "\(whole).\(padded.prefix(Int(places)))"
    }

    private static func power(_ exponent: UInt8) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension ExactSum: Hashable {
    package static func == (left: ExactSum, right: ExactSum) -> Bool {
        left.whole == right.whole && left.fraction == right.fraction
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(whole)
        hasher.combine(fraction)
    }
}

extension ExactSum: CustomStringConvertible {
    /// The sum with all its decimal places, such as `1250.50`.
    package var description: String { text(minimumPlaces: 0) }
}
