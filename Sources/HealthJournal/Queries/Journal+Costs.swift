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

extension Journal {
    /// What was spent on a record, or on each that the caller may see.
    package func costs(
        of record: UUID?,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordCosts] {
        let wanted = if let record { [record] } else { try await visibleRecords(caller) }
        return try await retrying {
            let position = try log.position(asOf: moment)
            var answers: [RecordCosts] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            for id in wanted {
                // One that is erased at this moment is left out of a list, and not asked for.
                if record == nil, try tombstone(of: id) != nil { continue }
                let admission = try await admit(caller, to: .read([Cost.kind], .costs), on: id)
                guard let header = try records.header(of: id, asOf: position) else {
                    if record == nil { continue }
                    throw JournalError(.notFound, "the record was not there yet at that time")
                }
                let totals = try costs.totals(of: id, asOf: position)
                answers.append(RecordCosts(record: id, displayName: header.displayName, totals: totals))
                let shown = Shown(
                    sections: [Cost.kind.section],
                    entryCount: totals.reduce(0) { $0 + $1.count },
                    asOf: moment == nil ? nil : position
                )
                reads.append((admission, shown))
            }
            try await trace(caller, reads)
            return answers
        }
    }

    /// The records whose costs a caller may see, without asking for those that it may not.
    private func visibleRecords(_ caller: Caller) async throws(JournalError) -> [UUID] {
        do {
            let head = try log.head()
            let (now, today) = (now, today)
            let allowed = Set(
                try permissions.records(of: caller.account, asOf: head)
                    .filter { found in
                        let verdict = Gate.decide(
                            .read([Cost.kind], .costs),
                            by: caller,
                            permission: found.permission,
                            now: now,
                            today: today
                        )
                        if case .allowed = verdict { return true }
                        return false
                    }
                    .map(\.record)
            )
            return try records.records(asOf: head).filter(allowed.contains)
        } catch {
            throw JournalError(error)
        }
    }
}
