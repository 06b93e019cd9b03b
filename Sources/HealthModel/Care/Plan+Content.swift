package import FoundationEssentials

extension Plan {
    /// When an event first contained a rule, and the day of that moment in the person's time zone.
    package struct Recorded: Hashable, Sendable {
        package var at: Instant
        package var day: Day

        package init(at: Instant, day: Day) {
            self.at = at
            self.day = day
        }
    }

    /// The kinds whose entries contain plans.
    package static let kinds = [Drug.kind, Supplement.kind]

    /// Decodes the plan of a medication or a supplement.
    ///
    /// `recorded` returns when a rule was first recorded. A rule without a start begins on that day.
    package init(id: UUID, _ content: EntryContent, recorded: (_ rule: UUID) -> Recorded) {
        let body = content.body
        self.init(
            id: id,
            rules: body.groups(PlanFields.rules).compactMap { PlanRule($0, recorded: recorded) },
            pauses: body.groups(PlanFields.pauses).compactMap(PlanPause.init),
            stopped: body.group(PlanFields.stopped)?.moment(PlanFields.Stop.at),
            limits: DoseLimits(body),
            early: body.int(PlanFields.early) ?? Plan.defaultEarly,
            late: body.int(PlanFields.late) ?? Plan.defaultLate
        )
    }
}

extension DoseLimits {
    fileprivate init(_ body: FieldValues) {
        let maximum = body.group(PlanFields.maximum) ?? FieldValues()
        self.init(
            minimumInterval: body.int(PlanFields.minimumInterval),
            maximumDoses: maximum.int(PlanFields.Maximum.doses),
            maximumAmount: maximum.decimal(PlanFields.Maximum.amount),
            period: maximum.int(PlanFields.Maximum.per) ?? DoseLimits.defaultPeriod
        )
    }
}

extension PlanPause {
    fileprivate init?(_ values: FieldValues) {
        guard let from = values.moment(PlanFields.Pause.from) else { return nil }
        self.init(from: from, until: values.moment(PlanFields.Pause.until))
    }
}

extension PlanRule {
    private typealias Names = PlanFields.Rule

    /// Decodes a rule; nil if a required value is missing.
    init?(_ values: FieldValues, recorded: (_ rule: UUID) -> Plan.Recorded) {
        guard let id = values.id(Names.id), let pattern = Pattern(values) else { return nil }
        let recorded = recorded(id)
        self.init(
            id: id,
            from: values.moment(Names.from) ?? WallMoment(day: recorded.day),
            until: values.moment(Names.until),
            clock: values.text(Names.zone).map(Clock.zone) ?? .local,
            pattern: pattern,
            recordedAt: recorded.at
        )
    }

    /// The rule as a group of fields.
    package var fieldValues: FieldValues {
        var values = FieldValues()
        values[Names.id] = .id(id)
        values[Names.from] = .text(from.description)
        values[Names.until] = until.map { .text($0.description) }
        if case .zone(let zone) = clock { values[Names.zone] = .text(zone) }
        pattern.write(to: &values)
        return values
    }
}

extension PlanRule.Pattern {
    private typealias Names = PlanFields.Rule

    init?(_ values: FieldValues) {
        let intake = Intake(values.group(Names.intake) ?? FieldValues())
        switch values.text(Names.pattern) {
        case Names.days:
            self = .days(DayFilter(values), times: values.groups(Names.times).compactMap(DoseTime.init))
        case Names.interval:
            guard let minutes = values.integer(Names.every), let start = values.instant(Names.start) else { return nil }
            self = .interval(seconds: minutes * 60, start: start, intake)
        case Names.afterLast:
            guard let minutes = values.integer(Names.every), let start = values.instant(Names.start) else { return nil }
            self = .afterLast(seconds: minutes * 60, start: start, intake)
        case Names.once:
            guard let at = values.moment(Names.at) else { return nil }
            self = .once(at, intake)
        case Names.asNeeded:
            self = .asNeeded(intake)
        default:
            return nil
        }
    }

    func write(to values: inout FieldValues) {
        switch self {
        case .days(let filter, let times):
            values[Names.pattern] = .text(Names.days)
            filter.write(to: &values)
            values[Names.times] = .list(times.map { .group($0.fieldValues) })
        case .interval(let seconds, let start, let intake):
            values[Names.pattern] = .text(Names.interval)
            values[Names.every] = .integer(seconds / 60)
            values[Names.start] = .instant(start)
            values[Names.intake] = .group(intake.fieldValues)
        case .afterLast(let seconds, let start, let intake):
            values[Names.pattern] = .text(Names.afterLast)
            values[Names.every] = .integer(seconds / 60)
            values[Names.start] = .instant(start)
            values[Names.intake] = .group(intake.fieldValues)
        case .once(let at, let intake):
            values[Names.pattern] = .text(Names.once)
            values[Names.at] = .text(at.description)
            values[Names.intake] = .group(intake.fieldValues)
        case .asNeeded(let intake):
            values[Names.pattern] = .text(Names.asNeeded)
            values[Names.intake] = .group(intake.fieldValues)
        }
    }
}

extension DayFilter {
    private typealias Names = PlanFields.Rule

    fileprivate init(_ values: FieldValues) {
        let weekdays = Set(values.texts(Names.weekdays).compactMap(Weekday.init(name:)))
        let monthDays = Set(values.texts(Names.monthDays).compactMap(MonthDay.init(name:)))
        var cycle: Cycle?
        if let on = values.int(Names.daysOn), let off = values.int(Names.daysOff) {
            cycle = Cycle(daysOn: on, daysOff: off)
        }
        self.init(
            everyDays: values.int(Names.everyDays),
            weekdays: weekdays.isEmpty ? nil : weekdays,
            monthDays: monthDays.isEmpty ? nil : monthDays,
            cycle: cycle,
            anchor: values.day(Names.anchor) ?? Day(daysSince1970: 0)
        )
    }

    func write(to values: inout FieldValues) {
        values[Names.everyDays] = everyDays.map { .integer(Int64($0)) }
        values[Names.weekdays] = .list((weekdays ?? []).sorted().map { .text($0.name) })
        values[Names.monthDays] = .list((monthDays ?? []).sorted().map { .text($0.name) })
        values[Names.daysOn] = cycle.map { .integer(Int64($0.daysOn)) }
        values[Names.daysOff] = cycle.map { .integer(Int64($0.daysOff)) }
        // Without a count of days, the anchor has no meaning.
        if everyDays != nil || cycle != nil { values[Names.anchor] = .day(anchor) }
    }
}

extension Weekday: Comparable {
    /// The name in JSON and on the command line, such as `mon`.
    package var name: String {
        switch self {
        case .monday: "mon"
        case .tuesday: "tue"
        case .wednesday: "wed"
        case .thursday: "thu"
        case .friday: "fri"
        case .saturday: "sat"
        case .sunday: "sun"
        }
    }

    package init?(name: String) {
        guard let day = Weekday.allCases.first(where: { $0.name == name }) else { return nil }
        self = day
    }

    package static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}

extension MonthDay: Comparable {
    /// The number, or `last`.
    package var name: String {
        switch self {
        case .day(let number): String(number)
        case .last: "last"
        }
    }

    package init?(name: String) {
        if name == "last" {
            self = .last
        } else {
            guard let number = Int(name), (1...31).contains(number), String(number) == name else { return nil }
            self = .day(number)
        }
    }

    package static func < (left: MonthDay, right: MonthDay) -> Bool { left.order < right.order }

    private var order: Int { if case .day(let number) = self { number } else { 32 } }
}

extension DoseTime {
    fileprivate init?(_ values: FieldValues) {
        guard let id = values.id(PlanFields.Time.id), let text = values.text(PlanFields.Time.at),
            let at = try? WallTime(parsing: text)
        else { return nil }
        self.init(id: id, at: at, intake: Intake(values))
    }

    fileprivate var fieldValues: FieldValues {
        var values = intake.fieldValues
        values[PlanFields.Time.id] = .id(id)
        values[PlanFields.Time.at] = .text(at.description)
        return values
    }
}

extension Intake {
    private typealias Names = PlanFields.Intake

    fileprivate init(_ values: FieldValues) {
        let words = values.text(Names.amountText)
        // Amounts such as 1/2 were stored in words before they could be counted.
        let amount = values.decimal(Names.amount) ?? words.flatMap(ExactDecimal.init(storedAmount:))
        self.init(
            amount: amount,
            amountText: values.decimal(Names.amount) == nil && amount != nil ? nil : words,
            label: values.text(Names.label),
            withMeal: values.flag(Names.withMeal) ?? false,
            instructions: values.text(Names.instructions)
        )
    }

    fileprivate var fieldValues: FieldValues {
        var values = FieldValues()
        values[Names.amount] = amount.map { .decimal($0) }
        values[Names.amountText] = amountText.map { .text($0) }
        values[Names.label] = label.map { .text($0) }
        values[Names.withMeal] = withMeal ? .flag(true) : nil
        values[Names.instructions] = instructions.map { .text($0) }
        return values
    }
}

extension LoggedDose {
    /// Decodes an entry of the kind `dose`; nil if it names no medication or has no time.
    package init?(id: UUID, _ content: EntryContent) {
        let body = content.body
        guard content.kind == Dose.kind, let plan = body.id(Dose.of),
            let status = body.text(Dose.status).flatMap(Status.init), let at = content.instant
        else { return nil }
        self.init(
            id: id,
            plan: plan,
            slot: body.text(Dose.slot).flatMap { try? Slot(parsing: $0) },
            status: status,
            at: at,
            amount: body.decimal(Dose.amount),
            plannedAmount: body.decimal(Dose.plannedAmount),
            reason: body.text(Dose.reason).flatMap(Reason.init),
            planned: body.instant(Dose.planned)
        )
    }
}

extension FieldValues {
    package func id(_ field: Field) -> UUID? {
        if case .id(let id)? = self[field] { id } else { nil }
    }

    package func instant(_ field: Field) -> Instant? {
        if case .instant(let instant)? = self[field] { instant } else { nil }
    }

    package func moment(_ field: Field) -> WallMoment? { text(field).flatMap { try? WallMoment(parsing: $0) } }

    package func int(_ field: Field) -> Int? { integer(field).flatMap { Int(exactly: $0) } }

    package func values(_ field: Field) -> [FieldValue] {
        if case .list(let values)? = self[field] { values } else { [] }
    }

    package func groups(_ field: Field) -> [FieldValues] {
        values(field).compactMap { if case .group(let group) = $0 { group } else { nil } }
    }

    package func texts(_ field: Field) -> [String] {
        values(field).compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
}
