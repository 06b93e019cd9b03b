internal import HealthModel
package import Interchange

/// The page of the calendars of a record that have a secret address, and the form that links another one.
package struct CalendarsPage: WebPage {
    package static let template = Template("calendars")

    package let head: RecordHead
    package let calendars: [ShownCalendar]
    package let isEmpty: Bool
    package let mayLink: Bool
    package let fields: [FormField]
    package let problem: String?
    package let key: String

    package struct ShownCalendar: Sendable {
        package let id: String
        package let detail: String
        package let description: String
    }

    /// The values of a form that is shown again.
    package struct Typed: Sendable {
        package var detail = ""
        package var times = ""
        package var problem: String?

        package init() {}
    }

    /// Creates the page; `confirmation` is the field for the password of the account, if it has one.
    package init(
        _ head: RecordHead,
        _ calendars: [CalendarDocument],
        typed: Typed = Typed(),
        confirmation: [FormField],
        key: String,
        _ reader: Reader
    ) {
        let words = reader.words
        self.head = head
        self.key = key
        self.calendars = calendars.filter { $0.unlinkedAt == nil }
            .map { calendar in
                ShownCalendar(
                    id: calendar.id.text,
                    detail: words["detail.\(calendar.detail.rawValue)"],
                    description: words[
                        "calendarLinked",
                        reader.day(of: calendar.linkedAt),
                        calendar.name ?? words["nobody"],
                        words["times.\(calendar.times.rawValue)"]
                    ]
                )
            }
        isEmpty = self.calendars.isEmpty
        mayLink = !head.isClosed
        fields =
            [
                FormField(choosing: ReminderDetail.self, "detail", chosen: typed.detail, reader),
                FormField(choosing: CalendarLink.Times.self, "times", chosen: typed.times, reader),
            ] + confirmation
        problem = typed.problem
    }
}

/// The page that shows a new secret, once.
package struct SecretPage: WebPage {
    package static let template = Template("secret")

    package let heading: String
    package let secret: String
    package let hint: String
    /// The address to go to afterwards.
    package let done: String

    package init(heading: String, secret: String, hint: String, done: String) {
        self.heading = heading
        self.secret = secret
        self.hint = hint
        self.done = done
    }
}

extension FormField {
    /// Creates a choice between the words of an enumeration, whose texts are named `NAME.WORD`.
    init<Words: RawRepresentable<String> & CaseIterable>(
        choosing words: Words.Type,
        _ name: String,
        chosen: String = "",
        _ reader: Reader
    ) {
        self.init(name, reader.words["field.\(name)"], .choice)
        options = Words.allCases.map {
            FormOption($0.rawValue, reader.words["\(name).\($0.rawValue)"], isChosen: $0.rawValue == chosen)
        }
    }
}
