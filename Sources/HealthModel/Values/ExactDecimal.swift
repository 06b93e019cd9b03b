/// A number exactly as it was entered: `75.50` keeps its last zero, and equals `75.5`.
///
/// An amount may also be a fraction that no decimal number equals, such as 1/3; ``divisor`` is 1 for all others.
package struct ExactDecimal: Sendable {
    /// The digits as a whole number: 7550 for `75.50`.
    package var coefficient: Int64
    /// The number of decimal places: 2 for `75.50`.
    package var scale: UInt8
    /// By what the decimal number is divided: 3 for 1/3.
    ///
    /// Neither 2 nor 5 divides it.
    package internal(set) var divisor: UInt32 = 1

    package init(coefficient: Int64, scale: UInt8) {
        self.coefficient = coefficient
        self.scale = scale
    }
}

extension ExactDecimal: CustomStringConvertible {
    /// Parses a number such as `75.50`, `-3` or `1.5e3`, without rounding.
    ///
    /// Throws for more than 18 significant digits or more than 30 decimal places.
    package init(parsing text: String) throws(ModelError) {
        let malformed = ModelError(.invalid, "not a number: write it as 75.5")
        guard text.utf8.count <= 64 else { throw malformed }
        var reader = DigitReader(text)
        let isNegative = reader.skip("-")
        let whole = reader.digits()
        var fraction = Substring("").utf8
        if reader.skip(".") {
            fraction = reader.digits()
            if fraction.isEmpty { throw malformed }
        }
        var exponent = 0
        if !whole.isEmpty, reader.skip("e", "E") {
            let isSmall = reader.next == UInt8(ascii: "-")
            _ = reader.skip("+", "-")
            guard let magnitude = Int(Substring(reader.digits())) else { throw malformed }
            exponent = isSmall ? -magnitude : magnitude
        }
        guard !whole.isEmpty, reader.isAtEnd else { throw malformed }

        var coefficient: Int64 = 0
        for digit in [Array(whole), Array(fraction)].joined() {
            guard coefficient < Self.limit / 10 else { throw Self.tooLong }
            coefficient = coefficient * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        var scale = fraction.count - min(max(exponent, -1_000), 1_000)
        if coefficient == 0 { scale = max(scale, 0) }
        while scale < 0 {
            guard coefficient < Self.limit / 10 else { throw Self.tooLong }
            coefficient *= 10
            scale += 1
        }
        guard scale <= Int(Self.maximumScale) else { throw Self.tooLong }
        self.init(coefficient: isNegative ? -coefficient : coefficient, scale: UInt8(scale))
    }

    private static let tooLong = ModelError(.invalid, "a number has at most 18 digits, and 30 after the decimal point")

    /// The number as it was entered, written without an exponent; a fraction is written as `1 1/3`.
    package var description: String {
        guard isDecimal else { return fractionText }
        let digits = coefficient.magnitude.padded(to: Int(scale) + 1)
        let sign = coefficient < 0 ? "-" : ""
        guard scale > 0 else { return sign + digits }
        return "\(sign)\(digits.dropLast(Int(scale))).\(digits.suffix(Int(scale)))"
    }
}
