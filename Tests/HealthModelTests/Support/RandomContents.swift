import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

extension SeededGenerator {
    mutating func text(upTo count: Int) -> String {
        let alphabet: [Character] = [
            "a", "Z", "9", " ", "ß", "é", "名", "🐕", "👩‍👧", "\n", "\t", "\"", "\\", "<", "\u{202d}", "ع",
        ]
        return String((0..<int(1...max(1, count))).map { _ in alphabet[int(0...alphabet.count - 1)] })
    }

    mutating func decimal() -> ExactDecimal {
        let magnitude = (0..<int(0...17)).reduce(Int64(1)) { power, _ in power * 10 }
        let coefficient = Int64.random(in: -magnitude * 9...magnitude * 9, using: &self)
        return ExactDecimal(coefficient: coefficient, scale: UInt8(int(0...20)))
    }

    /// Returns an amount such as 1 1/3, or a decimal number that was written as a fraction.
    mutating func fraction() -> ExactDecimal {
        let divisor = Int128(int(1...99))
        return ExactDecimal(Int128(int(1...5_000)), over: divisor) ?? decimal()
    }

    mutating func day() -> Day {
        Day(daysSince1970: Int32.random(in: Day.earliestEntered.daysSince1970...36_000, using: &self))
    }

    mutating func instant() -> Instant {
        Instant(microseconds: Int64.random(in: -2_000_000_000_000_000...3_000_000_000_000_000, using: &self))
    }

    /// Returns a random value that a stored field of this type may have.
    mutating func value(_ type: FieldType) throws -> FieldValue {
        switch type {
        case .text: .text(text(upTo: 20))
        case .choice(let words): .text(try pick(words))
        case .decimal(_, let fractions): .decimal(fractions && bool() ? fraction() : decimal())
        case .integer: .integer(Int64.random(in: .min ... .max, using: &self))
        case .flag: .flag(bool())
        case .day: .day(day())
        case .dayOrPeriod: try pick([.day(day()), .text("1951"), .text("1951-03")])
        case .instant: .instant(instant())
        case .wallTime: .text("08:00")
        case .wallMoment: .text("2026-05-04T12:00")
        case .partialDate: .text(try pick(["2026", "2026-05", "2026-05-04"]))
        case .zone: .text("Europe/Berlin")
        case .id, .entry: .id(UUID.random(using: &self))
        case .bytes: .bytes((0..<int(0...8)).map { _ in UInt8(int(0...255)) })
        case .group(let fields): .group(try values(fields))
        case .list(let element, _): .list(try (0..<int(0...3)).map { _ in try value(element) })
        }
    }

    mutating func values(_ fields: [Field]) throws -> FieldValues {
        var values = FieldValues()
        for field in fields where int(0...3) > 0 { values[field] = try value(field.type) }
        // Newer versions may have stored fields that this version does not define.
        if int(0...3) == 0 { values[number: UInt32(int(1_000...100_000))] = .text(text(upTo: 5)) }
        return values
    }

    mutating func content() throws -> EntryContent {
        let kind = try pick(Kind.all)
        var content = EntryContent(kind: kind, body: try values(kind.fields))
        content.date =
            [
                nil, .day(day()), .instant(instant()), .date(.month(year: int(0...9_999), month: int(1...12))),
                .date(.year(int(0...9_999))),
            ][int(0...4)]
        if bool() { content.comment = text(upTo: 200) }
        content.voiceEntryUsed = bool()
        if bool() { content.inferred = ["date", text(upTo: 5)] }
        if bool() { content.extra = [Extra(name: text(upTo: 5), json: "{\"a\":[1,2]}")] }
        return content
    }
}
