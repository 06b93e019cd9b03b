internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents

extension Journal.Care {
    /// Postpones the reminders of a planned dose, which stays due at its time.
    ///
    /// Without `record`, it is that of the plan.
    package func snoozeDose(
        _ target: DoseRequest.Target,
        of plan: UUID,
        until: DoseRequest.Moment,
        in record: UUID? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            guard let record = try record ?? journal.entries.place(ofEntry: plan)?.record else {
                throw JournalError.noPlan
            }
            _ = try await journal.access.admit(caller, to: .contribute(Dose.kind, .adding), on: record)
            let care = try careState(of: record, plan: plan, asOf: journal.log.head())
            guard let plan = care.plans.first else { throw JournalError.noPlan }
            let (now, clocks) = (journal.now, try clocks(of: care))
            let end: Instant =
                switch until {
                case .instant(let instant): instant
                case .wall(let wall): clocks.person.moment(of: wall).instant
                case .planned: throw ModelError(.invalid, field: "until", "say until which time")
                }
            let doses = try doses(around: now, for: target, plan, in: care)
            guard let due = try find(target, of: plan.plan, clocks, doses, at: now) else {
                throw ModelError(.notFound, field: "slot", "no dose of this plan is planned for that time")
            }
            var day = try plan.plan.day(
                from: due.due,
                until: due.due.adding(minutes: 1),
                clocks,
                doses: doses,
                now: now
            )
            day.mark(try snoozes(of: record, asOf: care.position, around: now))
            guard let status = day.slots.first(where: { $0.due.slot == due.slot }) else { throw JournalError.noPlan }
            let stream = try journal.snoozeStream(of: record)
            try change.add(
                decide(Snooze(plan: plan.id, slot: due.slot, until: end), status, now: now),
                in: .stream(stream, of: record)
            )
            return .existing(at: care.position, record: record)
        }
    }

    /// Returns until when the reminders of planned doses are or were postponed, for the doses that may still be open.
    package func snoozes(of record: UUID, asOf position: UInt64, around moment: Instant) throws -> [Slot: Instant] {
        var found: [Slot: (origin: ChangeOrigin, until: Instant)] = [:]
        // A dose is open for at most a week after its day.
        let since = min(moment, journal.now).adding(minutes: -9 * 1_440)
        for event in try recentEvents(of: journal.snoozeStream(of: record), since: since)
        where event.stamp.position <= position {
            guard let snooze = (event.event.data as? DoseSnoozed)?.snooze else { continue }
            // A device may send a postponement after a later one was made.
            let origin = event.writer.origin
            if let other = found[snooze.slot], origin < other.origin { continue }
            found[snooze.slot] = (origin, snooze.until)
        }
        return found.mapValues(\.until)
    }

    /// Returns the events of a stream that were recorded since a moment, in order.
    package func recentEvents(of stream: UUID, since: Instant) throws -> [RecordedEvent] {
        let pageLength: UInt64 = 200
        var found: [RecordedEvent] = []
        var left = try journal.log.version(of: stream)
        while left > 0 {
            let first = left - min(left, pageLength) + 1
            let page = try journal.log.events(of: stream, from: first, limit: Int(left - first + 1))
                .map { try journal.log.recorded($0) }
            let recent = page.filter { $0.stamp.recordedAt >= since }
            found = recent + found
            if recent.count < page.count { break }
            left = first - 1
        }
        return found
    }
}

extension PlanDay {
    /// Marks the doses whose reminders are postponed.
    package mutating func mark(_ snoozed: [Slot: Instant]) {
        guard !snoozed.isEmpty else { return }
        for index in slots.indices where slots[index].state.isToTake || slots[index].state == .later {
            slots[index].snoozedUntil = snoozed[slots[index].due.slot]
        }
    }
}
