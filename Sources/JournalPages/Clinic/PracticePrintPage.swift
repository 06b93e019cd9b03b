package import HealthModel
package import Interchange

/// The list of a day to print: one list in the order of time, without navigation.
package struct PracticePrintPage: WebPage {
    package static let template = Template("practice-print")

    package let name: String
    package let heading: String
    package let asOf: String
    package let hours: DayHours
    package let visits: [AppointmentLine]
    package let isEmpty: Bool

    /// `now` is the moment that the sheet states as that of its contents.
    package init(_ view: PracticeView, _ calendar: PracticeCalendarDocument, now: Instant) {
        name = view.practice.profile.name
        heading = view.day(calendar.from)
        asOf = view.words["printedAsOf", view.reader.moment(now), view.zoneText]
        hours = DayHours(of: calendar.from, view)
        visits = calendar.appointments.map { AppointmentLine($0, view) }
        isEmpty = visits.isEmpty
    }
}
