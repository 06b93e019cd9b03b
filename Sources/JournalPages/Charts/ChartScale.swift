/// The scale of an axis: its range and the values of its grid lines.
struct ChartScale {
    let lowest: Double
    let highest: Double
    /// Round values in ascending order, from `lowest` to `highest`.
    let steps: [Double]
    /// The number of decimal places that the steps need.
    let digits: Int

    /// Creates a scale whose ends are the nearest round values outside the given ones; with `fromZero`, it includes
    /// zero.
    init(_ values: [Double], fromZero: Bool = false) {
        var low = values.min() ?? 0
        var high = values.max() ?? 1
        if fromZero { (low, high) = (min(0, low), max(0, high)) }
        if high == low { (low, high) = fromZero ? (low, low + 1) : (low - 1, high + 1) }
        // A lower bound of the step: with values that are almost equal, smaller steps are below the precision of a
        // `Double`.
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

    /// Returns the range of all values but the few that are far from the others, which would make these look equal.
    ///
    /// Such an outlier is farther from the middle half of the values than eight times their spread. Returns nil if there is
    /// none, or if more than a tenth of the values are: then the chart has to show them.
    static func usual(_ values: [Double]) -> ClosedRange<Double>? {
        guard values.count >= 5 else { return nil }
        let sorted = values.sorted()
        let (low, high) = (sorted[sorted.count / 4], sorted[sorted.count * 3 / 4])
        let spread = max(high - low, 0.1 * sorted[sorted.count / 2].magnitude)
        // Almost all values are zero: the chart has to show any other.
        if spread == 0 { return nil }
        let near = sorted.filter { $0 >= low - 8 * spread && $0 <= high + 8 * spread }
        let count = sorted.count - near.count
        guard count > 0, count <= max(1, sorted.count / 10), let least = near.first, let most = near.last else {
            return nil
        }
        return least...most
    }

    /// Returns the relative place of a value: 0 at `lowest`, 1 at `highest`.
    func place(_ value: Double) -> Double { (value - lowest) / (highest - lowest) }

    /// Returns the smallest of 1, 2 or 5 times a power of ten that is not less than `rough`.
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

/// Formats a coordinate for SVG, with at most one decimal place.
func coordinate(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
