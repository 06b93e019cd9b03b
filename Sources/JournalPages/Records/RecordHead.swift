internal import Foundation
package import HealthModel

/// The head of every page of a record: its name, the navigation, and the moment that is shown.
package struct RecordHead: Sendable {
    package let address: String
    package let name: String
    package let isAnimal: Bool
    /// A few facts that distinguish records, such as the birth date or the breed.
    package let facts: [String]
    package let isClosed: Bool
    package let isEmergency: Bool
    /// The reader's access, in words; nil for an owner.
    package let right: String?
    package let mayEdit: Bool
    /// Whether the reader may close the record, and give others access.
    package let mayManage: Bool
    /// Whether the reader may reopen the closed record.
    package let mayReopen: Bool
    /// Whether the reader may see who has read the record.
    package let mayAudit: Bool
    /// The areas of the record that the reader may see.
    package let tabs: [Tab]
    /// The pages of the present area; empty if there is only one.
    package let views: [Tab]
    package let hasViews: Bool
    package let viewsLabel: String
    package let moment: Moment

    /// A link to a page of the record.
    package struct Tab: Sendable {
        package let address: String
        package let label: String
        package let isCurrent: Bool
        /// The value of `aria-current`: `true` if another page of the area is shown than that of the address.
        package let current: String

        init(address: String, label: String, isCurrent: Bool, current: String = "page") {
            (self.address, self.label, self.isCurrent, self.current) = (address, label, isCurrent, current)
        }
    }

    /// The areas into which the pages of a record are divided; each opens with its first page.
    package enum Area: String, CaseIterable, Sendable {
        case today, summary, medication, values, documents, appointments, sharing
    }

    /// The pages of a record, in the order in which their areas list them.
    package enum Place: String, CaseIterable, Sendable {
        case today, overview
        case medication, calendar, adherence, stock, interactions, sheet
        case values, weight, costs
        case documents, export
        case appointments
        case caregivers, access, history, timeline

        /// The area that the page belongs to.
        package var area: Area {
            switch self {
            case .today: .today
            case .overview: .summary
            case .medication, .calendar, .adherence, .stock, .interactions, .sheet: .medication
            case .values, .weight, .costs: .values
            case .documents, .export: .documents
            case .appointments: .appointments
            case .caregivers, .access, .history, .timeline: .sharing
            }
        }

        /// Returns the page to which the entries of a kind belong.
        package static func of(_ kind: Kind) -> Place {
            switch kind {
            case Drug.kind, Supplement.kind, Dose.kind: .medication
            case Supply.kind: .stock
            case Interaction.kind: .interactions
            case Weight.kind: .weight
            case Blood.kind, MeasuredValue.kind, Symptom.kind: .values
            case Cost.kind: .costs
            case Document.kind: .documents
            default: .overview
            }
        }

        /// The end of the page's address.
        fileprivate var path: String {
            switch self {
            case .overview: ""
            case .documents: "/entries/\(Document.kind.name)"
            default: "/\(rawValue)"
            }
        }
    }

    package init(
        _ state: RecordState,
        at place: Place,
        mayEdit isEditable: Bool,
        mayManage isManaged: Bool,
        isEmergency: Bool = false,
        right: String?,
        sees kinds: Set<Kind>,
        moment: Moment,
        today: Day,
        _ reader: Reader
    ) {
        let address = "/records/\(state.id.text)"
        self.address = address
        name = reader.name(state.displayName)
        isAnimal = state.profile.subject == .animal
        isClosed = state.isClosed
        self.isEmergency = isEmergency
        facts = RecordHead.facts(state, today, reader)
        self.right = right
        mayEdit = isEditable && !state.isClosed && !moment.isPast
        mayManage = isManaged && !state.isClosed && !moment.isPast
        mayReopen = isManaged && state.isClosed && !moment.isPast
        mayAudit = isEditable && !kinds.isEmpty
        self.moment = moment
        let places = Place.allCases
            .filter { place in
                switch place {
                case .overview, .timeline: true
                // Emergency access has a view of its own, without the plans of days.
                case .today, .medication, .calendar, .adherence, .stock, .sheet:
                    !isEmergency && kinds.isSuperset(of: [Dose.kind, Drug.kind])
                case .interactions: !isEmergency && kinds.contains(Interaction.kind)
                // Emergency access covers the current state, not the history.
                case .history, .export: !isEmergency
                case .values: !isEmergency && !kinds.isDisjoint(with: Kind.values)
                case .weight: kinds.contains(Weight.kind)
                case .costs: kinds.contains(Cost.kind)
                case .documents: !isEmergency && kinds.contains(Document.kind)
                case .access, .caregivers: isEditable && !kinds.isEmpty
                // Only animals are patients of practices. The staff sees appointments on the practice's own pages.
                case .appointments: isManaged && state.profile.subject == .animal
                }
            }
        func link(_ item: Place, _ label: String, isCurrent: Bool) -> Tab {
            Tab(
                address: address + item.path + moment.query(for: item),
                label: label,
                isCurrent: isCurrent,
                current: item == place ? "page" : "true"
            )
        }
        tabs = Area.allCases.compactMap { area in
            places.first { $0.area == area }
                .map { link($0, reader.words["area.\(area.rawValue)"], isCurrent: area == place.area) }
        }
        let own = places.filter { $0.area == place.area }
        views = own.count < 2 ? [] : own.map { link($0, reader.words["tab.\($0.rawValue)"], isCurrent: $0 == place) }
        hasViews = !views.isEmpty
        viewsLabel = reader.words["viewsOf", reader.words["area.\(place.area.rawValue)"]]
    }

    static func facts(_ state: RecordState, _ today: Day, _ reader: Reader) -> [String] {
        let values = state.profile.values
        var facts: [String] = []
        if state.profile.subject == .animal {
            let kind = [values.text(RecordProfile.species), values.text(RecordProfile.breed)].compactMap(\.self)
            if !kind.isEmpty { facts.append(kind.joined(separator: ", ")) }
        }
        if let birth = values.partialDate(RecordProfile.birthdate) {
            facts.append(reader.words["bornOn", reader.partialDate(birth), reader.age(from: birth, to: today)])
        }
        if let sex = values.text(RecordProfile.sex) { facts.append(reader.choice(sex)) }
        if let closed = state.closed { facts.append(reader.words["closedOn", reader.day(of: closed.recordedAt)]) }
        return facts
    }
}

extension Reader {
    /// Returns an age in years, or in months if it is less than two years.
    ///
    /// If only the month or the year of the birth is known, the age is the range of those that are possible.
    func age(from birth: PartialDate, to today: Day) -> String {
        let oldest = PatientAge(bornOn: birth.firstDay, at: today)
        guard let oldest else { return words["notBornYet"] }
        let youngest = PatientAge(bornOn: min(birth.lastDay, today), at: today) ?? oldest
        let (low, high) = (age(youngest), age(oldest))
        if low == high { return words.count(high.count, high.unit, number(high.count)) }
        if low.unit == high.unit {
            return words.count(high.count, high.unit, "\(number(low.count))–\(number(high.count))")
        }
        let texts = [low, high].map { words.count($0.count, $0.unit, number($0.count)) }
        return texts.joined(separator: " – ")
    }

    private func age(_ age: PatientAge) -> (count: Int, unit: String) {
        age.months < 24 ? (age.months, "months") : (age.years, "years")
    }
}

/// The point in time at which a page shows a record, and the query that preserves it.
package struct Moment: Sendable {
    /// The requested moment; nil for the current state.
    package let asOf: String?
    package let happenedBy: String?
    /// The moment in words; nil for the current state without a filter by the day of happening.
    package let description: String?
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
        case .minute(let wall): parts.append(reader.words["knownAt", "\(reader.day(wall.day)) \(wall.clock)"])
        case .instant(let instant): parts.append(reader.words["knownAt", reader.exactMoment(instant)])
        case .position(let position):
            let time = stamp.map { reader.exactMoment($0.recordedAt) } ?? ""
            parts.append(reader.words["knownAtPosition", reader.number(position), time])
        }
        if let happenedBy { parts.append(reader.words["happenedByDay", reader.day(happenedBy)]) }
        description = parts.isEmpty ? nil : parts.joined(separator: " ")
        isPast = description != nil
        day =
            switch asOf {
            case .day(let day): day.description
            case .minute(let wall): wall.day.description
            case .instant(let instant): dayOf(instant).description
            case .position: stamp.map { dayOf($0.recordedAt).description } ?? today.description
            case nil: today.description
            }
    }

    /// The parameters of that query.
    var parameters: [(name: String, value: String)] {
        [("asOf", asOf), ("happenedBy", happenedBy)].compactMap { name, value in value.map { (name: name, value: $0) } }
    }

    /// The query that an address needs to keep the moment; empty for the current state.
    package var query: String {
        parameters.isEmpty ? "" : "?" + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// The query for a page of the record: history, accesses and grants are always shown as they are today.
    fileprivate func query(for place: RecordHead.Place) -> String {
        switch place {
        case .overview, .timeline, .values, .weight, .documents, .export: query
        case .today, .medication, .calendar, .adherence, .stock, .sheet, .interactions, .costs:
            asOf.map { "?asOf=\($0)" } ?? ""
        case .history, .access, .caregivers, .appointments: ""
        }
    }
}
