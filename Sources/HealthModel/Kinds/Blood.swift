/// A blood value or another laboratory result.
package enum Blood {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    /// A text, because a source may contain `<5`, `1:128` or `negative`.
    package static let value = Field(2, "value", "Value", .text(maximum: Limits.line))
    package static let unit = Field(3, "unit", "Unit", .text(maximum: Limits.line))
    /// The reference range of the laboratory, in the unit of the value; both ends belong to it.
    package static let low = Field(4, "low", "Normal from", .decimal(bounds))
    package static let high = Field(5, "high", "Normal to", .decimal(bounds))
    /// The reference in words, such as `negative`.
    package static let normal = Field(6, "normal", "Normal", .text(maximum: Limits.line))
    /// How the laboratory marked the value.
    package static let flag = Field(7, "flag", "Marked as", .choice(Flag.allCases.map(\.rawValue)))
    /// The profile of several results to which it belongs, such as `Lipids`.
    package static let panel = Field(8, "panel", "Panel", .text(maximum: Limits.line))
    package static let specimen = Field(9, "specimen", "Specimen", .text(maximum: Limits.line))
    package static let laboratory = Field(10, "laboratory", "Laboratory", .text(maximum: Limits.line))
    package static let fasting = Field(11, "fasting", "Fasting", .flag)

    private static let bounds: ClosedRange<Int64> = -1_000_000_000...1_000_000_000

    /// How a value compares with its reference, by the codes of HL7
    /// (http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation).
    package enum Flag: String, CaseIterable, Sendable {
        case low = "L"
        case high = "H"
        case veryLow = "LL"
        case veryHigh = "HH"
        case abnormal = "A"
        case normal = "N"
    }

    package static let kind = Kind(
        code: 11,
        name: "blood",
        label: "Blood value",
        plural: "Blood values",
        section: .myhealth,
        fields: [
            name, value, unit, low, high, normal, flag, panel, specimen, laboratory, fasting, SharedFields.codes,
        ],
        summary: [name, value, unit],
        example: ["date": "2024-02-16", "name": "HbA1c", "value": "5.4", "unit": "%"]
    )
}

extension EntryContent {
    /// How a result compares with its reference range; nil without a range, or if its value does not say.
    package var flagByRange: Blood.Flag? {
        let (low, high) = (body.decimal(Blood.low), body.decimal(Blood.high))
        guard kind == Blood.kind, low != nil || high != nil, let text = body.text(Blood.value) else { return nil }
        // A range whose ends are the wrong way round says nothing.
        if let low, let high, high < low { return nil }
        let comparator = ["<=", ">=", "≤", "≥", "<", ">"].first { text.hasPrefix($0) }
        guard let value = ExactDecimal(written: String(text.dropFirst(comparator?.count ?? 0))) else { return nil }
        switch comparator {
        case nil:
            if let low, value < low { return .low }
            if let high, value > high { return .high }
            return .normal
        case "<", "<=", "≤":
            // It is at most this, and may be far less.
            if let low, value < low || comparator == "<" && value == low { return .low }
            if low == nil, let high, value <= high { return .normal }
        default:
            if let high, value > high || comparator == ">" && value == high { return .high }
            if high == nil, let low, value >= low { return .normal }
        }
        return nil
    }

    /// How the laboratory marked the result.
    package var flagAsSent: Blood.Flag? {
        kind == Blood.kind ? body.text(Blood.flag).flatMap(Blood.Flag.init(rawValue:)) : nil
    }
}
