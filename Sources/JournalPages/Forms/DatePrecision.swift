import HealthModel

/// How precisely a date is known; for a month or a year, a form shows its first day.
enum DatePrecision: String, CaseIterable {
    case day, month, year

    init(of date: PartialDate?) {
        self =
            switch date {
            case .month: .month
            case .year: .year
            case .day, nil: .day
            }
    }

    /// The precision of a date with or without a time.
    init(of date: OccurredDate?) {
        if case .date(let date)? = date { self.init(of: date) } else { self = .day }
    }

    /// The day, or the month or the year that contains it.
    func date(of day: Day) -> PartialDate {
        switch self {
        case .day: .day(day)
        case .month: .month(year: day.year, month: day.month)
        case .year: .year(day.year)
        }
    }
}

extension FormField {
    /// Creates the choice of how precisely a date is known, which stands below its input.
    init(_ name: String, _ precision: DatePrecision, typed: String?, _ reader: Reader) {
        let value = typed ?? precision.rawValue
        self.init(name, reader.words["datePrecision"], .choice, value: value)
        hint = reader.words["hint.datePrecision"]
        options = DatePrecision.allCases.map {
            FormOption($0.rawValue, reader.words["datePrecision.\($0)"], isChosen: $0.rawValue == value)
        }
    }
}
