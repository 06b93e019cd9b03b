/// Where values lie between the ends of an axis, and at which of them there are lines.
struct ChartScale {
    let lowest: Double
    let highest: Double
    /// Round values, from the lowest up.
    let steps: [Double]
    /// Digits behind the point that the steps need.
    let digits: Int

    /// Reaches a little beyond the values, to round ones; from zero on for bars.
    init(_ values: [Double], fromZero: Bool = false) {
        var low = values.min() ?? 0
        var high = values.max() ?? 1
        if fromZero { (low, high) = (min(0, low), max(0, high)) }
        if high == low { (low, high) = fromZero ? (low, low + 1) : (low - 1, high + 1) }
        // Values that hardly differ are not told apart by steps that numbers of this size do not have.
        let finest = max(low.magnitude, high.magnitude) * 1e-9
        let step = ChartScale.roundStep(max((high - low) / 4, finest))
        if (high / step).rounded(.up) == (low / step).rounded(.down) { high += step }
        lowest = (low / step).rounded(.down) * step
        highest = (high / step).rounded(.up) * step
        let count = Int(((highest - lowest) / step).rounded())
        let lowest = lowest
        steps = (0...count).map { lowest + Double($0) * step }
        digits = ChartScale.digits(of: step)
    }

    /// From 0 at the lowest to 1 at the highest.
    func place(_ value: Double) -> Double { (value - lowest) / (highest - lowest) }

    /// 1, 2 or 5 with zeros, not smaller than the given one.
    private static func roundStep(_ rough: Double) -> Double {
        var unit = 1.0
        while unit * 10 <= rough { unit *= 10 }
        while unit > rough, unit > 1e-9 { unit /= 10 }
        return [1, 2, 5, 10].lazy.map { $0 * unit }.first { $0 >= rough * 0.999 } ?? unit * 10
    }

    private static func digits(of step: Double) -> Int {
        var (digits, value) = (0, step)
        while digits < 9, (value - value.rounded()).magnitude > 1e-6 {
            value *= 10
            digits += 1
        }
        return digits
    }
}

/// A number of a picture, short.
func coordinate(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
