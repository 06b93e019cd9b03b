internal import FoundationEssentials
package import HealthModel
package import Interchange

/// The page of a month: the due doses of each day, and their states.
package struct CalendarPage: WebPage {
    package static let template = Template("calendar")

    package let head: RecordHead
    package let heading: String
    package let previousAddress: String
    package let nextAddress: String
    package let weekdays: [String]
    package let weeks: [Week]
    package let states: [LabelledText]

    package struct Week: Sendable {
        package let days: [Cell]
    }

    package struct Cell: Sendable {
        package let address: String
        /// The day of the month, or the whole day for people who do not see the columns.
        package let number: String
        package let label: String
        package let isToday: Bool
        package let isOutside: Bool
        package let doses: [DoseLine]
        package let isEmpty: Bool
    }

    /// Returns the first day of a month's first week, and the day after its last week.
    package static func period(of month: Day) -> (from: Day, to: Day) {
        let first = month.adding(days: 1 - month.day)
        let next = first.adding(days: 31)
        let end = next.adding(days: 1 - next.day)
        return (first.monday, end.adding(days: -1).monday.adding(days: 7))
    }

    package init(
        _ head: RecordHead,
        month: Day,
        _ doses: PlannedDosesDocument,
        today: Day,
        _ reader: Reader
    ) {
        let words = reader.words
        self.head = head
        let first = month.adding(days: 1 - month.day)
        heading = reader.month(first)
        func address(_ day: Day) -> String { "\(head.address)/calendar?month=\(String(day.description.prefix(7)))" }
        previousAddress = address(first.adding(days: -1))
        nextAddress = address(first.adding(days: 31))
        let (from, to) = CalendarPage.period(of: month)
        weekdays = (0..<7).map { words["weekday.\($0 + 1)"].sentenceCased }
        var lines: [String: [(order: String, line: DoseLine)]] = [:]
        for dose in doses.doses {
            let day = dose.listedDay(today: today)
            guard let parsed = try? Day(parsing: day) else { continue }
            lines[day, default: []].append((dose.local, DoseLine(dose, day: parsed, reader)))
        }
        for dose in doses.others {
            guard let parsed = try? Day(parsing: String(dose.local.prefix(10))) else { continue }
            lines[parsed.description, default: []].append((dose.local, DoseLine(dose, day: parsed, reader)))
        }
        let count = Int(to.daysSince1970 - from.daysSince1970)
        weeks = (0..<count / 7)
            .map { week in
                Week(
                    days: (0..<7)
                        .map { index in
                            let day = from.adding(days: week * 7 + index)
                            let found = (lines[day.description] ?? []).sorted { $0.order < $1.order }.map(\.line)
                            return Cell(
                                address: "\(head.address)/today?day=\(day)",
                                number: reader.number(day.day),
                                label: reader.day(day),
                                isToday: day == today,
                                isOutside: day.month != first.month,
                                doses: found,
                                isEmpty: found.isEmpty
                            )
                        }
                )
            }
        states = SlotState.allCases.map { LabelledText($0.symbol, words["state.\($0.rawValue)"]) }
    }
}
