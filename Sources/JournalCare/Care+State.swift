internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalCore
internal import JournalEvents
internal import MedicalRecords
internal import PlanCalendar

/// The plans of a record and the time zones in which its subject was, as known at one position of the log.
package struct CareState {
    package let record: UUID
    package let position: UInt64
    /// In the order in which they were added, without retracted ones.
    package let plans: [CarePlan]
    package let zones: ZoneHistory
}

extension Journal.Care {
    /// The kinds of entries from which due doses, taken doses and the stock are computed.
    package static let careKinds: Set<Kind> = [Drug.kind, Supplement.kind, Dose.kind, Supply.kind, Zone.kind]

    /// Returns the plans of a record, or one of them; throws `notFound` if that is not among them.
    package func careState(of record: UUID, plan: UUID? = nil, asOf position: UInt64) throws -> CareState {
        var selection = MedicalRecordsView.Selection()
        selection.kinds = Plan.kinds + [Zone.kind]
        selection.includesRetracted = false
        guard let state = try journal.contents(for: .care).record(record, asOf: position, selection) else {
            throw JournalError(.notFound, "the record did not exist at that time")
        }
        let changes = state.entries.filter { $0.kind == Zone.kind }
            .compactMap { entry -> ZoneHistory.Change? in
                guard let from = entry.content.instant, let zone = entry.content.body.text(Zone.zone)
                else { return nil }
                return ZoneHistory.Change(from: from, zone: zone)
            }
        let home = state.profile.values.text(RecordProfile.zone) ?? journal.zone.identifier
        let entries = state.entries.filter { $0.kind != Zone.kind && plan ?? $0.id == $0.id }
        if let plan, entries.isEmpty {
            guard let erased = try journal.medicalRecords.erasure(ofEntry: plan),
                Plan.kinds.contains(where: { $0.code == erased.kind })
            else { throw JournalError.noPlan }
            throw try journal.entries.absence(of: plan, in: record)
        }
        return CareState(
            record: record,
            position: position,
            plans: try entries.map { try carePlan($0, asOf: position) },
            zones: ZoneHistory(home: home, changes: changes.sorted { $0.from < $1.from })
        )
    }

    /// Decodes the plan of an entry, with the times at which its rules were first recorded.
    private func carePlan(_ entry: EntryState, asOf position: UInt64) throws -> CarePlan {
        var recorded: [UUID: Instant] = [:]
        // An entry that was never changed contains all its rules since it was added.
        if entry.latest.position != entry.added.position {
            for place in try journal.medicalRecords.history(ofEntry: entry.id, asOf: position) {
                let event = try journal.log.recorded(journal.log.event(at: place))
                for rule in event.event.content?.body.groups(PlanFields.rules) ?? [] {
                    guard let id = rule.id(PlanFields.Rule.id), recorded[id] == nil else { continue }
                    recorded[id] = event.stamp.recordedAt
                }
            }
        }
        let plan = Plan(id: entry.id, entry.content) { rule in
            let at = recorded[rule] ?? entry.added.recordedAt
            // The journal's own zone, so that the day does not change with the zones in which the person was.
            return Plan.Recorded(at: at, day: journal.day(of: at))
        }
        return CarePlan(state: entry, plan: plan)
    }

    /// Returns the doses of plans that happened or were planned in a period, by plan.
    package func doses(of plans: [CarePlan], in care: CareState, days: ClosedRange<Day>) throws -> [UUID: [LoggedDose]]
    {
        // The dose after which the next one is due may be long ago.
        let chained = Set(plans.filter(\.plan.isChained).map(\.id))
        var found: [UUID: [LoggedDose]] = [:]
        for (ids, days) in [
            (plans.map(\.id).filter { !chained.contains($0) }, days),
            (Array(chained), Day(daysSince1970: .min)...days.upperBound),
        ] where !ids.isEmpty {
            let items = try journal.planCalendar.items(
                of: Dose.kind,
                plans: ids,
                in: care.record,
                days: days,
                asOf: care.position
            )
            for (plan, items) in items {
                found[plan] = items.compactMap { LoggedDose(id: $0.entry, $0.content) }
            }
        }
        return found
    }
}

extension Plan {
    /// Whether a dose may depend on when the dose before it was taken.
    fileprivate var isChained: Bool {
        rules.contains { if case .afterLast = $0.pattern { true } else { false } }
    }
}
