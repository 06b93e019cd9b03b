import FoundationEssentials
package import HealthModel

/// How the dates of a file are written, such as `dd.MM.yyyy HH:mm`.
///
/// The letters are those of Unicode's date patterns (UTS #35): `yyyy`, `yy`, `MMM` (a name in English, German or French,
/// whole or shortened), `MM`, `M`, `dd`, `d`, `HH`, `H`, `hh`, `h`, `a`, `mm`, `ss`, `XXX` (an offset such as `+02:00`, or
/// `Z`). All other characters are literals. Numbers of two digits may lack a leading zero; `yy` is a year from 2000 to 2099.
/// Seconds may have a fraction, which is read to the microsecond.
///
/// ``epochSeconds`` and ``epochMilliseconds`` are numbers since 1970 in UTC, as programs write them.
package struct CSVDatePattern: Hashable, Sendable {
    package let text: String
    private let parts: [Part]
    /// Other forms of the time behind the same form of the day, for a file that mixes them.
    private var otherTimes: [CSVDatePattern] = []

    private enum Part: Hashable {
        case number(Field, digits: ClosedRange<Int>)
        case month, half, offset
        case literal(Character)
        /// A number of parts of a second since 1970, of which `perSecond` are one.
        case epoch(perSecond: Int64)
    }

    package static let epochSeconds = "epoch seconds"
    package static let epochMilliseconds = "epoch milliseconds"

    private enum Field: Hashable { case year, shortYear, month, day, hour, shortHour, minute, second }

    /// Throws for a pattern without a year, a month and a day, or with other letters.
    package init(_ text: String) throws(ModelError) {
        if text == Self.epochSeconds || text == Self.epochMilliseconds {
            self.text = text
            parts = [.epoch(perSecond: text == Self.epochSeconds ? 1 : 1_000)]
            return
        }
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

    /// The names of months in the languages of the pages, whole and shortened, with their numbers; the longest first.
    private static let months: [(name: String, number: Int)] = {
        let names = [
            ["jan", "january", "januar", "jänner", "janv", "janvier"],
            ["feb", "february", "februar", "févr", "fév", "février"],
            ["mar", "march", "mär", "mrz", "märz", "mars"], ["apr", "april", "avr", "avril"], ["may", "mai"],
            ["jun", "june", "juni", "juin"], ["jul", "july", "juli", "juil", "juillet"], ["aug", "august", "août"],
            ["sep", "sept", "september", "septembre"], ["oct", "october", "okt", "oktober", "octobre"],
            ["nov", "november", "novembre"], ["dec", "december", "dez", "dezember", "déc", "décembre"],
        ]
        return names.enumerated().flatMap { index, names in names.map { ($0, index + 1) } }
            .sorted { $0.0.count > $1.0.count }
    }()

    /// A date as it is written, before it is placed in a time zone.
    private struct Written {
        var numbers: [Field: Int] = [:]
        var isAfternoon: Bool?
        /// In minutes.
        var offset: Int?
        /// The fraction of the second.
        var microseconds: Int64 = 0
    }

    /// Returns a day, or a moment if the pattern has an hour; nil for text of another form, or a time that does not exist.
    ///
    /// The zone is that of the clock that wrote the times. Of two moments that the clock shows alike, as when it is set
    /// back in autumn, the first one is taken.
    func date(_ text: String, in zone: TimeZone) -> OccurredDate? {
        if case .epoch(let perSecond)? = parts.first { return Self.moment(text, perSecond: perSecond) }
        if !otherTimes.isEmpty { return otherTimes.lazy.compactMap { $0.date(text, in: zone) }.first }
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
            return .instant(
                Instant(microseconds: local - Int64(offset) * Instant.microsecondsPerMinute + written.microseconds)
            )
        }
        return day.instants(atSecond: seconds, in: zone).first
            .map { .instant(Instant(microseconds: $0.microseconds + written.microseconds)) }
    }

    /// Returns the moment of a number since 1970, in the years 1990 to 2100; nil for other text.
    private static func moment(_ text: String, perSecond: Int64) -> OccurredDate? {
        let text = text.trimmed
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else { return nil }
        guard (631_152_000 * perSecond..<4_102_444_800 * perSecond).contains(number) else { return nil }
        return .instant(Instant(microseconds: number * (Instant.microsecondsPerSecond / perSecond)))
    }

    private func read(_ text: String) -> Written? {
        var written = Written()
        // Some systems write a fixed space, also a narrow one, before AM and PM.
        var rest = Substring(text.trimmed.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " "))
        for (index, part) in parts.enumerated() {
            let next: Character? =
                if index + 1 < parts.count, case .literal(let literal) = parts[index + 1] { literal } else { nil }
            switch part {
            case .literal(let character):
                guard rest.first == character else { return nil }
                rest = rest.dropFirst()
            case .number(let field, let digits):
                let number = rest.prefix(digits.upperBound).prefix { $0.isASCII && $0.isNumber }
                guard digits.contains(number.count), let value = Int(number) else { return nil }
                written.numbers[field] = value
                rest = rest.dropFirst(number.count)
                if field == .second, next != ".", next != ",", let fraction = Self.fraction(&rest) {
                    written.microseconds = fraction
                }
            case .epoch: return nil
            case .month:
                let word = rest.lowercased()
                guard let month = Self.months.first(where: { word.hasPrefix($0.name) }) else { return nil }
                written.numbers[.month] = month.number
                rest = rest.dropFirst(month.name.count)
                if rest.first == ".", next != "." { rest = rest.dropFirst() }
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

    /// Takes the fraction of a second from the beginning of a text, and returns it in microseconds; nil if there is none.
    private static func fraction(_ rest: inout Substring) -> Int64? {
        guard rest.first == "." || rest.first == "," else { return nil }
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.count) else { return nil }
        rest = rest.dropFirst(1 + digits.count)
        return Int64(digits.prefix(6) + String(repeating: "0", count: max(0, 6 - digits.count)))
    }

    // MARK: - Guessing

    private static let days = [
        "yyyy-MM-dd", "yyyy/MM/dd", "yyyy.MM.dd", "dd.MM.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "dd-MM-yyyy", "MM-dd-yyyy",
        "d MMM yyyy", "d. MMM yyyy", "MMM d, yyyy", "yyyyMMdd",
    ]
    private static let times = ["", " HH:mm", " HH:mm:ss", " h:mm a", " h:mm:ss a", ", HH:mm", ", h:mm a"]

    /// The patterns that are tried if a mapping names none.
    static let common: [CSVDatePattern] = {
        let texts =
            ["yyyy-MM-ddTHH:mm:ssXXX", "yyyy-MM-ddTHH:mm:ss", "yyyy-MM-ddTHH:mm", epochSeconds, epochMilliseconds]
            + days.flatMap { day in times.map { day + $0 } }
        return texts.compactMap { try? CSVDatePattern($0) }
    }()

    /// The patterns with one form of the day and any form of the time, which are tried if none of the common ones fits all
    /// dates of a file: some programs write the time of each line as the telephone shows it then.
    static let mixed: [CSVDatePattern] = days.compactMap { day in
        let patterns = times.compactMap { try? CSVDatePattern(day + $0) }
        guard var pattern = patterns.first(where: { $0.text == day + " HH:mm" }) else { return nil }
        pattern.otherTimes = patterns
        return pattern
    }
}
