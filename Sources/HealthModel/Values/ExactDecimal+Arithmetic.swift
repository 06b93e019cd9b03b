extension ExactDecimal: Comparable, Hashable {
    package static func == (left: ExactDecimal, right: ExactDecimal) -> Bool {
        left.compare(with: right) == 0
    }

    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        left.compare(with: right) < 0
    }

    package func hash(into hasher: inout Hasher) {
        let shortest = withoutTrailingZeros
        hasher.combine(shortest.coefficient)
        hasher.combine(shortest.scale)
        hasher.combine(divisor)
    }

    /// Returns a negative number, zero or a positive number if the value is less than, equal to or above `other`.
    private func compare(with other: ExactDecimal) -> Int {
        let common = max(scale, other.scale)
        // Scaled by more than 19 digits, any number but zero exceeds every coefficient, so its sign decides.
        guard let left = Int128(coefficient).shifted(common - scale) else { return coefficient.signumAsInt }
        guard let right = Int128(other.coefficient).shifted(common - other.scale) else {
            return -other.coefficient.signumAsInt
        }
        if divisor != other.divisor {
            let products = (
                left.multipliedFullWidth(by: Int128(other.divisor)), right.multipliedFullWidth(by: Int128(divisor))
            )
            return products.0 < products.1 ? -1 : products.0 > products.1 ? 1 : 0
        }
        return left < right ? -1 : left > right ? 1 : 0
    }
}

extension ExactDecimal {
    package static let zero = ExactDecimal(coefficient: 0, scale: 0)

    /// The same value with the fewest decimal places.
    package var withoutTrailingZeros: ExactDecimal {
        var shortest = self
        while shortest.scale > 0, shortest.coefficient % 10 == 0 {
            shortest.coefficient /= 10
            shortest.scale -= 1
        }
        return shortest
    }

    /// Returns the exact sum, or nil if it has more than 18 digits, or the divisor of a fraction is too large.
    ///
    /// It has the greater number of decimal places of the two, or fewer if it fits only without trailing zeros.
    package func adding(_ other: ExactDecimal) -> ExactDecimal? {
        guard isDecimal, other.isDecimal else { return addingFraction(other) }
        let common = max(scale, other.scale)
        if let left = Int128(coefficient).shifted(common - scale),
            let right = Int128(other.coefficient).shifted(common - other.scale)
        {
            let (sum, overflow) = left.addingReportingOverflow(right)
            if !overflow, let result = ExactDecimal(digits: sum, scale: common) { return result }
        }
        // Without trailing zeros, the sum may fit.
        let shortest = (withoutTrailingZeros, other.withoutTrailingZeros)
        let isShorter = max(shortest.0.scale, shortest.1.scale) < common
        return isShorter ? shortest.0.adding(shortest.1) : nil
    }

    /// Returns the exact product without trailing zeros, or nil if it has more than 18 digits or 30 decimal places.
    package func multiplied(by other: ExactDecimal) -> ExactDecimal? {
        let (left, right) = (withoutTrailingZeros, other.withoutTrailingZeros)
        guard isDecimal, other.isDecimal else {
            let (dividend, divisor) = (
                Int128(left.coefficient) * Int128(right.coefficient), Int128(left.divisor) * Int128(right.divisor)
            )
            let scale = Int(left.scale) + Int(right.scale)
            return UInt8(exactly: scale).flatMap { ExactDecimal(dividend, over: divisor, scale: $0) }
        }
        var product = Int128(left.coefficient) * Int128(right.coefficient)
        var scale = Int(left.scale) + Int(right.scale)
        while scale > 0, product % 10 == 0 {
            product /= 10
            scale -= 1
        }
        guard scale <= Int(Self.maximumScale) else { return nil }
        return ExactDecimal(digits: product, scale: UInt8(scale))
    }

    package static prefix func - (value: ExactDecimal) -> ExactDecimal {
        var negated = value
        negated.coefficient = 0 &- value.coefficient
        return negated
    }

    private func addingFraction(_ other: ExactDecimal) -> ExactDecimal? {
        let (left, right) = (withoutTrailingZeros, other.withoutTrailingZeros)
        let scale = max(left.scale, right.scale)
        let common = Int128(left.divisor).greatestCommonDivisor(with: Int128(right.divisor))
        let factors = (Int128(right.divisor) / common, Int128(left.divisor) / common)
        guard let one = Int128(left.coefficient).shifted(scale - left.scale),
            let two = Int128(right.coefficient).shifted(scale - right.scale)
        else { return nil }
        let (first, second) = (
            one.multipliedReportingOverflow(by: factors.0), two.multipliedReportingOverflow(by: factors.1)
        )
        let (sum, overflow) = first.partialValue.addingReportingOverflow(second.partialValue)
        guard !overflow, !first.overflow, !second.overflow else { return nil }
        return ExactDecimal(sum, over: Int128(left.divisor) * factors.0, scale: scale)
    }

    /// Returns the coefficient at another scale, with excess digits truncated; nil if it does not fit in 64 bits.
    func truncated(toScale target: UInt8) -> Int64? {
        if scale <= target {
            return Int128(coefficient).shifted(target - scale).flatMap { Int64(exactly: $0 / Int128(divisor)) }
        }
        guard let power = Int128(1).shifted(scale - target) else { return 0 }
        return Int64(exactly: Int128(coefficient) / Int128(divisor) / power)
    }

    /// Returns the number of a scale whose coefficient is a quotient rounded half to even; nil if it does not fit.
    static func rounded(_ dividend: Int128, over divisor: Int128, scale: UInt8) -> ExactDecimal? {
        guard divisor > 0 else { return nil }
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        let below = remainder.magnitude
        let above = divisor.magnitude - below
        let roundsAway = below > above || (below == above && !quotient.isMultiple(of: 2))
        return ExactDecimal(digits: roundsAway ? quotient + remainder.signum() : quotient, scale: scale)
    }

    /// Whether the coefficient and the scale are within the limits that parsing enforces.
    var isStorable: Bool {
        guard coefficient.magnitude < Self.limit.magnitude, scale <= Self.maximumScale else { return false }
        // A fraction has one form only: the one in lowest terms.
        return isDecimal
            || (1...Self.maximumDivisor).contains(divisor) && !divisor.isMultiple(of: 2) && !divisor.isMultiple(of: 5)
                && Int128(coefficient).greatestCommonDivisor(with: Int128(divisor)) == 1
    }

    /// Creates a number from its digits; nil for more than 18 digits.
    init?(digits: Int128, scale: UInt8) {
        guard digits.magnitude < UInt128(Self.limit), let coefficient = Int64(exactly: digits) else { return nil }
        self.init(coefficient: coefficient, scale: scale)
    }

    /// The smallest coefficient that has too many digits.
    package static let limit: Int64 = 1_000_000_000_000_000_000
    package static let maximumScale: UInt8 = 30
}

extension Int128 {
    /// Returns the number multiplied by 10 to the power of `places`; nil if the result does not fit.
    func shifted(_ places: UInt8) -> Int128? {
        if self == 0 { return 0 }
        guard places <= 19 else { return nil }
        var power: Int128 = 1
        for _ in 0..<places { power *= 10 }
        let (product, overflow) = multipliedReportingOverflow(by: power)
        return overflow ? nil : product
    }
}

extension Int64 {
    fileprivate var signumAsInt: Int { Int(signum()) }
}
