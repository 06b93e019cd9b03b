/// The ranges within which a vital sign is taken as a measurement and not as a typing error.
extension VitalSigns {
    /// Throws an error that names the first vital sign outside its range.
    package func validate() throws(ModelError) {
        try check(temperature, "temperature", Self.whole(10)...Self.whole(50))
        try check(heartRate, "heartRate", 1...1_000)
        try check(respiratoryRate, "respiratoryRate", 1...500)
        try check(bloodPressure?.systolic, "bloodPressure.systolic", 1...400)
        try check(bloodPressure?.diastolic, "bloodPressure.diastolic", 1...400)
        try check(bloodPressure?.mean, "bloodPressure.mean", 1...400)
        try check(weight, "weight", Self.whole(0)...Self.whole(1_000_000))
        try check(capillaryRefill, "capillaryRefill", Self.whole(0)...Self.whole(10))
        try check(oxygenSaturation, "oxygenSaturation", 1...100)
        try check(pain, "pain", 0...4)
    }

    private func check<Value: Comparable & CustomStringConvertible>(
        _ value: Value?,
        _ field: String,
        _ range: ClosedRange<Value>
    ) throws(ModelError) {
        guard let value, !range.contains(value) else { return }
        throw ModelError(.invalid, field: field, "must be between \(range.lowerBound) and \(range.upperBound)")
    }

    private static func whole(_ value: Int64) -> ExactDecimal { ExactDecimal(coefficient: value, scale: 0) }

    /// Returns a temperature in degrees Celsius, rounded half to even to two decimal places; nil if it does not fit.
    ///
    /// Two places, because one place would move 104.95 °F (40.53 °C) onto the limit of 40.5 °C.
    package static func celsius(fromFahrenheit value: ExactDecimal) -> ExactDecimal? {
        guard value.scale <= 18 else { return nil }
        let unit = (0..<value.scale).reduce(Int128(1)) { power, _ in power * 10 }
        let aboveFreezing = Int128(value.coefficient) - 32 * unit
        return ExactDecimal.rounded(aboveFreezing * 500, over: 9 * unit, scale: 2)?.withoutTrailingZeros
    }
}
