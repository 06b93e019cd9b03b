/// Reads the fixed-width numbers of which dates and times are written.
struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }
    var next: UInt8? { rest.first }

    /// Exactly so many ASCII digits, as a number.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// All ASCII digits up to something else.
    mutating func digits() -> Substring.UTF8View {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest.dropFirst(digits.count)
        return digits
    }

    /// Whether one of the characters comes next, which is then read.
    mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
        guard let next, characters.contains(where: { $0.value == UInt32(next) }) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// A date; nil where the text is not shaped like one, a failure where the calendar has no such day.
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
}
