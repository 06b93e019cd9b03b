/// How an appointment is repeated: after a number of days, at the same time by the clock.
package struct Repetition: Hashable, Sendable {
    /// The days from one appointment to the next.
    package let days: Int
    /// The number of appointments, with the first one.
    package let count: Int

    package static let daysRange = 1...366
    package static let countRange = 2...52

    package init(days: Int, count: Int) throws(ModelError) {
        guard Repetition.daysRange.contains(days) else {
            throw ModelError(.invalid, field: "everyDays", "must be between 1 and 366 days")
        }
        guard Repetition.countRange.contains(count) else {
            throw ModelError(.invalid, field: "count", "must be between 2 and 52 appointments")
        }
        (self.days, self.count) = (days, count)
    }

    /// Parses `4 weeks`, `week`, `10 days` or `day`.
    package init(parsing text: String, count: Int) throws(ModelError) {
        let words = text.lowercased().split(separator: " ").map(String.init)
        let lengths = ["day": 1, "days": 1, "week": 7, "weeks": 7]
        guard (1...2).contains(words.count), let length = words.last.flatMap({ lengths[$0] }),
            let number = words.count == 1 ? 1 : Int(words[0]), (1...366).contains(number)
        else { throw ModelError(.invalid, field: "every", "must be a number of days or weeks, such as \"4 weeks\"") }
        try self.init(days: number * length, count: count)
    }

    /// Returns the starts by the clock, the first one first.
    package func walls(from first: WallMoment) -> [WallMoment] {
        (0..<count).map { WallMoment(day: first.day.adding(days: $0 * days), time: first.time) }
    }
}
