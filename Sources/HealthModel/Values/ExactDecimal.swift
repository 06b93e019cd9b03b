/// A decimal number exactly as it was entered: `75.50` keeps its last zero, and equals `75.5`.
package struct ExactDecimal: Sendable {
    /// The digits as a whole number: 7550 of `75.50`.
    package var coefficient: Int64
    /// How many of the digits stand behind the point: 2 of `75.50`.
    package var scale: UInt8

    package init(coefficient: Int64, scale: UInt8) {
        self.coefficient = coefficient
        self.scale = scale
    }
}
