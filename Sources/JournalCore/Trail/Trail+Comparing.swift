internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A record as it was known at a moment, beside its present state.
package struct RecordComparison: Sendable {
    /// The position of the last event at the moment, whether the caller may see that event or not.
    package let position: UInt64
    package let then: RecordAnswer
    package let now: RecordAnswer
    /// The present state of the entries in `then` and in `now`.
    package let entries: [UUID: EntryState]
    /// The latest changes of the record and of the entries that the caller may see, newest first.
    package let changes: [Stamp]
    /// Whether older changes may be missing from `changes`.
    package let isCut: Bool

    /// The maximum number of changes in a comparison.
    static let mostChanges = 2_000
    /// The maximum number of events examined for them: a narrow grant must not cause the whole record to be read.
    static let reach = 10_000
}

extension Journal.Trail {
    /// Reads a record as it was known at a moment and as it is now, with its latest changes.
    ///
    /// The audit log gets two reads.
    package func compare(
        _ record: UUID,
        _ options: ReadOptions,
        _ caller: Caller
    ) async throws(JournalError) -> RecordComparison {
        try await journal.retrying {
            let admission = try await journal.access.admit(
                caller,
                to: .readPast(options.kinds.map { Set($0) }, .read),
                on: record
            )
            let position = try journal.log.position(asOf: options.asOf)
            var current = options
            current.asOf = nil
            current.includesRetracted = true
            let then = try journal.records.answer(admission, options, asOf: position)
            let head = try journal.log.head()
            let now = try journal.records.answer(admission, current, asOf: head)
            var entries = Dictionary(now.state.entries.map { ($0.id, $0) }) { first, _ in first }
            for entry in then.state.entries where entries[entry.id] == nil {
                entries[entry.id] = try journal.contents(admission).entry(entry.id, asOf: journal.log.head())
            }
            let (changes, isCut) = try changes(of: record, seenBy: admission)
            let runs = options.runs(of: then.state.entries)
            let shown = [
                Shown(then.state.entries.count, runs, options, admission, asOf: position),
                // The entries in `then` are also shown in their present state.
                Shown(entries.count, current.runs(of: now.state.entries) + runs, current, admission, asOf: head),
            ]
            try await journal.access.trace(caller, shown.map { (admission, $0) })
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
        let all = try journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head())
        for position in all.suffix(RecordComparison.reach).reversed() {
            let event = try journal.log.event(at: position)
            guard admission.sees(changeOf: Kind.coded(event.header.kind)) else { continue }
            if changes.count == RecordComparison.mostChanges { return (changes, true) }
            changes.append(event.stamp)
        }
        return (changes, all.count > RecordComparison.reach)
    }
}
