import FoundationEssentials
package import HealthModel
package import TestSupport

/// Random contents that pass the checks between the fields of a kind.
extension SeededGenerator {
    /// Replaces the fields of a plan and a dose that depend on each other by consistent ones; leaves other kinds alone.
    package mutating func makeConsistent(_ content: inout EntryContent) {
        switch content.kind {
        case Drug.kind, Supplement.kind: planFields(&content)
        case Dose.kind: dose(&content)
        case Supply.kind, Zone.kind: content.date = .instant(someInstant())
        default: break
        }
    }

    package mutating func rule() -> PlanRule {
        let from = WallMoment(day: someDay())
        return PlanRule(
            id: someID(),
            from: from,
            until: chance(3) ? WallMoment(day: later(than: from.day, by: 300)) : nil,
            clock: chance(4) ? .zone("Asia/Kathmandu") : .local,
            pattern: pattern(),
            recordedAt: Instant(microseconds: 0)
        )
    }

    private mutating func planFields(_ content: inout EntryContent) {
        if content.body[Drug.name] == nil { content.body[Drug.name] = .text("text \(below(4))") }
        let rules = (0..<below(4)).map { _ in rule().fieldValues }
        content.body[PlanFields.rules] = rules.isEmpty ? nil : .list(rules.map { .group($0) })
        let from = someDay()
        var pause = FieldValues()
        pause[PlanFields.Pause.from] = .text("\(from)")
        pause[PlanFields.Pause.until] = .text("\(later(than: from, by: 20))T12:00")
        content.body[PlanFields.pauses] = chance(3) ? .list([.group(pause)]) : nil
        var stop = FieldValues()
        stop[PlanFields.Stop.at] = .text("\(someDay())")
        content.body[PlanFields.stopped] = chance(5) ? .group(stop) : nil
        var maximum = FieldValues()
        maximum[PlanFields.Maximum.doses] = .integer(Int64(1 + below(9)))
        content.body[PlanFields.maximum] = chance(3) ? .group(maximum) : nil
        content.body[PlanFields.lastChange] = nil
    }

    private mutating func dose(_ content: inout EntryContent) {
        let isTaken = chance(2)
        content.date = .instant(Instant(microseconds: 1_400_000_000_000_000 + Int64(below(300_000_000)) * 1_000_000))
        content.body[Dose.of] = .id(someID())
        content.body[Dose.slot] =
            chance(2) ? .text(Slot.number(rule: someID(), below(99)).description) : nil
        content.body[Dose.status] = .text((isTaken ? LoggedDose.Status.taken : .skipped).rawValue)
        content.body[Dose.amount] = isTaken ? .decimal(someAmount()) : nil
        content.body[Dose.reason] = isTaken ? nil : .text(LoggedDose.Reason.forgot.rawValue)
    }

    private mutating func pattern() -> PlanRule.Pattern {
        let intake = Intake(amount: someAmount(), withMeal: chance(2))
        switch below(5) {
        case 0:
            let minutes = Set((0..<1 + below(4)).map { _ in below(1_440) }).sorted()
            return .days(
                filter(),
                times: minutes.compactMap(WallTime.init(minutes:))
                    .map { time in
                        DoseTime(id: someID(), at: time, intake: intake)
                    }
            )
        case 1: return .interval(seconds: Int64(15 + below(5_000)) * 60, start: someInstant(), intake)
        case 2: return .afterLast(seconds: Int64(15 + below(5_000)) * 60, start: someInstant(), intake)
        case 3: return .once(WallMoment(day: someDay(), time: WallTime(minutes: below(1_440))), intake)
        default: return .asNeeded(intake)
        }
    }

    private mutating func filter() -> DayFilter {
        let weekdays = Set(Weekday.allCases.filter { _ in chance(2) })
        return DayFilter(
            everyDays: chance(3) ? 1 + below(9) : nil,
            weekdays: weekdays.isEmpty || chance(2) ? nil : weekdays,
            monthDays: chance(4) ? [.day(1 + below(31)), .last] : nil,
            cycle: chance(4) ? DayFilter.Cycle(daysOn: 1 + below(21), daysOff: 1 + below(9)) : nil,
            anchor: someDay()
        )
    }

    private mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    private mutating func someDay() -> Day { Day(daysSince1970: Int32(15_000 + below(5_000))) }

    private mutating func later(than day: Day, by days: Int) -> Day {
        Day(daysSince1970: day.daysSince1970 + Int32(1 + below(days)))
    }

    private mutating func someID() -> UUID { UUID(bytes: bytes(16)) ?? UUID() }

    private mutating func someInstant() -> Instant {
        Instant(microseconds: (1_300_000_000 + Int64(below(400_000_000))) * 1_000_000)
    }

    /// An amount in tenths or, as often, a fraction such as 2/3.
    private mutating func someAmount() -> ExactDecimal {
        let fraction = try? ExactDecimal(parsingAmount: "\(1 + below(40))/\(1 + below(12))")
        let tenths = ExactDecimal(coefficient: Int64(1 + below(40)), scale: 1)
        return chance(2) ? fraction ?? tenths : tenths
    }
}
