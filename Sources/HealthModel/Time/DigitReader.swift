/// A reader of the ASCII digits and separators of dates, times and decimal numbers.
struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }
    var next: UInt8? { rest.first }

    /// Reads exactly `count` ASCII digits as a number; nil if there are fewer.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads all ASCII digits up to the next other character.
    mutating func digits() -> Substring.UTF8View {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest.dropFirst(digits.count)
        return digits
    }

    /// Skips the next character if it is one of those given, and reports whether it was.
    mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
        guard let next, characters.contains(where: { $0.value == UInt32(next) }) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads a date; nil if the text has another form, a failure if the calendar has no such day.
    mutating func day() -> Result<Day, ModelError>? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else { return nil }
        guard let parsed = Day(year: year, month: month, day: day) else {
            return .failure(ModelError(.invalid, "the calendar has no such day"))
        }
        return .success(parsed)
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
