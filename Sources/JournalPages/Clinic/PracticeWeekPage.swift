package import HealthModel
package import Interchange

/// The page of a week of a practice: seven days, each with its appointments in short.
package struct PracticeWeekPage: WebPage {
    package static let template = Template("practice-week")

    package let head: PracticeHead
    package let heading: String
    package let day: String
    package let previousAddress: String
    package let nextAddress: String
    /// The address of this week's page, on the page of another week.
    package let todayAddress: String?
    /// The current state of the week, on a page of the past.
    package let nowAddress: String
    package let days: [WeekDay]
    package let states: [LabelledText]

    package struct WeekDay: Sendable {
        package let address: String
        package let label: String
        package let hours: String
        package let count: String
        package let isToday: Bool
        package let visits: [AppointmentLine]
    }

    package init(
        _ view: PracticeView,
        _ calendar: PracticeCalendarDocument,
        moment: CalendarMoment,
        today: Day
    ) {
        let words = view.words
        let monday = calendar.from
        head = PracticeHead(view, at: .week, day: monday, moment: moment)
        heading = words["weekOf", view.reader.day(monday), view.reader.day(calendar.until)]
        day = monday.description
        func address(_ day: Day) -> String { "\(view.address)/week?day=\(day)\(moment.query)" }
        previousAddress = address(monday.adding(days: -7))
        nextAddress = address(monday.adding(days: 7))
        todayAddress = today.monday == monday ? nil : address(today)
        nowAddress = "\(view.address)/week?day=\(monday)"
        let visits = Dictionary(grouping: calendar.appointments) { view.clock.day(at: $0.details.start) }
        days = (0..<7)
            .map { index in
                let day = monday.adding(days: index)
                let found = visits[day] ?? []
                let count = found.count { $0.status != .cancelled && $0.status != .noShow }
                return WeekDay(
                    address: "\(view.address)/day?day=\(day)\(moment.query)",
                    label: view.day(day),
                    hours: DayHours(of: day, view).text,
                    count: words.count(count, "appointmentCount", view.reader.number(count)),
                    isToday: day == today,
                    visits: found.map { AppointmentLine($0, view) }
                )
            }
        states = AppointmentStatus.allCases
            .map { LabelledText($0.symbol, words["appointmentStatus.\($0.rawValue)"]) }
    }
}
