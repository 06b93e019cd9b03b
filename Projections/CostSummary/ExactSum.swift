package import HealthModel

/// A sum of decimals, exact for any number of costs that a journal can hold.
package struct ExactSum: Sendable {
    /// The digits as a whole number. An amount has at most 18 of them, so these cannot run over.
    var coefficient: Int128 = 0
    /// How many of the digits stand behind the point.
    var scale: UInt8 = 0

    package init() {}

    init(coefficient: Int128, scale: UInt8) {
        self.coefficient = coefficient
        self.scale = scale
    }

    package init(_ amount: ExactDecimal) {
        self.init(coefficient: Int128(amount.coefficient), scale: amount.scale)
    }

    package var negated: ExactSum { ExactSum(coefficient: -coefficient, scale: scale) }

    package static func + (left: ExactSum, right: ExactSum) -> ExactSum {
        let scale = max(left.scale, right.scale)
        return ExactSum(coefficient: left.coefficient(at: scale) + right.coefficient(at: scale), scale: scale)
    }

    private func coefficient(at scale: UInt8) -> Int128 {
        var result = coefficient
        for _ in self.scale..<max(scale, self.scale) { result *= 10 }
        return result
    }
}

extension ExactSum: Hashable {
    package static func == (left: ExactSum, right: ExactSum) -> Bool {
        let scale = max(left.scale, right.scale)
        return left.coefficient(at: scale) == right.coefficient(at: scale)
    }

    package func hash(into hasher: inout Hasher) {
        var (coefficient, scale) = (coefficient, scale)
        while scale > 0, coefficient % 10 == 0 {
            coefficient /= 10
            scale -= 1
        }
        hasher.combine(coefficient)
        hasher.combine(scale)
    }
}

extension ExactSum: CustomStringConvertible {
    /// The sum with all its digits, as `1250.50`.
    package var description: String {
        let digits = String(coefficient.magnitude)
        let sign = coefficient < 0 ? "-" : ""
        guard scale > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, Int(scale) + 1 - digits.count)) + digits
        return sign + padded.dropLast(Int(scale)) + "." + padded.suffix(Int(scale))
    }
}
