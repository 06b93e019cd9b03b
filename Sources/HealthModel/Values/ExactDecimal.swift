/// A decimal number exactly as it was entered: `75.50` keeps its last zero, and equals `75.5`.
package struct ExactDecimal: Sendable {
    /// The digits as a whole number: 7550 for `75.50`.
    package var coefficient: Int64
    /// The number of decimal places: 2 for `75.50`.
    package var scale: UInt8

    package init(coefficient: Int64, scale: UInt8) {
        self.coefficient = coefficient
        self.scale = scale
    }
}
