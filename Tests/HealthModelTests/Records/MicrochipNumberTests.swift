import Testing

@testable import HealthModel

@Suite("Microchip numbers")
struct MicrochipNumberTests {
    @Test(
        "A number of ISO 11784 raises no doubt, and anything else says what is unusual",
        arguments: [
            ("756098100000042", nil), ("756 0981 0000 0042", nil), ("985.112-001234567", nil), ("", nil),
            ("75609810000004", MicrochipNumber.Doubt.length(14)), ("7560981000000421", .length(16)),
            ("0123456789", .length(10)), ("756O98100000042", .notDigits), ("٧٥٦٠٩٨١٠٠٠٠٠٠٤٢", .notDigits),
            ("000098100000042", .unknownCode), ("999098100000042", .testCode), ("756274877906943", nil),
            ("756274877906944", .tooLarge),
        ]
    )
    func doubts(_ number: String, _ doubt: MicrochipNumber.Doubt?) {
        #expect(MicrochipNumber.doubt(about: number) == doubt)
    }
}
