import FoundationEssentials
package import HealthModel

/// How the dates of a file are written, such as `dd.MM.yyyy HH:mm`.
///
/// The letters are those of Unicode's date patterns (UTS #35): `yyyy`, `yy`, `MMM` (three letters in English), `MM`, `M`,
/// `dd`, `d`, `HH`, `H`, `hh`, `h`, `a`, `mm`, `ss`, `XXX` (an offset such as `+02:00`, or `Z`). All other characters
/// are literals. Numbers of two digits may lack a leading zero; `yy` is a year from 2000 to 2099.
package struct CSVDatePattern: Hashable, Sendable {
    package let text: String
    private let parts: [Part]

    private enum Part: Hashable {
        case number(Field, digits: ClosedRange<Int>)
        case month, half, offset
        case literal(Character)
    }

    private enum Field: Hashable { case year, shortYear, month, day, hour, shortHour, minute, second }

    /// Throws for a pattern without a year, a month and a day, or with other letters.
    package init(_ text: String) throws(ModelError) {
        var parts: [Part] = []
        var rest = Substring(text)
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            switch (letter, run.count) {
            case ("y", 4): parts.append(.number(.year, digits: 4...4))
            case ("y", 2): parts.append(.number(.shortYear, digits: 2...2))
            case ("M", 3): parts.append(.month)
            case ("M", 1...2): parts.append(.number(.month, digits: 1...2))
            case ("d", 1...2): parts.append(.number(.day, digits: 1...2))
            case ("H", 1...2): parts.append(.number(.hour, digits: 1...2))
            case ("h", 1...2): parts.append(.number(.shortHour, digits: 1...2))
            case ("m", 1...2): parts.append(.number(.minute, digits: 1...2))
            case ("s", 1...2): parts.append(.number(.second, digits: 1...2))
            case ("a", 1): parts.append(.half)
            case ("X", 3): parts.append(.offset)
            case ("T", 1): parts.append(.literal("T"))
            // Quotation marks around literal text, as in UTS #35.
            case ("'", _): break
            default:
                guard !letter.isLetter else {
                    throw ModelError(.invalid, "is no date pattern: write it as dd.MM.yyyy HH:mm")
                }
                parts += Array(repeating: .literal(letter), count: run.count)
            }
        }
        let fields = Set(
            parts.compactMap { part -> Field? in
                if case .number(let field, _) = part { field } else if part == .month { .month } else { nil }
            }
        )
        guard fields.contains(.year) || fields.contains(.shortYear), fields.isSuperset(of: [.month, .day]) else {
            throw ModelError(.invalid, "needs a year, a month and a day, such as dd.MM.yyyy")
        }
        let numbers = parts.compactMap { if case .number(let field, _) = $0 { field } else { nil } }
        guard numbers.count == Set(numbers).count, !(fields.contains(.year) && fields.contains(.shortYear)),
            parts.count(where: { $0 == .month }) + numbers.count(where: { $0 == .month }) == 1
        else { throw ModelError(.invalid, "has a part twice") }
        guard parts.contains(.half) == fields.contains(.shortHour),
            !(fields.contains(.hour) && fields.contains(.shortHour))
        else { throw ModelError(.invalid, "needs HH, or hh with a") }
        // Digits without anything between them are of a fixed number.
        for (index, part) in parts.enumerated().dropLast() {
            if case .number(let field, let digits) = part, case .number = parts[index + 1] {
                parts[index] = .number(field, digits: digits.upperBound...digits.upperBound)
                if index + 1 == parts.count - 1, case .number(let last, let digits) = parts[index + 1] {
                    parts[index + 1] = .number(last, digits: digits.upperBound...digits.upperBound)
                }
            }
        }
        self.text = text
        self.parts = parts
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// A date as it is written, before it is placed in a time zone.
    private struct Written {
        var numbers: [Field: Int] = [:]
        var isAfternoon: Bool?
        /// In minutes.
        var offset: Int?
    }

    /// Returns a day, or a moment if the pattern has an hour; nil for text of another form, or a time that does not exist.
    ///
    /// The zone is that of the clock that wrote the times. Of two moments that the clock shows alike, as when it is set
    /// back in autumn, the first one is taken.
    func date(_ text: String, in zone: TimeZone) -> OccurredDate? {
        guard let written = read(text), let month = written.numbers[.month], let date = written.numbers[.day],
            let year = written.numbers[.year] ?? written.numbers[.shortYear].map({ 2_000 + $0 }),
            let day = Day(year: year, month: month, day: date)
        else { return nil }
        guard var hour = written.numbers[.hour] ?? written.numbers[.shortHour] else { return .day(day) }
        if written.numbers[.hour] == nil {
            guard (1...12).contains(hour), let isAfternoon = written.isAfternoon else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        let (minute, second) = (written.numbers[.minute] ?? 0, written.numbers[.second] ?? 0)
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        let seconds = Int64(hour * 3_600 + minute * 60 + second)
        if let offset = written.offset {
            let local = day.startInstant.microseconds + seconds * Instant.microsecondsPerSecond
            return .instant(Instant(microseconds: local - Int64(offset) * Instant.microsecondsPerMinute))
        }
        return day.instants(atSecond: seconds, in: zone).first.map { .instant($0) }
    }

    private func read(_ text: String) -> Written? {
        var written = Written()
        var rest = Substring(text.trimmed)
        for part in parts {
            switch part {
            case .literal(let character):
                guard rest.first == character else { return nil }
                rest = rest.dropFirst()
            case .number(let field, let digits):
                let number = rest.prefix(digits.upperBound).prefix { $0.isASCII && $0.isNumber }
                guard digits.contains(number.count), let value = Int(number) else { return nil }
                written.numbers[field] = value
                rest = rest.dropFirst(number.count)
            case .month:
                guard let index = Self.months.firstIndex(of: rest.prefix(3).lowercased()) else { return nil }
                written.numbers[.month] = index + 1
                rest = rest.dropFirst(3)
            case .half:
                let word = rest.prefix(2).lowercased()
                guard word == "am" || word == "pm" else { return nil }
                written.isAfternoon = word == "pm"
                rest = rest.dropFirst(2)
            case .offset:
                if rest.first == "Z" {
                    written.offset = 0
                    rest = rest.dropFirst()
                    continue
                }
                let sign = rest.first == "-" ? -1 : 1
                guard rest.first == "+" || rest.first == "-",
                    let time = try? WallTime(parsing: String(rest.dropFirst().prefix(5)))
                else { return nil }
                written.offset = sign * time.minutes
                rest = rest.dropFirst(6)
            }
        }
        return rest.isEmpty ? written : nil
    }

    // MARK: - Guessing

    /// The patterns that are tried if a mapping names none.
    static let common: [CSVDatePattern] = {
        let days = [
            "yyyy-MM-dd", "yyyy/MM/dd", "yyyy.MM.dd", "dd.MM.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "dd-MM-yyyy",
            "MM-dd-yyyy", "d MMM yyyy", "MMM d, yyyy", "yyyyMMdd",
        ]
        let times = ["", " HH:mm", " HH:mm:ss", " h:mm a", " h:mm:ss a", ", HH:mm", ", h:mm a"]
        let texts =
            ["yyyy-MM-ddTHH:mm:ssXXX", "yyyy-MM-ddTHH:mm:ss", "yyyy-MM-ddTHH:mm"]
            + days.flatMap { day in times.map { day + $0 } }
        return texts.compactMap { try? CSVDatePattern($0) }
    }()
}
