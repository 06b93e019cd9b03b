internal import CaregiverPermissions
package import CostSummary
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// The costs of one record.
package struct RecordCosts: Hashable, Sendable {
    package let record: UUID
    package let displayName: String
    package let totals: [CostTotal]
}

extension Journal.Records {
    /// Returns the costs of a record, or of each record whose costs the caller may see.
    package func costs(
        of record: UUID?,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordCosts] {
        let wanted = if let record { [record] } else { try await visibleRecords(caller) }
        return try await journal.retrying {
            let position = try journal.log.position(asOf: moment)
            var answers: [RecordCosts] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            for id in wanted {
                // A record that is being erased is left out of a list, without a request for it.
                if record == nil, try journal.erasure.tombstone(of: id) != nil { continue }
                let admission = try await journal.access.admit(caller, to: .read([Cost.kind], .costs), on: id)
                guard let header = try journal.medicalRecords.header(of: id, asOf: position) else {
                    if record == nil { continue }
                    throw JournalError(.notFound, "the record did not exist at that time")
                }
                let totals = try journal.costs.totals(of: id, asOf: position)
                answers.append(RecordCosts(record: id, displayName: header.displayName, totals: totals))
                let shown = Shown(
                    sections: [Cost.kind.section],
                    entryCount: totals.reduce(0) { $0 + $1.count },
                    asOf: moment == nil ? nil : position,
                    version: position,
                    entries: totals.isEmpty ? [] : [ShownEntries(kind: Cost.kind.code)]
                )
                reads.append((admission, shown))
            }
            try await journal.access.trace(caller, reads)
            return answers
        }
    }

    /// Returns the records whose costs a caller may see, without requests that would be recorded as refused.
    private func visibleRecords(_ caller: Caller) async throws(JournalError) -> [UUID] {
        try await journal.retrying {
            let head = try journal.log.head()
            let (now, today) = (journal.now, journal.today)
            let allowed = try journal.access.permittedRecords(of: caller.account, asOf: head)
                .filter { found in
                    let decision = Gate.decide(
                        .read([Cost.kind], .costs),
                        by: caller,
                        permission: found.permission,
                        now: now,
                        today: today
                    )
                    if case .allowed = decision { return true }
                    return false
                }
            return try journal.medicalRecords.creations(of: allowed.map(\.record), asOf: head).map(\.record)
        }
    }
}
