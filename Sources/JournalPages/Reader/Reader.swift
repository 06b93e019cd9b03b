package import Foundation
package import HealthModel

/// Who reads a page: how dates, numbers and weights are written for them.
///
/// Nothing is ever rounded for a reader, but a weight that is shown in another unit than it was read in.
package struct Reader: Sendable {
    package let locale: Locale
    /// By whose clocks a moment is told.
    package let zone: TimeZone
    /// The unit in which weights are shown; nil for the one in which each was read.
    package let weightUnit: String?
    package let words: Words
    private let decimalSeparator: String
    private let groupingSeparator: String

    package init(_ words: Words, locale: Locale, zone: TimeZone, weightUnit: String? = nil) {
        self.words = words
        self.locale = locale
        self.zone = zone
        self.weightUnit = weightUnit
        decimalSeparator = locale.decimalSeparator ?? "."
        groupingSeparator = locale.groupingSeparator ?? ""
    }

    // MARK: - Dates

    package func day(_ day: Day) -> String { written(day.startInstant, .gmt, .omitted) }

    /// With the zone, for where two may be meant.
    package func moment(_ instant: Instant) -> String {
        "\(written(instant, zone, .shortened)) \(zoneName(at: instant))"
    }

    /// The day of a moment, by the reader's clocks.
    package func day(of instant: Instant) -> String { written(instant, zone, .omitted) }

    /// To the second, as a trail has it.
    package func exactMoment(_ instant: Instant) -> String {
        "\(written(instant, zone, .standard)) \(zoneName(at: instant))"
    }

    /// A date that its source kept as midnight in UTC is a day, and no moment.
    package func occurred(_ date: OccurredDate) -> String {
        switch date {
        case .day(let day): self.day(day)
        case .instant(let instant) where instant.isMidnightUTC: day(Day(of: instant))
        case .instant(let instant): moment(instant)
        }
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

    /// The one in which all dates of the journal are kept.
    private static let calendar = Calendar(identifier: .gregorian)

    // MARK: - Numbers

    package func number(_ decimal: ExactDecimal) -> String { localized(decimal.description, isGrouped: true) }

    package func number(_ number: some BinaryInteger) -> String { localized(String(number), isGrouped: true) }

    /// A number as somebody may type it again.
    package func typed(_ decimal: ExactDecimal) -> String { localized(decimal.description, isGrouped: false) }

    /// What somebody typed as the journal reads it: a comma is a point to who writes it so.
    package func plainNumber(_ text: String) -> String {
        guard decimalSeparator == ",", !text.contains("."), text.filter({ $0 == "," }).count == 1 else { return text }
        return text.replacing(",", with: ".")
    }

    /// Whether a number reads as thousands to who writes it so, and as a fraction to the journal: 1.234.
    package func isAmbiguous(_ text: String) -> Bool {
        decimalSeparator == "," && text.wholeMatch(of: /[+-]?\d{1,3}\.\d{3}/) != nil
    }

    private func localized(_ text: String, isGrouped: Bool, groupsFour: Bool = false) -> String {
        let parts = text.split(separator: ".", maxSplits: 1)
        let isNegative = text.hasPrefix("-")
        var whole = String(parts.first ?? "0")
        if isNegative { whole.removeFirst() }
        // Typed again, it is the sign that keyboards have.
        let minus = isGrouped ? "\u{2212}" : "-"
        // Four digits stand by themselves, as a year does; but not in a column of amounts.
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

    /// A weight in the reader's unit; as it was read where that is not known, or is the same.
    package func weight(_ content: EntryContent) -> String? {
        guard let value = content.body.decimal(Weight.value) else { return nil }
        guard let unit = content.body.text(Weight.unit) else { return words["weightWithoutUnit", number(value)] }
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

extension TimeZone {
    /// What it is called in a form, where no moment is told.
    package var told: String { self == .gmt ? "UTC" : identifier }
}
