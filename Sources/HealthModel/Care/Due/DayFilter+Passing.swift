extension DayFilter {
    /// Reports whether a day passes all filters.
    package func passes(_ day: Day) -> Bool {
        let count = Int(day.daysSince1970) - Int(anchor.daysSince1970)
        if let everyDays, count.dividedRoundingDown(by: everyDays).remainder != 0 { return false }
        if let cycle, count.dividedRoundingDown(by: cycle.daysOn + cycle.daysOff).remainder >= cycle.daysOn {
            return false
        }
        if let weekdays, !weekdays.contains(day.weekday) { return false }
        if let monthDays {
            let isLast = day.adding(days: 1).day == 1
            return monthDays.contains { monthDay in
                switch monthDay {
                case .day(let number): number == day.day || isLast && number > day.day
                case .last: isLast
                }
            }
        }
        return true
    }
}

extension Day {
    /// The day of the week.
    package var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let index = (Int(daysSince1970) + 3).dividedRoundingDown(by: 7).remainder
        return Weekday.allCases[index]
    }
}
