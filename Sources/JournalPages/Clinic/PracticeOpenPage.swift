package import Interchange

/// The work list of a practice: appointments that cannot take place as agreed, and those without an outcome.
package struct PracticeOpenPage: WebPage {
    package static let template = Template("practice-open")

    package let head: PracticeHead
    package let problems: [AppointmentLine]
    package let unresolved: [AppointmentLine]
    package let hasProblems: Bool
    package let hasUnresolved: Bool
    package let isEmpty: Bool
    /// Which days the list covers.
    package let period: String

    package init(_ view: PracticeView, _ calendar: PracticeCalendarDocument) {
        head = PracticeHead(view, at: .open)
        problems = calendar.appointments.filter { $0.problem != nil }.map { AppointmentLine($0, view) }
        unresolved = calendar.appointments.filter { $0.problem == nil }.map { AppointmentLine($0, view) }
        hasProblems = !problems.isEmpty
        hasUnresolved = !unresolved.isEmpty
        isEmpty = problems.isEmpty && unresolved.isEmpty
        period = view.words["openPeriod", view.reader.day(calendar.from), view.reader.day(calendar.until)]
    }
}
