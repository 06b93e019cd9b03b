internal import FoundationEssentials
package import HealthModel
package import Interchange

/// The page of a day of a practice: a column for each specialist; on a phone a list in the order of time.
package struct PracticeDayPage: WebPage {
    package static let template = Template("practice-day")

    package let head: PracticeHead
    package let heading: String
    /// The day of the page, to which its forms return.
    package let day: String
    package let practice: String
    package let previousAddress: String
    package let nextAddress: String
    /// The address of today's page, on the page of another day.
    package let todayAddress: String?
    /// The list to print, which shows the current state; nil on a page of the past.
    package let printAddress: String?
    /// The current state of the day, on a page of the past.
    package let nowAddress: String
    package let hours: DayHours
    package let columns: [String]
    package let rows: [Row]
    package let isEmpty: Bool
    /// Identifies a form that is sent twice.
    package let key: String

    /// What begins at one time, in the columns of the specialists.
    package struct Row: Sendable {
        package let time: String
        package let cells: [Cell]
    }

    package struct Cell: Sendable {
        package let visits: [AppointmentLine]
        package let busy: [Busy]
        package let isEmpty: Bool
    }

    /// A time in which a specialist cannot be booked.
    package struct Busy: Sendable {
        package let time: String
        package let text: String
        package let specialist: String
    }

    /// `next` returns the word of the next change of an appointment that the reader may make.
    package init(
        _ view: PracticeView,
        _ calendar: PracticeCalendarDocument,
        moment: CalendarMoment,
        today: Day,
        key: String,
        next: (AppointmentDocument) -> String?
    ) {
        let words = view.words
        let day = calendar.from
        head = PracticeHead(view, at: .day, day: day, moment: moment)
        heading = day == today ? words["todayHeading", view.day(day)] : view.day(day)
        self.day = day.description
        practice = view.practice.id.text
        self.key = key
        func address(_ day: Day) -> String { "\(view.address)/day?day=\(day)\(moment.query)" }
        previousAddress = address(day.adding(days: -1))
        nextAddress = address(day.adding(days: 1))
        todayAddress = day == today ? nil : address(today)
        printAddress = moment.isPast ? nil : "\(view.address)/print?day=\(day)"
        nowAddress = "\(view.address)/day?day=\(day)"
        hours = DayHours(of: day, view)

        var table = DayTable(of: calendar, view)
        for appointment in calendar.appointments {
            let line = AppointmentLine(appointment, next: moment.isPast ? nil : next(appointment), view)
            table.add(line, appointment.details)
        }
        for time in calendar.busy {
            table.add(time.span, words[time.isBlocked ? "blockedTime" : "busyTime"], time.specialist)
        }
        for specialist in view.specialists {
            // The reason for an absence is not for everyone who walks past the screen.
            for absence in specialist.absences.values { table.add(absence.span, words["absentTime"], specialist.id) }
        }
        columns = table.names
        rows = table.rows
        isEmpty = rows.isEmpty
    }
}

/// The table of a day while it is filled: a column for each specialist, and a row for each start.
private struct DayTable {
    let names: [String]
    private let view: PracticeView
    private let day: Day
    private let whole: TimeSpan?
    private let specialists: [UUID]
    private var visits: [Instant: [Int: [AppointmentLine]]] = [:]
    private var busy: [Instant: [Int: [PracticeDayPage.Busy]]] = [:]

    /// The columns are those who work on the day, and others who have an appointment; the last one is for emergencies
    /// without a specialist.
    init(of calendar: PracticeCalendarDocument, _ view: PracticeView) {
        self.view = view
        day = calendar.from
        whole = TimeSpan(view.clock.start(of: day), view.clock.start(of: day.adding(days: 1)))
        var specialists: [UUID] = []
        for specialist in view.specialists where specialist.works(in: view.practice.id, on: calendar.from) {
            specialists.append(specialist.id)
        }
        for id in calendar.appointments.flatMap(\.details.specialists) where !specialists.contains(id) {
            specialists.append(id)
        }
        self.specialists = specialists
        let isOnDuty = calendar.appointments.contains { $0.details.specialist == nil }
        names = specialists.map(view.specialist) + (isOnDuty ? [view.words["onDuty"]] : [])
    }

    mutating func add(_ line: AppointmentLine, _ details: AppointmentDetails) {
        let columns = details.specialists.compactMap(specialists.firstIndex)
        for column in columns.isEmpty ? [names.count - 1] : columns {
            var line = line
            if column != columns.first, !columns.isEmpty { (line.anchor, line.next) = (nil, nil) }
            visits[details.start, default: [:]][column, default: []].append(line)
        }
    }

    /// Adds a time in which a specialist of a column cannot be booked.
    mutating func add(_ span: TimeSpan, _ text: String, _ specialist: UUID) {
        guard let column = specialists.firstIndex(of: specialist), let whole, span.overlaps(whole) else { return }
        let shown = TimeSpan(max(span.start, whole.start), min(span.end, whole.end)) ?? span
        let item = PracticeDayPage.Busy(time: view.times(shown, on: day), text: text, specialist: names[column])
        busy[shown.start, default: [:]][column, default: []].append(item)
    }

    var rows: [PracticeDayPage.Row] {
        Set(visits.keys).union(busy.keys).sorted()
            .map { start in
                let cells = names.indices.map { column in
                    let (visits, busy) = (visits[start]?[column] ?? [], busy[start]?[column] ?? [])
                    return PracticeDayPage.Cell(visits: visits, busy: busy, isEmpty: visits.isEmpty && busy.isEmpty)
                }
                return PracticeDayPage.Row(time: view.time(start), cells: cells)
            }
    }
}

/// When a practice is open on a day.
package struct DayHours: Sendable {
    package let text: String
    /// The hours for emergencies only; nil without any.
    package let emergency: String?
    package let isClosed: Bool

    package init(of day: Day, _ view: PracticeView) {
        let words = view.words
        let times = OpeningTimes(view.practice.timetables, view.clock)
        func texts(_ spans: [TimeSpan]) -> String { spans.map { view.times($0, on: day) }.joined(separator: ", ") }
        let usual = times.usual(on: day...day)
        let holiday = view.practice.timetables.value(on: day)?.holidays
            .first {
                $0.day == day || ($0.isYearly && $0.day <= day && ($0.day.month, $0.day.day) == (day.month, day.day))
            }
        isClosed = usual.isEmpty || view.practice.closed != nil
        let hours = isClosed ? words["closedDay"] : words["openHours", texts(usual)]
        text = holiday.map { words["hoursOfHoliday", hours, $0.name] } ?? hours
        let others = times.all(on: day...day).subtracting(usual)
        emergency = others.isEmpty || view.practice.closed != nil ? nil : words["emergencyHours", texts(others)]
    }
}

extension PersonClock {
    /// Returns the moment at which a day begins.
    func start(of day: Day) -> Instant { moment(of: WallMoment(day: day)).instant }
}
