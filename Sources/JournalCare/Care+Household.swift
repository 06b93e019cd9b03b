internal import EventLog
internal import FoundationEssentials
package import HealthModel
package import JournalCore

/// What the first page shows of one record: the doses of today, the newest values, and what is due.
package struct HouseholdRecord: Sendable {
    /// The record without its entries, as far as the caller may see it.
    package let state: RecordState
    /// Whether the caller is an owner of the record.
    package let isOwned: Bool
    /// Nil if the caller may not see doses or the record has no plans.
    package let today: DueAnswer?
    /// The newest weights and other values of each kind, in no particular order.
    package let values: [EntryState]
    package let vaccinations: [DueVaccination]
}

extension Journal.Care {
    /// The maximum number of records of which more than the name is shown, and of values of a kind of each.
    package static let (householdRecords, householdValues) = (20, 30)
    /// The maximum number of vaccinations of a record among which those that are due are found.
    package static let vaccinations = 200

    /// Returns the records that the caller may see, with what matters today, in the order in which they were created.
    ///
    /// All of it is one audited read of each record. A record that is closed, or that the caller sees in an emergency, comes
    /// without anything else, and so does every record after the first `householdRecords` others.
    package func household(_ caller: Caller) async throws(JournalError) -> [HouseholdRecord] {
        try await journal.retrying {
            let position = try journal.log.head()
            let now = journal.now
            var found: [HouseholdRecord] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            var detailed = 0
            for (listing, state) in try await journal.records.admittedRecords(asOf: position, caller) {
                let read = Kind.values + [Vaccination.kind]
                let wanted = Self.careKinds.union(read).intersection(listing.scope.kinds)
                guard !state.isClosed, !listing.right.isEmergency, !wanted.isEmpty, detailed < Self.householdRecords,
                    case .admitted(let admission) = try journal.access.decideAdmission(
                        caller,
                        .read(wanted, .read),
                        on: state.id
                    )
                else {
                    found.append(
                        HouseholdRecord(
                            state: state,
                            isOwned: listing.right == .owner,
                            today: nil,
                            values: [],
                            vaccinations: []
                        )
                    )
                    reads.append((listing, Shown(sections: [])))
                    continue
                }
                detailed += 1
                let today = try await today(of: state.id, admission, asOf: position, now: now, caller)
                let options = ReadOptions(
                    kinds: read.filter(wanted.contains),
                    page: .newest(Self.householdValues, of: [Vaccination.kind: Self.vaccinations])
                )
                let entries = try journal.records.answer(admission, options, asOf: position).state.entries
                let values = entries.filter { $0.kind != Vaccination.kind }
                let due = DueVaccination.all(of: entries, on: today?.from ?? journal.today)
                found.append(
                    HouseholdRecord(
                        state: state,
                        isOwned: listing.right == .owner,
                        today: today,
                        values: values,
                        vaccinations: due
                    )
                )
                reads.append((admission, shown(today, values, due, asOf: position)))
            }
            try await journal.access.trace(caller, reads)
            return found
        }
    }

    private func today(
        of record: UUID,
        _ admission: Admission,
        asOf position: UInt64,
        now: Instant,
        _ caller: Caller
    ) async throws -> DueAnswer? {
        guard Self.careKinds.isSubset(of: admission.scope.kinds) else { return nil }
        let care = try careState(of: record, asOf: position)
        guard care.plans.contains(where: { !$0.plan.rules.isEmpty }) else { return nil }
        return try today(
            care,
            CareQuestion(),
            includesStock: true,
            knowsFindings: try await journal.interactionChecks.mayKnowFindings(of: record, caller),
            now: now
        )
    }

    private func shown(
        _ today: DueAnswer?,
        _ values: [EntryState],
        _ vaccinations: [DueVaccination],
        asOf position: UInt64
    ) -> Shown {
        let kinds = today.map { Self.careKinds.union($0.shownBesides) } ?? []
        let due = vaccinations.map(\.last)
        let runs =
            ShownEntries.runs(of: values) + ShownEntries.each(of: due) + kinds.map { ShownEntries(kind: $0.code) }
        return Shown(
            sections: Set((values + due).map(\.kind.section)).union(kinds.map(\.section)),
            entryCount: values.count + due.count + (today?.plans.count ?? 0),
            version: position,
            entries: runs.sorted { $0.kind < $1.kind }
        )
    }
}
