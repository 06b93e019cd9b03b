internal import Foundation
package import HealthModel

/// What stands at the top of every page of a record: whose it is, where one can go, as of when one looks.
package struct RecordHead: Sendable {
    package let address: String
    package let name: String
    package let isAnimal: Bool
    /// A few things to tell one from another by: born when, of which breed.
    package let facts: [String]
    package let isClosed: Bool
    package let isEmergency: Bool
    /// In words, who looks and how far they see; nil for an owner.
    package let right: String?
    package let mayEdit: Bool
    package let tabs: [Tab]
    package let moment: Moment

    /// A page of the record.
    package struct Tab: Sendable {
        package let address: String
        package let label: String
        package let isCurrent: Bool
    }

    /// The pages that a record has.
    package enum Place: String, CaseIterable, Sendable {
        case overview, timeline, weight, costs, history, access, caregivers, export
    }

    package init(
        _ state: RecordState,
        at place: Place,
        isOwner: Bool,
        isEmergency: Bool = false,
        right: String?,
        sees kinds: Set<Kind>,
        moment: Moment,
        today: Day,
        _ reader: Reader
    ) {
        let address = "/records/\(state.id.text)"
        self.address = address
        name = state.displayName
        isAnimal = state.profile.subject == .animal
        isClosed = state.isClosed
        self.isEmergency = isEmergency
        facts = RecordHead.facts(state, today, reader)
        self.right = right
        mayEdit = isOwner && !state.isClosed && !moment.isPast
        self.moment = moment
        tabs = Place.allCases
            .filter { place in
                switch place {
                case .overview, .timeline: true
                // An emergency shows what is, and not how it came about.
                case .history, .export: !isEmergency
                case .weight: kinds.contains(Weight.kind)
                case .costs: kinds.contains(Cost.kind)
                case .access, .caregivers: isOwner
                }
            }
            .map { item in
                Tab(
                    address: item == .overview
                        ? address + moment.query : "\(address)/\(item.rawValue)\(moment.query(for: item))",
                    label: reader.words["tab.\(item.rawValue)"],
                    isCurrent: item == place
                )
            }
    }

    static func facts(_ state: RecordState, _ today: Day, _ reader: Reader) -> [String] {
        let values = state.profile.values
        var facts: [String] = []
        if state.profile.subject == .animal {
            let kind = [values.text(RecordProfile.species), values.text(RecordProfile.breed)].compactMap(\.self)
            if !kind.isEmpty { facts.append(kind.joined(separator: ", ")) }
        }
        if let birth = values.day(RecordProfile.birthdate) {
            facts.append(reader.words["bornOn", reader.day(birth), reader.age(from: birth, to: today)])
        }
        if let sex = values.text(RecordProfile.sex) { facts.append(reader.choice(sex)) }
        if let closed = state.closed { facts.append(reader.words["closedOn", reader.day(of: closed.recordedAt)]) }
        return facts
    }
}

extension Reader {
    /// In years, or in months for whoever is younger than two.
    func age(from birth: Day, to today: Day) -> String {
        let (from, to) = (birth.civil, today.civil)
        let months = (to.year - from.year) * 12 + to.month - from.month - (to.day < from.day ? 1 : 0)
        if months < 0 { return words["notBornYet"] }
        return months < 24
            ? words.count(months, "months", number(months)) : words.count(months / 12, "years", number(months / 12))
    }
}

/// As of when a page shows a record, and how one gets to another moment.
package struct Moment: Sendable {
    /// The moment as it was asked for; nil for now.
    package let asOf: String?
    package let happenedBy: String?
    /// In words; nil for now, with all that happened.
    package let told: String?
    package let isPast: Bool
    /// The day that the date field shows.
    package let day: String
    package let today: String

    package init(
        asOf: AsOf?,
        stamp: Stamp?,
        happenedBy: Day?,
        today: Day,
        day dayOf: (Instant) -> Day,
        _ reader: Reader
    ) {
        self.asOf = asOf?.description
        self.happenedBy = happenedBy?.description
        self.today = today.description
        var parts: [String] = []
        switch asOf {
        case nil: break
        case .day(let day): parts.append(reader.words["knownByDay", reader.day(day)])
        case .instant(let instant): parts.append(reader.words["knownAt", reader.exactMoment(instant)])
        case .position(let position):
            let time = stamp.map { reader.exactMoment($0.recordedAt) } ?? ""
            parts.append(reader.words["knownAtPosition", reader.number(position), time])
        }
        if let happenedBy { parts.append(reader.words["happenedByDay", reader.day(happenedBy)]) }
        told = parts.isEmpty ? nil : parts.joined(separator: " ")
        isPast = told != nil
        day =
            switch asOf {
            case .day(let day): day.description
            case .instant(let instant): dayOf(instant).description
            case .position: stamp.map { dayOf($0.recordedAt).description } ?? today.description
            case nil: today.description
            }
    }

    /// What an address needs to stay at the moment; empty for now.
    package var query: String {
        let parts = [asOf.map { "asOf=\($0)" }, happenedBy.map { "happenedBy=\($0)" }].compactMap(\.self)
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// What became of a record, and who looked, has no past but itself.
    fileprivate func query(for place: RecordHead.Place) -> String {
        switch place {
        case .costs: asOf.map { "?asOf=\($0)" } ?? ""
        case .overview, .timeline, .weight, .export: query
        case .history, .access, .caregivers: ""
        }
    }
}
