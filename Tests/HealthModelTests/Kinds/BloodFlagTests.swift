import Testing

@testable import HealthModel

@Suite("Laboratory results and their ranges")
struct BloodFlagTests {
    @Test(
        "A value is compared with its range, and one that is only a limit where it says enough",
        arguments: [
            ("3.9", "4.0", "6.0", .low), ("4.0", "4.0", "6.0", .normal), ("6.0", "4.0", "6.0", .normal),
            ("6.01", "4.0", "6.0", .high), ("6,01", "4.0", "6.0", .high), ("1 200", nil, "1000", .high),
            ("5", "4", nil, .normal), ("3", "4", nil, .low), ("7", nil, "6", .high), ("-2", "-1", "1", .low),
            ("<4", "4", "6", .low), ("<=4", "4", "6", nil), ("<5", "4", "6", nil), ("<5", nil, "6", .normal),
            ("<7", nil, "6", nil), (">6", "4", "6", .high), ("≥6", "4", "6", nil), (">5", "4", "6", nil),
            (">5", "4", nil, .normal), (">3", "4", nil, nil), ("negative", "4", "6", nil), ("1:128", nil, "6", nil),
            ("250,000", "150", "400", nil), ("5", nil, nil, nil), ("5", "6", "4", nil),
        ] as [(String, String?, String?, Blood.Flag?)]
    )
    func flags(_ value: String, _ low: String?, _ high: String?, _ expected: Blood.Flag?) throws {
        var content = EntryContent(kind: Blood.kind)
        try content.set("name", text: "Potassium")
        try content.set("value", text: value)
        if let low { try content.set("low", text: low) }
        if let high { try content.set("high", text: high) }
        #expect(content.flagByRange == expected)
    }
}
