/// A part of a day by a clock on the wall, such as 08:00–12:00.
///
/// Hours that close at or before their opening end on the next day.
package struct OpeningHours: Hashable, Sendable {
    package let open: WallTime
    /// Minutes since midnight, in 1...1440; 1,440 is written as 24:00.
    package let close: Int

    package init?(_ open: WallTime, closingAt close: Int) {
        guard (1...1_440).contains(close) else { return nil }
        self.open = open
        self.close = close
    }

    /// The minutes from midnight before the opening until the closing, in 1...2,880.
    package var closingMinutes: Int { close <= open.minutes ? close + 1_440 : close }
}

extension OpeningHours: CustomStringConvertible {
    /// Parses `08:00-12:00`; the end may be 24:00 or 00:00.
    package init(parsing text: String) throws(ModelError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw ModelError(.invalid, "write hours as 08:00-12:00") }
        open = try WallTime(parsing: parts[0])
        let end = parts[1] == "24:00" ? 1_440 : try WallTime(parsing: parts[1]).minutes
        close = end == 0 ? 1_440 : end
    }

    package var description: String {
        "\(open)-\(WallTime(minutes: close)?.description ?? "24:00")"
    }
}

/// The hours of each day of the week.
package struct WeeklyHours: Hashable, Sendable {
    private var days: [Weekday: [OpeningHours]] = [:]

    package static let maximumPerDay = 8

    package init() {}

    package var isEmpty: Bool { days.isEmpty }

    /// The hours that open on a day of the week, in ascending order.
    package subscript(day: Weekday) -> [OpeningHours] {
        get { days[day] ?? [] }
        set { days[day] = newValue.isEmpty ? nil : newValue.sorted { $0.open < $1.open } }
    }

    /// Throws an error if a day has too many hours, or if hours of a day overlap each other.
    package func validate(field: String) throws(ModelError) {
        for day in Weekday.allCases { try OpeningHours.check(self[day], day.name, field: field) }
    }
}

extension OpeningHours {
    /// Throws an error if there are too many hours, or if they overlap each other.
    static func check(_ hours: [OpeningHours], _ day: String, field: String) throws(ModelError) {
        if hours.count > WeeklyHours.maximumPerDay {
            throw ModelError(.invalid, field: field, "\(day) has more than \(WeeklyHours.maximumPerDay) opening hours")
        }
        for (first, second) in zip(hours, hours.dropFirst()) where first.closingMinutes > second.open.minutes {
            throw ModelError(.invalid, field: field, "on \(day), \(first) and \(second) overlap")
        }
    }
}

extension WeeklyHours {
    /// Parses the stored lines, such as `mon 08:00-12:00,13:00-17:00`.
    package init(parsing lines: [String]) throws(ModelError) {
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw ModelError(.invalid, "write the hours of a day as: mon-fri 08:00-12:00,13:00-17:00")
            }
            let hours = try OpeningHours.list(parsing: parts[1])
            for day in try WeeklyHours.days(parts[0]) {
                guard self[day].isEmpty else { throw ModelError(.invalid, "\(day.name) is given twice") }
                self[day] = hours
            }
        }
    }

    /// One line for each day that has hours.
    package var lines: [String] {
        Weekday.allCases.filter { !self[$0].isEmpty }
            .map { day in "\(day.name) \(self[day].map(\.description).joined(separator: ","))" }
    }

    /// Parses days such as `mon`, `mon-fri` or `mon,thu`.
    private static func days(_ text: String) throws(ModelError) -> [Weekday] {
        var result: [Weekday] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Weekday(name: String($0)) }
            guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil,
                first.rawValue <= last.rawValue
            else { throw ModelError(.invalid, "write days as mon, mon-fri or mon,thu") }
            result += Weekday.allCases.filter { (first.rawValue...last.rawValue).contains($0.rawValue) }
        }
        return result
    }
}

extension OpeningHours {
    /// Parses hours that are separated by commas.
    static func list(parsing text: String) throws(ModelError) -> [OpeningHours] {
        var result: [OpeningHours] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            result.append(try OpeningHours(parsing: part.trimmingSpaces))
        }
        return result.sorted { $0.open < $1.open }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
