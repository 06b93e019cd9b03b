internal import FoundationEssentials
package import HealthModel
package import Interchange

/// The first page: what is due today, and what needs attention, in all records that the reader may see.
package struct HomePage: WebPage {
    package static let template = Template("home")

    package let heading: String
    package let notices: [Notice]
    package let records: [Card]
    /// Records that are closed.
    package let closed: [Card]
    package let hasClosed: Bool
    package let isEmpty: Bool
    package let mayAdd: Bool
    package let mayAccept: Bool
    /// Whether to ask the user to set a password: without one, they could not sign in again.
    package let needsPassword: Bool
    package let practices: [Practice]
    package let hasPractices: Bool
    /// The page of all practices, for readers who see practices in which they do not work.
    package let practicesAddress: String?
    /// Identifies a form that is sent twice.
    package let key: String
    let showsDisclaimer: Bool

    /// A practice in which the reader works.
    package struct Practice: Sendable {
        package let name: String
        package let dayAddress: String
        package let boardAddress: String

        package init(_ practice: PracticeState) {
            name = practice.profile.name
            dayAddress = "/practices/\(practice.id.text)/day"
            boardAddress = "/practices/\(practice.id.text)/board"
        }
    }

    /// A record, with what matters today.
    package struct Card: Sendable {
        package let address: String
        package let id: String
        package let name: String
        package let facts: String?
        package let warnings: [TodayPage.Warning]
        package let hasWarnings: Bool
        package let appointment: TodayPage.Warning?
        /// The doses to take now, by their time.
        package let due: [TodayPage.Group]
        package let hasDue: Bool
        /// What comes next, and how many doses of the day are done; nil without planned doses.
        package let progress: String?
        package let done: [DoseLine]
        package let hasDone: Bool
        /// Whether a medication may be taken when needed.
        package let hasAsNeeded: Bool
        package let todayAddress: String
        /// Where doses are logged; nil if the reader may not log them.
        package let action: String?
        package let day: String
        package let trends: [ValueTrend]
        package let hasTrends: Bool
        package let adds: [ValuesPage.Link]
        package let hasAdds: Bool
        package let addAddress: String
    }

    /// A notice that the emergency view of a record was opened.
    package struct Notice: Sendable {
        package let position: UInt64
        package let heading: String
        package let text: String
        package let reason: String

        package init(
            position: UInt64,
            record: String,
            account: String,
            opened: Instant,
            expires: Instant,
            ended: Instant?,
            reason: String,
            _ reader: Reader
        ) {
            self.position = position
            heading = reader.words["noticeHeading", record]
            let key = ended == nil ? "noticeText" : "noticeEndedText"
            text = reader.words[key, account, reader.moment(opened), reader.moment(ended ?? expires)]
            self.reason = reason
        }
    }

    package init(
        _ records: [(state: RecordState, card: Card)],
        notices: [Notice],
        isPerson: Bool,
        needsPassword: Bool,
        practices: [Practice],
        seesPractices: Bool,
        today: Day,
        key: String,
        _ reader: Reader
    ) {
        heading = reader.words["todayHeading", reader.weekday(today)]
        self.notices = notices
        self.needsPassword = needsPassword
        self.practices = practices
        hasPractices = !practices.isEmpty
        practicesAddress = seesPractices ? "/practices" : nil
        mayAdd = isPerson
        mayAccept = isPerson
        isEmpty = records.isEmpty && practices.isEmpty
        let open = records.filter { !$0.state.isClosed }
        // People come before animals.
        self.records = [Subject.human, .animal]
            .flatMap { subject in open.filter { $0.state.profile.subject == subject }.map(\.card) }
        closed = records.filter(\.state.isClosed).map(\.card)
        hasClosed = !closed.isEmpty
        showsDisclaimer = self.records.contains { $0.progress != nil }
        self.key = key
    }
}

extension HomePage.Card {
    /// The maximum number of values and of offers to add an entry.
    private static let (trends, adds) = (3, 3)

    /// `mayAdd` contains the kinds that the reader may add to the record; `today` is the day by the journal's clock.
    package init(
        _ state: RecordState,
        _ doses: PlannedDosesDocument?,
        stocks: [StockDocument],
        asNeeded: Bool,
        contradictions: [String],
        values: [EntryState],
        vaccinations: [DueVaccination],
        appointment: TodayPage.Warning?,
        mayAdd: Set<Kind>,
        today: Day,
        _ reader: Reader
    ) {
        let words = reader.words
        let address = "/records/\(state.id.text)"
        self.address = address
        id = "record-\(state.id.text)"
        name = reader.name(state.displayName)
        let facts = RecordHead.facts(state, today, reader)
        self.facts = facts.isEmpty ? nil : facts.joined(separator: " · ")
        todayAddress = "\(address)/today"
        action = mayAdd.contains(Dose.kind) && doses != nil ? "\(address)/today" : nil
        day = (doses?.from ?? today).description
        hasAsNeeded = asNeeded
        func lines(_ isShown: (PlannedDoseDocument) -> Bool) -> [DoseLine] {
            guard let doses else { return [] }
            return doses.doses.filter(isShown).map { DoseLine($0, day: doses.from, reader) }
        }
        due = TodayPage.groups(lines { $0.state.isDueNow }, words)
        hasDue = !due.isEmpty
        let logged =
            lines { $0.state.isLogged }
            + (doses.map { doses in doses.others.map { DoseLine($0, day: doses.from, reader) } } ?? [])
        done = logged.sorted { $0.order < $1.order }
        hasDone = !done.isEmpty
        progress = doses.flatMap { HomePage.Card.progress($0, reader) }
        let alarmed = doses?.alarmed.map(\.name) ?? []
        let alarms =
            alarmed.isEmpty
            ? []
            : [
                TodayPage.Warning(
                    text: words["openInteraction", alarmed.joined(separator: ", ")],
                    address: "\(address)/interactions"
                )
            ]
        let versions = contradictions.map {
            TodayPage.Warning(text: words["twoVersionsOf", $0], address: "\(address)/versions")
        }
        let runningOut = stocks.compactMap { stock in
            stock.warning(on: doses?.from ?? today, reader)
                .map { TodayPage.Warning(text: $0, address: "\(address)/stock") }
        }
        let decisions = lines { $0.state == .decide }
            .map { TodayPage.Warning(text: words["labelled", words["toDecide"], $0.name], address: "\(address)/today") }
        warnings = alarms + decisions + versions + runningOut + vaccinations.map { $0.warning(reader) }
        hasWarnings = !warnings.isEmpty
        self.appointment = appointment
        trends = Array(ValueTrend.all(of: values, at: address, reader).prefix(HomePage.Card.trends))
        hasTrends = !trends.isEmpty
        // What was added last is added most.
        let recent = values.sorted { $0.added.position > $1.added.position }.map(\.kind)
        let usual = [Weight.kind, Symptom.kind, MeasuredValue.kind]
        var offered: [Kind] = []
        for kind in recent + usual where mayAdd.contains(kind) && !offered.contains(kind) { offered.append(kind) }
        adds = offered.prefix(HomePage.Card.adds)
            .map { kind in
                ValuesPage.Link(
                    address: AddPage.address(of: kind, at: address),
                    label: words.label(kind.label)
                )
            }
        hasAdds = !mayAdd.isEmpty
        addAddress = "\(address)/add"
    }

    /// How many planned doses of the day are done, and the next one.
    private static func progress(_ doses: PlannedDosesDocument, _ reader: Reader) -> String? {
        let planned = doses.doses.filter { $0.state != .paused }
        guard !planned.isEmpty else { return nil }
        let words = reader.words
        let done = planned.count { $0.state.isLogged }
        let count = words["dosesDone", reader.number(done), reader.number(planned.count)]
        guard let next = planned.first(where: { $0.state == .later }) else { return count }
        let amount = reader.amount(next.amount, next.amountText, next.unit, next.strength)
        let text = [next.name, amount].filter { !$0.isEmpty }.joined(separator: " ")
        return "\(count) · \(words["nextDose", next.local.clock(on: doses.from, reader), text])"
    }
}

extension SlotState {
    /// Whether a dose is to be taken, or was to be.
    var isDueNow: Bool { [.overdue, .open, .missed, .beforeKept].contains(self) }
    /// Whether it was recorded what became of the dose.
    var isLogged: Bool { [.taken, .partly, .skipped].contains(self) }
}

extension DueVaccination {
    /// Says which vaccination is due, and when; leads to the last one.
    func warning(_ reader: Reader) -> TodayPage.Warning {
        TodayPage.Warning(
            text: reader.words[
                isOverdue ? "vaccinationOverdue" : "vaccinationDue",
                last.content.body.text(Vaccination.name) ?? "",
                reader.partialDate(due)
            ],
            address: "/records/\(last.record.text)/entries/\(last.kind.name)/\(last.id.text)"
        )
    }
}
