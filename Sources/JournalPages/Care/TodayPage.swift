package import FoundationEssentials
package import HealthModel
package import Interchange

/// The page of one day: the doses to take now, to decide on and to take later, the possible ones, and those already
/// done.
package struct TodayPage: WebPage {
    package static let template = Template("today")

    package let head: RecordHead
    package let heading: String
    /// The day of the page, to which its forms return.
    package let day: String
    package let previousAddress: String
    package let nextAddress: String
    /// The address of today's page, on the page of another day.
    package let todayAddress: String?
    /// Where the forms of the page are sent; nil if the reader may not log doses.
    package let action: String?
    package let now: [Group]
    package let decisions: [DoseLine]
    package let later: [Group]
    package let asNeeded: [Possible]
    package let done: [DoseLine]
    package let isEmpty: Bool
    package let hasNow: Bool
    package let hasDecisions: Bool
    package let hasLater: Bool
    package let hasAsNeeded: Bool
    package let hasDone: Bool
    package let warnings: [Warning]
    package let hasWarnings: Bool
    /// The choices of a reason for skipping.
    package let reasons: [FormOption]
    /// In which time zone the person is.
    package let zone: String
    package let zoneText: String
    /// The choices for how long reminders are postponed, in minutes.
    package let snoozes: [FormOption]
    /// Identifies a form that is sent twice.
    package let key: String
    /// The id of the reader's account, whose taps a device keeps apart from those of others.
    package let account: String
    package let locale: String
    /// Whether the page is made to be kept on a device.
    package let isKept = false

    /// The doses of one time of day.
    package struct Group: Sendable {
        package let time: String
        package let doses: [DoseLine]
        /// The doses that can be logged together; empty if there is only one.
        package let together: [String]
        package let allLabel: String
    }

    /// Something that the reader must know, and the page that has more of it.
    package struct Warning: Sendable {
        package let text: String
        package let address: String
    }

    /// A medication that is taken when needed.
    package struct Possible: Sendable {
        package let dose: String
        package let name: String
        package let text: String
        package let takeLabel: String
        package let isPossible: Bool
    }

    package init(
        _ head: RecordHead,
        _ doses: PlannedDosesDocument,
        asNeeded: [(plan: UUID, name: String)],
        stocks: [StockDocument],
        vaccinations: [DueVaccination],
        findings: [FindingDocument] = [],
        versions: [String],
        today: Day,
        zone: String,
        mayLog: Bool,
        lateReminders: Bool = false,
        key: String,
        account: UUID,
        _ reader: Reader
    ) {
        self.head = head
        self.account = account.text
        locale = reader.locale.identifier(.bcp47)
        self.key = key
        self.zone = zone
        zoneText = reader.words["clockOf", zone.replacing("_", with: " ")]
        let words = reader.words
        let address = "\(head.address)/today"
        let isToday = doses.from == today
        heading = isToday ? words["todayHeading", reader.day(doses.from)] : reader.day(doses.from)
        day = doses.from.description
        previousAddress = "\(address)?day=\(doses.from.adding(days: -1))"
        nextAddress = "\(address)?day=\(doses.from.adding(days: 1))"
        todayAddress = isToday ? nil : address
        action = mayLog && !head.moment.isPast ? address : nil
        func lines(_ states: Set<SlotState>) -> [DoseLine] {
            doses.doses.filter { states.contains($0.state) }.map { DoseLine($0, day: doses.from, reader) }
        }
        now = TodayPage.groups(lines(Set(SlotState.allCases.filter(\.isDueNow))), words)
        decisions = lines([.decide])
        later = TodayPage.groups(lines([.later, .paused]), words)
        let logged =
            lines(Set(SlotState.allCases.filter(\.isLogged)))
            + doses.others.map { DoseLine($0, day: doses.from, reader) }
        done = logged.sorted { $0.order < $1.order }
        let allowances = Dictionary(doses.allowances.map { ($0.plan, $0) }) { first, _ in first }
        self.asNeeded = asNeeded.map { plan in
            Possible(plan.plan, plan.name, allowances[plan.plan], doses, reader)
        }
        let contradictions = versions.map {
            Warning(text: words["twoVersionsOf", $0], address: "\(head.address)/versions")
        }
        let alarms = findings.filter { $0.state.isOpen && $0.severity?.isAlarming == true }
            .map { Warning(text: $0.sentence(reader), address: "\(head.address)/interactions") }
        let runningOut: [Warning] = stocks.compactMap { stock in
            guard let text = stock.warning(on: doses.from, reader) else { return nil }
            return Warning(text: text, address: "\(head.address)/stock")
        }
        let late = lateReminders ? [Warning(text: words["lateReminders"], address: "/settings/channels")] : []
        warnings = contradictions + alarms + runningOut + vaccinations.map { $0.warning(reader) } + late
        hasWarnings = !warnings.isEmpty
        hasNow = !now.isEmpty
        hasDecisions = !decisions.isEmpty
        hasLater = !later.isEmpty
        hasAsNeeded = !self.asNeeded.isEmpty
        hasDone = !done.isEmpty
        isEmpty = doses.doses.isEmpty && doses.others.isEmpty
        snoozes = TodayPage.snoozes(reader)
        reasons = TodayPage.reasons(reader)
    }

    /// The choices for how long reminders are postponed, in minutes.
    static func snoozes(_ reader: Reader) -> [FormOption] {
        [15, 30, 60].map { FormOption(String($0), reader.duration($0), isChosen: false) }
    }

    /// The reasons from which a person can choose when a dose is skipped.
    static func reasons(_ reader: Reader) -> [FormOption] {
        [FormOption("", reader.words["notSaid"], isChosen: true)]
            + LoggedDose.Reason.allCases.map { FormOption($0.rawValue, reader.choice($0.rawValue), isChosen: false) }
    }

    /// Groups doses by their time of day.
    static func groups(_ lines: [DoseLine], _ words: Words) -> [Group] {
        var groups: [(time: String, lines: [DoseLine])] = []
        for line in lines {
            if groups.last?.time == line.time {
                groups[groups.count - 1].lines.append(line)
            } else {
                groups.append((line.time, [line]))
            }
        }
        return groups.map { time, lines in
            Group(
                time: time,
                doses: lines,
                together: lines.count > 1 ? lines.map(\.dose) : [],
                allLabel: words["allTaken", time]
            )
        }
    }
}

/// A dose on a page, with its state in words and a symbol.
package struct DoseLine: Sendable {
    /// What the forms of the page send to name the dose.
    package let dose: String
    /// A valid HTML id.
    package let anchor: String
    package let name: String
    package let time: String
    package let amount: String
    package let details: String?
    package let symbol: String
    package let state: String
    package let stateName: String
    package let remark: String?
    /// Whether it is more, or closer to another dose, than the plan allows or has.
    package let isUnusual: Bool
    /// The entry of the logged dose; nil if none was logged.
    package let entry: String?
    package let takenLabel: String
    package let skippedLabel: String
    package let undoLabel: String
    /// Whether reminders of it are due, and can be postponed.
    package let isOpen: Bool
    let order: String

    /// What follows the plan in the name of a dose that is taken when needed.
    ///
    /// It has no space, which precedes a slot.
    package static let needed = "/needed"

    package init(_ dose: PlannedDoseDocument, day: Day, _ reader: Reader) {
        let words = reader.words
        self.dose = "\(dose.plan.text) \(dose.slot)"
        anchor = "dose-\(dose.plan.text.prefix(8))-\(dose.due.microseconds / 60_000_000)"
        name = dose.name
        time = dose.local.clock(on: day, reader)
        amount = reader.amount(dose.amount, dose.amountText, dose.unit, dose.strength)
        var details = [dose.label.map(reader.choice), dose.withMeal ? words["withMeal"] : nil, dose.instructions]
            .compactMap(\.self)
        if dose.uncounted { details.append(words["doseUncounted"]) }
        if dose.gap { details.append(words["clockSkips", dose.wall.clock]) }
        if let closeTo = dose.closeTo { details.append(words["closeTo", reader.duration(closeTo)]) }
        self.details = details.isEmpty ? nil : details.joined(separator: " · ")
        isUnusual = !dose.warnings.isEmpty
        symbol = isUnusual ? SlotState.unusualSymbol : dose.state.symbol
        state = words["state.\(dose.state.rawValue)"]
        stateName = dose.state.rawValue
        remark = DoseLine.remark(DoseLine.remark(dose, day, reader), dose.warnings, reader)
        entry = dose.dose?.text
        takenLabel = words["takenOf", name, time]
        skippedLabel = words["skippedOf", name, time]
        undoLabel = words["undoOf", name, time]
        isOpen = dose.state.isToTake
        order = dose.at ?? dose.local
    }

    package init(_ dose: OtherDoseDocument, day: Day, _ reader: Reader) {
        let words = reader.words
        self.dose = dose.plan.text
        anchor = "dose-\(dose.dose.text)"
        name = dose.name
        time = dose.local.clock(on: day, reader)
        amount = reader.amount(dose.amount, nil, dose.unit, dose.strength)
        details = words[dose.unplanned ? "notPlanned" : "whenNeeded"]
        let state: SlotState = dose.status == .taken ? .taken : .skipped
        isUnusual = !dose.warnings.isEmpty
        symbol = isUnusual ? SlotState.unusualSymbol : state.symbol
        self.state = words["state.\(state.rawValue)"]
        stateName = state.rawValue
        remark = DoseLine.remark(words["loggedAt", time], dose.warnings, reader)
        entry = dose.dose.text
        takenLabel = words["takenOf", name, time]
        skippedLabel = words["skippedOf", name, time]
        undoLabel = words["undoOf", name, time]
        isOpen = false
        order = dose.local
    }

    /// Adds the warnings about a dose to a remark.
    private static func remark(_ text: String?, _ warnings: [DoseWarning], _ reader: Reader) -> String? {
        let parts = [text].compactMap(\.self) + warnings.map { reader.words["doseWarning.\($0.rawValue)"] }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private static func remark(_ dose: PlannedDoseDocument, _ day: Day, _ reader: Reader) -> String? {
        guard let at = dose.at else { return dose.snoozedUntil.map { reader.words["snoozedUntil", reader.moment($0)] } }
        let time = at.clock(on: day, reader)
        if dose.state == .partly || dose.takenAmount.map({ taken in dose.amount.map { taken > $0 } ?? false }) == true {
            let taken = reader.amount(dose.takenAmount, nil, dose.unit, dose.strength)
            return reader.words["partOf", taken, reader.amount(dose.amount, nil, dose.unit), time]
        }
        return reader.words["loggedAt", time]
    }
}

extension PlannedDoseDocument {
    /// The day under which a dose is listed, such as `2026-03-29`: that on which it is due.
    ///
    /// One that waits until it is taken is listed when it was taken, and while it is overdue, on the present day.
    func listedDay(today: Day) -> String {
        if slot.waits, let at { return String(at.prefix(10)) }
        return state == .overdue ? max(today.description, String(local.prefix(10))) : String(local.prefix(10))
    }
}

extension TodayPage.Possible {
    init(
        _ plan: UUID,
        _ name: String,
        _ allowance: AllowanceDocument?,
        _ doses: PlannedDosesDocument,
        _ reader: Reader
    ) {
        let words = reader.words
        let day = doses.from
        let isAlarmed = doses.alarmed.contains { $0.plan == plan }
        dose = plan.text + DoseLine.needed
        self.name = name
        takeLabel = words["takeNowOf", name]
        isPossible = allowance?.possibleFrom == nil && !isAlarmed
        var parts = [
            allowance?.possibleFrom.map { words["possibleAgain", $0.clock(on: day, reader)] }
                ?? words[isAlarmed ? "possibleAlone" : "possibleNow"]
        ]
        if let left = allowance?.left, let maximum = allowance?.maximum {
            let count = words["dosesLeft", reader.number(left), reader.number(maximum)]
            parts.append(allowance?.leftUntil.map { words["leftUntil", count, $0.clock(on: day, reader)] } ?? count)
        }
        text = parts.joined(separator: ", ")
    }
}

extension SlotState {
    /// The shape of a dose that is more, or closer to another one, than the plan allows or has.
    package static let unusualSymbol = "⚠"

    /// A shape for the state, beside its word.
    package var symbol: String {
        switch self {
        case .taken: "✓"
        case .partly: "◐"
        case .skipped: "–"
        case .overdue: "▲"
        case .missed: "✕"
        case .open: "●"
        case .later: "○"
        case .paused: "‖"
        case .decide: "?"
        case .beforeKept: "·"
        }
    }
}

extension DoseDoubt {
    /// The limit that a dose exceeds, and from when on one is possible again, in the reader's language.
    package func text(unit: String?, _ clocks: CareClocks, _ reader: Reader) -> String {
        let words = reader.words
        let limit =
            switch cause {
            case .doses(let most, let period):
                words["doseDoubt.doses", reader.number(most), reader.duration(period)]
            case .amount(let most, let period):
                words["doseDoubt.amount", reader.amount(most, nil, unit), reader.duration(period)]
            case .gap(let minutes): words["doseDoubt.gap", reader.duration(minutes)]
            case .planned(let planned): words["doseDoubt.planned", reader.amount(planned, nil, unit)]
            case .early(let due): words["doseDoubt.early", reader.wall(clocks.person.wall(at: due))]
            case .same(let at): words["doseDoubt.same", reader.wall(clocks.person.wall(at: at))]
            case .beforePlan(let first): words["doseDoubt.beforePlan", reader.day(first)]
            case .unplanned(let next):
                next.map { words["doseDoubt.unplanned", reader.wall(clocks.person.wall(at: $0))] }
                    ?? words["doseDoubt.unplannedLast"]
            }
        guard let possibleFrom else { return limit }
        return "\(limit) \(words["doseDoubt.from", reader.wall(clocks.person.wall(at: possibleFrom))])"
    }
}

extension StockDocument {
    /// What the reader must know about the stock on a day; nil if it lasts.
    func warning(on day: Day, _ reader: Reader) -> String? {
        let words = reader.words
        if stock.unknownSince != nil { return words["stockUnknown", name] }
        if stock.uncounted > 0 {
            return words[
                "labelled",
                name,
                words.count(stock.uncounted, "stockUncounted", reader.number(stock.uncounted))
            ]
        }
        if let expired = stock.packs.first(where: { $0.expires.map { $0 < day } ?? false }), let last = expired.expires
        {
            return words["packExpired", name, reader.day(last)]
        }
        guard let runOut = runOut ?? estimatedRunOut, let refillBy = refillBy ?? estimatedRunOut?.adding(days: -7),
            refillBy <= day
        else { return nil }
        return words[self.runOut == nil ? "runsOutAbout" : "runsOut", name, reader.day(runOut)]
    }
}

extension String {
    /// The time of a local time such as `2026-03-29T03:30:00+02:00`, with its day if that is another one.
    func clock(on day: Day, _ reader: Reader) -> String {
        let time = String(dropFirst(11).prefix(5))
        guard prefix(10) != day.description, let other = try? Day(parsing: String(prefix(10))) else { return time }
        return "\(reader.day(other)) \(time)"
    }
}

extension WallMoment {
    /// The time of day.
    var clock: String { time?.description ?? "00:00" }
}

extension Reader {
    /// Formats the amount of a dose with its unit and the strength of one, or what the plan says in words.
    package func amount(
        _ amount: ExactDecimal?,
        _ text: String?,
        _ unit: String?,
        _ strength: PlanStrength?
    ) -> String {
        let shown = self.amount(amount, text, unit)
        guard let strength else { return shown }
        return strength.text(behind: shown, of: amount) { number($0) }
    }

    /// Formats an amount with its unit, or what the plan says in words; empty without either.
    package func amount(_ amount: ExactDecimal?, _ text: String?, _ unit: String?) -> String {
        guard let amount else { return text ?? "" }
        guard let unit else { return number(amount) }
        // The plural of a unit that the journal does not know is among the words, if it is one of this language.
        let known = words.isSingular(amount) ? nil : words.texts["unitPlural.\(unit)"]
        return "\(number(amount))\u{A0}\(known ?? AmountText.unit(unit, behind: amount))"
    }

    /// Formats a number of minutes in hours and minutes.
    package func duration(_ minutes: Int) -> String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        if hours == 0 { return "\(number(rest))\u{A0}min" }
        return rest == 0 ? "\(number(hours))\u{A0}h" : "\(number(hours))\u{A0}h \(number(rest))\u{A0}min"
    }
}
