package import FoundationEssentials

extension PlanRule.Pattern {
    /// The forms in which a person writes a pattern, as on the command line.
    package enum Form: String, CaseIterable, Sendable {
        /// `08:00=1,20:00=2`: each day at these times, with these amounts.
        case daily
        /// `2@08:00=1`: every two days.
        case days
        /// `mon,thu@08:00=1`
        case weekdays
        /// `1,last@08:00=1`
        case monthDays
        /// `21/7@08:00=1`: 21 days on, 7 days off.
        case cycle
        /// `2026-05-04T08:00=1`
        case once
        /// `1`, or nothing: the amount of one dose.
        case asNeeded
    }

    /// Parses a pattern in one of its forms.
    ///
    /// Days are counted from `anchor`. Each time of day gets an id from `newID`. `number` returns a number as the journal
    /// writes it, if the writer's locale has a decimal comma. An amount that cannot be counted is refused.
    package init(
        _ form: Form,
        parsing text: String,
        anchor: Day,
        number: (String) -> String = { $0 },
        newID: () -> UUID
    ) throws(ModelError) {
        var filter = DayFilter(anchor: anchor)
        var times = text
        switch form {
        case .daily:
            break
        case .days, .weekdays, .monthDays, .cycle:
            let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Self.malformed(form) }
            filter = try Self.filter(form, String(parts[0]), anchor: anchor)
            times = String(parts[1])
        case .once:
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            self = .once(
                try WallMoment(parsing: WallTime.withTwoDigits(String(parts[0]))),
                try Intake(amount: parts.count > 1 ? number(String(parts[1])) : "")
            )
            return
        case .asNeeded:
            self = .asNeeded(try Intake(amount: number(text)))
            return
        }
        var found: [DoseTime] = []
        for item in Self.items(times) {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let at = try? WallTime(typed: String(parts[0])) else { throw Self.malformed(form) }
            let intake = try Intake(amount: parts.count > 1 ? number(String(parts[1])) : "")
            found.append(DoseTime(id: newID(), at: at, intake: intake))
        }
        self = .days(filter, times: found)
    }

    /// Splits times of day at the commas that are no decimal commas: behind those, no time follows.
    private static func items(_ times: String) -> [String] {
        var items: [String] = []
        for item in times.split(separator: ",", omittingEmptySubsequences: false) {
            if let last = items.last, last.contains("="), !item.contains(":") {
                items[items.count - 1] = "\(last),\(item)"
            } else {
                items.append(String(item))
            }
        }
        return items
    }

    private static func filter(_ form: Form, _ text: String, anchor: Day) throws(ModelError) -> DayFilter {
        let items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        switch form {
        case .days:
            guard let days = Int(text), (1...366).contains(days) else { throw malformed(form) }
            return DayFilter(everyDays: days, anchor: anchor)
        case .weekdays:
            let weekdays = items.compactMap { Weekday(name: $0.lowercased()) }
            guard weekdays.count == items.count else { throw malformed(form) }
            return DayFilter(weekdays: Set(weekdays), anchor: anchor)
        case .monthDays:
            let days = items.compactMap(MonthDay.init(name:))
            guard days.count == items.count else { throw malformed(form) }
            return DayFilter(monthDays: Set(days), anchor: anchor)
        case .cycle:
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard parts.count == 2, parts.allSatisfy({ (1...366).contains($0) }) else { throw malformed(form) }
            return DayFilter(cycle: DayFilter.Cycle(daysOn: parts[0], daysOff: parts[1]), anchor: anchor)
        case .daily, .once, .asNeeded:
            throw malformed(form)
        }
    }

    private static func malformed(_ form: Form) -> ModelError {
        let example =
            switch form {
            case .daily: "08:00=1,20:00=2"
            case .days: "2@08:00=1 for every two days"
            case .weekdays: "mon,thu@08:00=1"
            case .monthDays: "1,last@08:00=1"
            case .cycle: "21/7@08:00=1"
            case .once: "2026-05-04T08:00=1"
            case .asNeeded: "1"
            }
        return ModelError(.invalid, "write it as \(example)")
    }

    /// Parses a length of time such as `36h`, `90min` or `2d`; returns seconds.
    package static func seconds(parsing text: String) throws(ModelError) -> Int64 {
        let units: [(String, Int64)] = [("min", 60), ("h", 3_600), ("d", 86_400)]
        for (name, length) in units where text.hasSuffix(name) {
            guard let count = Int64(text.dropLast(name.count)), (1...527_040).contains(count) else { break }
            return count * length
        }
        throw ModelError(.invalid, "write a length of time as 36h, 90min or 2d")
    }
}

extension PlanRule.Pattern {
    /// A moment that is not after the first dose, if the pattern alone determines it.
    package var earliest: WallMoment? {
        switch self {
        case .once(let at, _): at
        // By some clock, the first dose may be on the day before.
        case .interval(_, let start, _), .afterLast(_, let start, _): WallMoment(day: Day(of: start).adding(days: -1))
        case .days, .asNeeded: nil
        }
    }

    /// Returns the day on which the pattern begins if none was stated: the present one, by the person's clock.
    ///
    /// A pattern that counts days begins on the next day if all its times of the present one are over: otherwise its
    /// first dose, which it counts, would never have been due.
    package func firstDay(at now: WallMoment) -> Day {
        guard case .days(let filter, let times) = self, filter.everyDays ?? 1 > 1 || filter.cycle != nil else {
            return now.day
        }
        return WallTime.areOver(times.map(\.at), at: now) ? now.day.adding(days: 1) : now.day
    }

    /// Counts days from another one.
    package mutating func begin(on day: Day) {
        guard case .days(var filter, let times) = self else { return }
        filter.anchor = day
        self = .days(filter, times: times)
    }

    /// Edits how each dose is to be taken.
    package mutating func describe(_ edit: (inout Intake) -> Void) {
        switch self {
        case .days(let filter, var times):
            for index in times.indices { edit(&times[index].intake) }
            self = .days(filter, times: times)
        case .interval(let seconds, let start, var intake):
            edit(&intake)
            self = .interval(seconds: seconds, start: start, intake)
        case .afterLast(let seconds, let start, var intake):
            edit(&intake)
            self = .afterLast(seconds: seconds, start: start, intake)
        case .once(let at, var intake):
            edit(&intake)
            self = .once(at, intake)
        case .asNeeded(var intake):
            edit(&intake)
            self = .asNeeded(intake)
        }
    }
}

extension WallTime {
    /// Whether all times of the present day are over.
    package static func areOver(_ times: [WallTime], at now: WallMoment) -> Bool {
        guard let time = now.time, let last = times.map(\.minutes).max() else { return false }
        return last <= time.minutes
    }
}

extension PlanRule.Pattern: CustomStringConvertible {
    /// The pattern as a person writes it on the command line, such as `daily 08:00=1`.
    package var description: String { text { $0.description } }

    /// The pattern as a person writes it; `moment` writes its start.
    package func text(_ moment: (Instant) -> String) -> String {
        switch self {
        case .days(let filter, let times):
            let times = times.map { $0.at.description + $0.intake.suffix }.joined(separator: ",")
            let filters = filter.texts
            return filters.isEmpty ? "daily \(times)" : "\(filters.joined(separator: " "))@\(times)"
        case .interval(let seconds, let start, let intake):
            return "every \(Self.text(seconds))\(intake.suffix) from \(moment(start))"
        case .afterLast(let seconds, let start, let intake):
            return "every \(Self.text(seconds))\(intake.suffix) after the last dose, from \(moment(start))"
        case .once(let at, let intake):
            return "once \(at)\(intake.suffix)"
        case .asNeeded(let intake):
            return "as needed\(intake.suffix)"
        }
    }

    /// Returns a length of time in the largest unit in which it is a whole number.
    package static func text(_ seconds: Int64) -> String {
        if seconds % 86_400 == 0, seconds > 86_400 { return "\(seconds / 86_400)d" }
        return seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds / 60)min"
    }
}

extension DayFilter {
    fileprivate var texts: [String] {
        var texts: [String] = []
        if let everyDays, everyDays > 1 { texts.append("days \(everyDays)") }
        if let weekdays { texts.append("weekdays \(weekdays.sorted().map(\.name).joined(separator: ","))") }
        if let monthDays { texts.append("month-days \(monthDays.sorted().map(\.name).joined(separator: ","))") }
        if let cycle { texts.append("cycle \(cycle.daysOn)/\(cycle.daysOff)") }
        return texts
    }
}

extension Intake {
    /// Creates the intake of an amount that a person wrote: a number, a fraction, or nothing.
    ///
    /// Throws an error for words, because neither the stock nor limits could count them.
    package init(amount text: String) throws(ModelError) {
        self.init()
        if text.isEmpty { return }
        let number: ExactDecimal
        do { number = try ExactDecimal(parsingAmount: text) } catch {
            throw ModelError(error.code, field: "amount", error.text)
        }
        guard number > .zero else { throw ModelError(.invalid, field: "amount", "an amount must be greater than 0") }
        amount = number
    }

    /// The amount behind an equals sign, or nothing.
    fileprivate var suffix: String { (amount?.description ?? amountText).map { "=\($0)" } ?? "" }
}
