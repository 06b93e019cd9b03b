/// When a practice is open: the usual hours, the hours for emergencies only, and the days that differ.
package struct Timetable: Hashable, Sendable {
    package var usual = WeeklyHours()
    /// Hours in which the practice takes emergencies, besides the usual ones.
    package var emergency = WeeklyHours()
    package var holidays: [Holiday] = []

    package static let maximumHolidays = 400

    package init(usual: WeeklyHours = WeeklyHours(), emergency: WeeklyHours = WeeklyHours(), holidays: [Holiday] = []) {
        self.usual = usual
        self.emergency = emergency
        self.holidays = holidays
    }

    package func validate() throws(ModelError) {
        try usual.validate(field: "usual")
        try emergency.validate(field: "emergency")
        if holidays.count > Timetable.maximumHolidays {
            throw ModelError(.invalid, field: "holidays", "has more than \(Timetable.maximumHolidays) days")
        }
        for holiday in holidays {
            try TextCheck.check(holiday.name, field: "holidays", maximum: Limits.line)
            try OpeningHours.check(holiday.hours, "\(holiday.day)", field: "holidays")
        }
    }
}

/// A day on which other hours replace the usual ones of its day of the week.
package struct Holiday: Hashable, Sendable {
    package var day: Day
    package var name: String
    /// Empty if the practice is closed.
    package var hours: [OpeningHours]
    /// Whether it is the same day of every year.
    package var isYearly: Bool

    package init(day: Day, name: String, hours: [OpeningHours] = [], isYearly: Bool = false) {
        self.day = day
        self.name = name
        self.hours = hours.sorted { $0.open < $1.open }
        self.isYearly = isYearly
    }

    func includes(_ other: Day) -> Bool {
        guard isYearly else { return day == other }
        return other >= day && (day.month, day.day) == (other.month, other.day)
    }
}

extension Holiday: CustomStringConvertible {
    /// Parses `2027-12-25 closed Christmas`, `yearly 2027-08-01 10:00-12:00 National day`.
    package init(parsing text: String) throws(ModelError) {
        var parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        let isYearly = parts.first == "yearly"
        if isYearly { parts.removeFirst() }
        guard parts.count >= 3 else {
            throw ModelError(
                .invalid,
                "write a holiday as: 2027-12-25 closed Christmas, with yearly before a fixed date"
            )
        }
        self.init(
            day: try Day(parsing: parts[0]),
            name: parts[2...].joined(separator: " "),
            hours: parts[1] == "closed" ? [] : try OpeningHours.list(parsing: parts[1]),
            isYearly: isYearly
        )
    }

    package var description: String {
        let times = hours.isEmpty ? "closed" : hours.map(\.description).joined(separator: ",")
        return "\(isYearly ? "yearly " : "")\(day) \(times) \(name)"
    }
}

/// Timetables, or weekly hours, that each hold from a local day on.
package struct Dated<Value: Hashable & Sendable>: Hashable, Sendable {
    /// In ascending order of the days; each day occurs once.
    package private(set) var values: [Item] = []

    package struct Item: Hashable, Sendable {
        package var from: Day
        package var value: Value
    }

    package init() {}

    /// Sets the value that holds from a day on, until the next one.
    package mutating func set(_ value: Value, from day: Day) {
        let index = values.partitioningIndex { $0.from >= day }
        if index < values.count, values[index].from == day {
            values[index].value = value
        } else {
            values.insert(Item(from: day, value: value), at: index)
        }
    }

    /// Returns the value that holds on a day; nil before the first one.
    package func value(on day: Day) -> Value? {
        let count = values.partitioningIndex { $0.from > day }
        return count == 0 ? nil : values[count - 1].value
    }
}
