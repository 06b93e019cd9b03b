package import HealthModel
package import Interchange

/// The page of the calendar feeds of a practice's specialists, and the form that links another one.
package struct PracticeFeedsPage: WebPage {
    package static let template = Template("practice-feeds")

    package let head: PracticeHead
    package let address: String
    package let feeds: [Feed]
    package let isEmpty: Bool
    package let mayLink: Bool
    package let fields: [FormField]
    package let problem: String?
    package let key: String

    package struct Feed: Sendable {
        package let id: String
        package let specialist: String
        package let specialistID: String
        package let description: String

        package init(_ calendar: CalendarDocument, of specialist: SpecialistState, _ reader: Reader) {
            id = calendar.id.text
            self.specialist = specialist.profile.name
            specialistID = specialist.id.text
            description =
                reader.words[
                    "calendarLinked",
                    reader.day(of: calendar.linkedAt),
                    calendar.name ?? reader.words["nobody"],
                    reader.words["feedDetail.\(calendar.detail.rawValue)"]
                ]
        }
    }

    /// `chosen` is the id of the specialist that the form offers first.
    package init(
        _ view: PracticeView,
        _ feeds: [Feed],
        chosen: String,
        detail: String,
        problems: [String: String],
        problem: String?,
        confirmation: [FormField],
        key: String
    ) {
        let words = view.words
        head = PracticeHead(view)
        address = "\(view.address)/feeds"
        self.feeds = feeds
        isEmpty = feeds.isEmpty
        let working = view.specialists.filter { $0.posts[view.practice.id] != nil }
        mayLink = !working.isEmpty
        var specialist = FormField("specialist", words["specialist"], .choice, problem: problems["specialist"])
        specialist.isRequired = true
        specialist.options =
            [FormOption("", words["notSaid"], isChosen: chosen.isEmpty)]
            + working.map { FormOption($0.id.text, $0.profile.name, isChosen: $0.id.text == chosen) }
        var text = FormField("detail", words["field.detail"], .choice)
        text.options = ReminderDetail.allCases.map {
            FormOption($0.rawValue, words["feedDetail.\($0.rawValue)"], isChosen: $0.rawValue == detail)
        }
        fields = [specialist, text] + confirmation
        self.problem = problem
        self.key = key
    }
}
