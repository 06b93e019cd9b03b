package import Foundation
package import HealthModel

/// The reader of a page: how dates, numbers and weights are formatted for them.
///
/// No value is rounded, except a weight that is converted to another unit.
package struct Reader: Sendable {
    package let locale: Locale
    /// The time zone in which moments are shown.
    package let zone: TimeZone
    /// The unit in which weights are shown; nil for the unit in which each was measured.
    package let weightUnit: String?
    /// The unit in which weights are entered and charted for a reader who prefers stones.
    var measuredWeightUnit: String? { weightUnit == "st" ? "lb" : weightUnit }
    package let words: Words
    private let decimalSeparator: String
    private let groupingSeparator: String

    package init(_ language: ReaderLanguage, zone: TimeZone, weightUnit: String? = nil) {
        (words, locale) = (language.words, language.locale)
        self.zone = zone
        self.weightUnit = weightUnit
        decimalSeparator = locale.decimalSeparator ?? "."
        groupingSeparator = locale.groupingSeparator ?? ""
    }

    /// Returns the display name of a record; a placeholder for a missing name in the reader's language.
    package func name(_ displayName: String) -> String {
        switch displayName {
        case RecordProfile.unnamedPerson: words["unnamedPerson"]
        case RecordProfile.unnamedAnimal: words["unnamedAnimal"]
        default: displayName
        }
    }

    // MARK: - Dates

    package func day(_ day: Day) -> String { written(day.startInstant, .gmt, .omitted) }

    /// Formats a day with its weekday.
    package func weekday(_ day: Day) -> String {
        let style = Date.FormatStyle(locale: locale, calendar: Reader.calendar, timeZone: .gmt)
        return day.startInstant.date.formatted(style.weekday(.wide).day().month(.wide).year())
    }

    /// Formats a day, a month or a year as precisely as it is known; returns any other text unchanged.
    func partialDate(_ text: String) -> String {
        (try? PartialDate(parsing: text)).map(partialDate) ?? text
    }

    func partialDate(_ date: PartialDate) -> String {
        switch date {
        case .day(let day): return self.day(day)
        case .month: return month(date.firstDay)
        case .year: return date.description
        }
    }

    /// Formats the month of a day.
    func month(_ day: Day) -> String {
        let style = Date.FormatStyle(locale: locale, calendar: Reader.calendar, timeZone: .gmt).year().month()
        return day.startInstant.date.formatted(style)
    }

    /// Formats a moment with the time zone.
    package func moment(_ instant: Instant) -> String {
        "\(written(instant, zone, .shortened)) \(zoneName(at: instant))"
    }

    /// Formats the day of a moment, in the reader's time zone.
    package func day(of instant: Instant) -> String { written(instant, zone, .omitted) }

    /// Formats a moment to the second, with the time zone, as in the audit trail.
    package func exactMoment(_ instant: Instant) -> String {
        "\(written(instant, zone, .standard)) \(zoneName(at: instant))"
    }

    /// Formats when an entry happened; midnight in UTC is how imports represent a day, and is shown as one.
    ///
    /// A time has no time zone, which the page says once.
    package func occurred(_ date: OccurredDate) -> String {
        switch date {
        case .date(let date): partialDate(date)
        case .instant(let instant) where instant.isMidnightUTC: day(Day(of: instant))
        case .instant(let instant): isRepeated(instant) ? moment(instant) : written(instant, zone, .shortened)
        }
    }

    /// Whether the clocks showed the time of a moment twice, because they were set back.
    private func isRepeated(_ instant: Instant) -> Bool {
        func offset(_ shift: Int) -> Int { zone.secondsFromGMT(for: instant.adding(minutes: shift).date) }
        let own = offset(0)
        // Clocks are set back by half an hour, an hour or two hours.
        return [-120, -60, -30, 30, 60, 120].contains { own - offset($0) == $0 * 60 }
    }

    private func zoneName(at instant: Instant) -> String {
        if zone == .gmt { return "UTC" }
        return zone.abbreviation(for: instant.date) ?? zone.identifier
    }

    private func written(_ instant: Instant, _ zone: TimeZone, _ time: Date.FormatStyle.TimeStyle) -> String {
        let style = Date.FormatStyle(
            date: .abbreviated,
            time: time,
            locale: locale,
            calendar: Reader.calendar,
            timeZone: zone
        )
        return instant.date.formatted(style)
    }

    /// Writes a moment as the reader's clock shows it, in the form that inputs have: `2026-03-01T08:00`.
    package func wallText(_ instant: Instant) -> String {
        let seconds = zone.secondsFromGMT(for: instant.date)
        let local = Instant(microseconds: instant.microseconds + Int64(seconds) * Instant.microsecondsPerSecond)
        return String(local.description.prefix(16))
    }

    /// The time that the reader's clock shows at a moment.
    package func wall(at instant: Instant) -> WallMoment {
        let seconds = Int64(zone.secondsFromGMT(for: instant.date))
        let local = Instant(microseconds: instant.microseconds + seconds * Instant.microsecondsPerSecond)
        let day = Day(of: local)
        let minutes = (local.microseconds - day.startInstant.microseconds) / (60 * Instant.microsecondsPerSecond)
        return WallMoment(day: day, time: WallTime(minutes: Int(minutes)))
    }

    /// The calendar of all dates in the journal.
    private static let calendar = Calendar(identifier: .gregorian)

    // MARK: - Numbers

    package func number(_ decimal: ExactDecimal) -> String {
        guard decimal.isDecimal else { return decimal.description.replacing(" ", with: "\u{A0}") }
        return localized(decimal.description, isGrouped: true)
    }

    package func number(_ number: some BinaryInteger) -> String { localized(String(number), isGrouped: true) }

    /// Formats a number for an input field, in the form in which the user would type it.
    package func typed(_ decimal: ExactDecimal) -> String {
        // A quotient such as 3/2, which an input takes back.
        decimal.isDecimal ? localized(decimal.description, isGrouped: false) : decimal.quotientText
    }

    /// Converts a typed number to the journal's notation: a decimal comma becomes a point, unless the reader's locale
    /// groups thousands by commas.
    package func plainNumber(_ text: String) -> String {
        guard takesDecimalComma, !text.contains("."), text.filter({ $0 == "," }).count == 1 else { return text }
        return text.replacing(",", with: ".")
    }

    /// A comma has no other meaning than that of a decimal comma, also where a point is usual, as in Switzerland.
    private var takesDecimalComma: Bool { groupingSeparator != "," }

    /// Parses an amount as a person types it: a number with the reader's decimal sign, or a fraction.
    ///
    /// Nil if it is neither, not above 0, or a number that can be read in two ways.
    package func amount(typed text: String) -> ExactDecimal? {
        guard !isAmbiguous(text), let amount = try? ExactDecimal(parsingAmount: plainNumber(text)), amount > .zero
        else { return nil }
        return amount
    }

    /// Whether a number such as 1.234 means thousands in the reader's locale but a fraction in the journal's notation.
    package func isAmbiguous(_ text: String) -> Bool {
        decimalSeparator == "," && text.wholeMatch(of: /[+-]?\d{1,3}\.\d{3}/) != nil
    }

    /// Splits steps of a dose and a number of days, such as `2,5x5 2x5`; a comma behind the days separates two steps.
    func taperSteps(_ text: String) -> [String] {
        list(text.replacing(/\s*x\s*/, with: "x")) { item, _ in !item.contains("x") }
    }

    /// Splits a typed list at spaces, semicolons and commas.
    ///
    /// `isFraction` decides for a comma between two digits whether it is a decimal comma, if the reader's locale has
    /// one; it gets the item before the comma, and the text behind it.
    private func list(_ text: String, isFraction: (_ item: Substring, _ rest: Substring) -> Bool) -> [String] {
        var items: [String] = []
        var start = text.startIndex
        func end(at index: String.Index) {
            if start < index { items.append(String(text[start..<index])) }
        }
        for index in text.indices where " ;,".contains(text[index]) {
            let (item, rest) = (text[start..<index], text[text.index(after: index)...])
            let isBetweenDigits = item.last?.isNumber == true && rest.first?.isNumber == true
            if text[index] == ",", takesDecimalComma, isBetweenDigits, isFraction(item, rest) { continue }
            end(at: index)
            start = rest.startIndex
        }
        end(at: text.endIndex)
        return items
    }

    private func localized(_ text: String, isGrouped: Bool, groupsFour: Bool = false) -> String {
        let parts = text.split(separator: ".", maxSplits: 1)
        let isNegative = text.hasPrefix("-")
        var whole = String(parts.first ?? "0")
        if isNegative { whole.removeFirst() }
        // An input field gets the hyphen-minus of keyboards.
        let minus = isGrouped ? "\u{2212}" : "-"
        // A number of four digits is not grouped, so that it can be a year, except in columns of amounts.
        if isGrouped, whole.count > (groupsFour ? 3 : 4) { whole = grouped(whole) }
        let fraction = parts.count > 1 ? decimalSeparator + parts[1] : ""
        return (isNegative ? minus : "") + whole + fraction
    }

    private func grouped(_ digits: String) -> String {
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped += groupingSeparator }
            grouped.append(digit)
        }
        return grouped
    }

    /// Formats a weight in the reader's unit; in its own unit where that is the same or no conversion is possible.
    package func weight(_ content: EntryContent) -> String? {
        guard let value = content.body.decimal(Weight.value) else { return nil }
        guard let unit = content.body.text(Weight.unit) else { return words["weightWithoutUnit", number(value)] }
        if weightUnit == "st", let (stones, pounds) = Weight.stones(value, from: unit) {
            let shown = "\(number(stones))\u{A0}st \(number(pounds))\u{A0}lb"
            return words["weightConverted", shown, "\(number(value))\u{A0}\(unit)"]
        }
        guard let weightUnit, weightUnit != unit, let converted = Weight.converted(value, from: unit, to: weightUnit)
        else { return "\(number(value))\u{A0}\(unit)" }
        return words["weightConverted", "\(number(converted))\u{A0}\(weightUnit)", "\(number(value))\u{A0}\(unit)"]
    }

    package func amount(_ amount: String, _ currency: String?) -> String {
        let number = localized(amount, isGrouped: true, groupsFour: true)
        return currency.map { "\(number)\u{A0}\($0)" } ?? words["amountWithoutCurrency", number]
    }
}

extension Instant {
    package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}

extension Reader {
    /// The offset from UTC at a moment, such as UTC+02:00.
    func offset(at instant: Instant) -> String {
        let minutes = zone.secondsFromGMT(for: instant.date) / 60
        let digits = [abs(minutes) / 60, abs(minutes) % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return "UTC\(minutes < 0 ? "−" : "+")\(digits.joined(separator: ":"))"
    }
}

extension TimeZone {
    /// The name of the time zone in a form, where no moment determines its abbreviation.
    package var label: String { self == .gmt ? "UTC" : identifier }
}
