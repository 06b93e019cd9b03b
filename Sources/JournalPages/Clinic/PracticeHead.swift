internal import FoundationEssentials
package import HealthModel

/// The head of every page of a practice: its name, its zone, the navigation, and the moment that is shown.
package struct PracticeHead: Sendable {
    package let address: String
    package let name: String
    package let zoneText: String
    package let isClosed: Bool
    /// The pages that the reader may open; none for those who are no members.
    package let tabs: [RecordHead.Tab]
    package let hasTabs: Bool
    package let moment: CalendarMoment

    /// The pages of a practice.
    package enum Place: String, CaseIterable, Sendable {
        case day, week, board, open, patients
    }

    /// Creates the head of a page; `place` is nil on a page that no tab leads to.
    ///
    /// `day` is kept by the links to the other pages; nil where a page shows no day.
    package init(_ view: PracticeView, at place: Place? = nil, day: Day? = nil, moment: CalendarMoment = .now) {
        let words = view.words
        address = view.address
        name = view.practice.profile.name
        zoneText = view.zoneText
        isClosed = view.practice.closed != nil
        self.moment = moment
        let places = view.roles.isEmpty ? [] : Place.allCases.filter { $0 != .board || view.seesBoard }
        hasTabs = !places.isEmpty
        tabs = places.map { item in
            let query = item == .day || item == .week ? day.map { "?day=\($0)\(moment.query)" } ?? "" : ""
            return RecordHead.Tab(
                address: "\(view.address)/\(item.rawValue)\(query)",
                label: words["practiceTab.\(item.rawValue)"],
                isCurrent: item == place
            )
        }
    }
}

/// The point in time at which a calendar is shown.
package struct CalendarMoment: Sendable {
    /// The moment in words; nil for the current state.
    package let description: String?
    /// The moment by the practice's clock, as the field shows it; empty for the current state.
    package let typed: String
    /// What an address needs to keep the moment, after other parameters; empty for the current state.
    package let query: String

    package var isPast: Bool { description != nil }

    package static let now = CalendarMoment(description: nil, typed: "", query: "")

    private init(description: String?, typed: String, query: String) {
        self.description = description
        self.typed = typed
        self.query = query
    }

    package init(_ asOf: AsOf?, _ view: PracticeView) {
        guard let asOf else {
            self = .now
            return
        }
        let (reader, words) = (view.reader, view.words)
        switch asOf {
        case .day(let day):
            self.init(description: words["knownByDay", reader.day(day)], typed: "\(day)T23:59", query: "&asOf=\(day)")
        case .minute(let wall):
            self.init(
                description: words["knownAt", "\(reader.day(wall.day)) \(wall.clock)"],
                typed: wall.description,
                query: "&asOf=\(wall)"
            )
        case .instant(let instant):
            self.init(
                description: words["knownAt", reader.exactMoment(instant)],
                typed: view.clock.wall(at: instant).description,
                query: "&asOf=\(instant)"
            )
        case .position(let position):
            self.init(
                description: words["calendarAtPosition", reader.number(position)],
                typed: "",
                query: "&asOf=\(position)"
            )
        }
    }
}
