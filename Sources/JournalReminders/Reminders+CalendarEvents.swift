internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCare
internal import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// The events of a calendar of planned doses.
extension Journal.Reminders {
    /// The days that a calendar shows before today.
    private static let daysBack = 7
    /// The days that it shows after today; fewer if that would be too many doses.
    private static let daysAhead = [60, 30, 14, 7, 2]

    /// Returns the calendar of planned doses, without those of pauses.
    func calendar(of care: CareState, _ options: CalendarOptions) throws -> ICalendar {
        let now = journal.now
        let answer = try calendarPeriod(of: care, now: now)
        let sequence = try calendarSequence(of: care)
        var components: [ICalendarComponent] = []
        for plan in answer.plans {
            let version = try journal.log.version(of: plan.plan.id)
            for status in plan.day.slots where status.state != .paused {
                // A task also changes when its dose is logged.
                let logged =
                    if options.components == .task, let dose = status.dose { try journal.log.version(of: dose.id) } else
                    {
                        UInt64(0)
                    }
                let start: ICalendarComponent.Time =
                    switch options.times {
                    case .utc: .utc(status.due.due)
                    case .floating: .floating(answer.clocks.person.wall(at: status.due.due))
                    }
                components.append(
                    ICalendarComponent(
                        options.components,
                        id: status.due.slot.entryID(of: plan.plan.id).text,
                        sequence: sequence + version + logged,
                        changed: plan.plan.state.latest.recordedAt,
                        start: start,
                        summary: options.showsNames
                            ? plan.plan.text(of: status.due.intake) : ReminderText.neutral(.doseDue),
                        description: options.showsNames ? status.due.intake.instructions : nil,
                        hasAlarm: status.dose == nil && status.state != .decide,
                        completed: status.dose?.at
                    )
                )
            }
        }
        return ICalendar(name: ReminderText.calendarName, components: components)
    }

    private func calendarPeriod(of care: CareState, now: Instant) throws -> DueAnswer {
        let today = try journal.care.clocks(of: care).person.day(at: now)
        for days in Self.daysAhead.dropLast() {
            do {
                return try journal.care.answer(care, calendarQuestion(today, days), now: now)
            } catch let error as ModelError where error.field == "to" {
                continue
            }
        }
        return try journal.care.answer(care, calendarQuestion(today, Self.daysAhead.last ?? 2), now: now)
    }

    private func calendarQuestion(_ today: Day, _ days: Int) -> CareQuestion {
        CareQuestion(from: today.adding(days: -Self.daysBack), to: today.adding(days: days + 1))
    }

    /// Returns how often something changed that may move the doses of all plans: the time zones.
    private func calendarSequence(of care: CareState) throws -> UInt64 {
        var selection = MedicalRecordsView.Selection()
        selection.kinds = [Zone.kind]
        selection.includesRetracted = true
        let zones = try journal.contents(for: .care).record(care.record, asOf: care.position, selection)?.entries ?? []
        return try zones.reduce(journal.log.version(of: care.record)) { try $0 + journal.log.version(of: $1.id) }
    }
}

extension CarePlan {
    /// A dose of the plan in words, such as `Lisinopril, 2 tablets × 5 mg = 10 mg`.
    func text(of intake: Intake) -> String {
        let product = PlanProduct(name: name, unit: unit, strength: strength)
        let amount = product.text(of: intake.amount, words: intake.amountText)
        return [name, amount].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
