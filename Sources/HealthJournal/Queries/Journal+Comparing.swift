internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A record as it was known at a moment, beside what is known now.
package struct RecordComparison: Sendable {
    /// The last event that was there at the moment, of the caller's or not.
    package let position: UInt64
    package let then: RecordAnswer
    package let now: RecordAnswer
    /// What the entries that `then` shows say now, and the newest ones.
    package let entries: [UUID: EntryState]
    /// When the record or an entry that the caller may see was changed, the latest first; of very many the latest.
    package let changes: [Stamp]
    /// Whether there may be older ones that are not among them.
    package let isCut: Bool

    /// How many changes are told at most.
    static let mostChanges = 2_000
    /// How many are looked through for them: a narrow grant must not make the whole record be read.
    static let reach = 10_000
}

extension Journal {
    /// Reads a record as it was known at a moment, and what became of it since.
    ///
    /// On record as two reads, which it is.
    package func compare(
        _ record: UUID,
        _ options: ReadOptions,
        _ caller: Caller
    ) async throws(JournalError) -> RecordComparison {
        try await retrying {
            let admission = try await admit(caller, to: .read(options.kinds.map { Set($0) }, .read), on: record)
            let position = try log.position(asOf: options.asOf)
            var current = options
            current.asOf = nil
            current.includesRetracted = true
            let then = try answer(admission, options, asOf: position)
            let now = try answer(admission, current, asOf: log.head())
            var entries = Dictionary(now.state.entries.map { ($0.id, $0) }) { first, _ in first }
            for entry in then.state.entries where entries[entry.id] == nil {
                entries[entry.id] = try records.entry(entry.id, asOf: log.head())
            }
            let (changes, isCut) = try changes(of: record, seenBy: admission)
            let shown = [
                Shown(then.state.entries.count, options, admission, asOf: position),
                Shown(entries.count, current, admission, asOf: position),
            ]
            try await trace(caller, shown.map { (admission, $0) })
            return RecordComparison(
                position: position,
                then: then,
                now: now,
                entries: entries,
                changes: changes,
                isCut: isCut
            )
        }
    }

    private func changes(
        of record: UUID,
        seenBy admission: Admission
    ) throws -> (changes: [Stamp], isCut: Bool) {
        var changes: [Stamp] = []
        let all = try records.history(ofRecord: record, asOf: log.head())
        for position in all.suffix(RecordComparison.reach).reversed() {
            let event = try log.event(at: position)
            guard admission.sees(changeOf: Kind.coded(event.header.kind)) else { continue }
            if changes.count == RecordComparison.mostChanges { return (changes, true) }
            changes.append(event.stamp)
        }
        return (changes, all.count > RecordComparison.reach)
    }
}
