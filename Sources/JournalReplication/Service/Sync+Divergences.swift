internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

extension Journal.Sync {
    /// Returns the versions of entries of a record that are still undecided, in the order in which they were kept.
    package func divergences(of record: UUID, _ caller: Caller) async throws(JournalError) -> [DivergenceDocument] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .readPast(nil, .list), on: record)
            // Kept versions are history, which the emergency view does not show.
            let head = try journal.log.head()
            var found: [(entry: EntryState, document: DivergenceDocument)] = []
            for entry in try journal.medicalRecords.diverged(in: record, asOf: head) {
                guard let place = try journal.entries.place(ofEntry: entry), let kind = Kind.coded(place.kind),
                    admission.sees(kind)
                else { continue }
                found += try divergences(ofEntry: entry)
            }
            let added = found.map(\.entry.added.position)
            var shown = Shown(sections: Set(found.map(\.entry.kind.section)), entryCount: Set(added).count)
            shown.version = head
            shown.entries = Set(found.map(\.entry.kind)).sorted { $0.code < $1.code }
                .compactMap { kind in
                    let added = found.filter { $0.entry.kind == kind }.map(\.entry.added.position)
                    guard let first = added.min(), let last = added.max() else { return nil }
                    return ShownEntries(kind: kind.code, added: first...last)
                }
            try await journal.access.trace(caller, admission, shown)
            return found.map(\.document).sorted { $0.position < $1.position }
        }
    }

    /// Returns the versions of an entry that are still undecided, each with the entry.
    ///
    /// For callers who were shown these entries: no authorization is checked.
    package func divergences(ofEntry entry: UUID) throws -> [(entry: EntryState, document: DivergenceDocument)] {
        let events = try journal.log.recordedEvents(of: entry)
        var state: EntryState?
        for event in events { evolve(&state, event) }
        guard let state, let last = events.last(where: { $0.event.content != nil }) else { return [] }
        let shown = version(state.content, by: last.writer, isRetracted: state.isRetracted)
        return EntryDivergence.open(in: events)
            .map { divergence in
                let kept = divergence.kept
                let document = DivergenceDocument(
                    position: divergence.position,
                    record: state.record,
                    entry: entry,
                    fields: kept.fields,
                    shown: shown,
                    kept: version(kept.content, by: kept.writer, isRetracted: kept.isRetracted)
                )
                return (state, document)
            }
    }

    private func version(
        _ content: EntryContent,
        by writer: ChangeWriter,
        isRetracted: Bool
    ) -> DivergenceDocument.Version {
        let account = try? journal.accounts.account(writer.author)
        return DivergenceDocument.Version(
            author: writer.author,
            authorName: account?.name,
            device: writer.origin.device,
            deviceName: writer.origin.device.flatMap { account?.devices[$0]?.name },
            madeAt: writer.origin.madeAt,
            isRetracted: isRetracted,
            content: content
        )
    }

    /// Decides between two versions of an entry; `position` is that of the event that kept one of them.
    package func settle(
        _ position: UInt64,
        _ choice: DivergenceSettled.Choice,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) { try await settled(position, choice, caller) }
    }

    /// Decides between two versions of an entry, for a request that is not repeated; `entry` must be that entry.
    func settled(
        _ position: UInt64,
        _ choice: DivergenceSettled.Choice,
        of entry: UUID? = nil,
        _ caller: Caller
    ) async throws -> WriteResult {
        let missing = JournalError(.notFound, field: "position", "there is no such version of an entry")
        guard try position > 0 && position <= journal.log.head() else { throw missing }
        let header = try journal.log.event(at: position).header
        guard header.type == EntryDiverged.type.rawValue else { throw missing }
        guard entry ?? header.entry == header.entry else { throw missing }
        let entry = header.entry
        let version = try journal.log.version(of: entry)
        guard let kind = Kind.coded(header.kind),
            let state = try journal.contents(for: .decision).entry(entry, asOf: journal.log.head())
        else {
            throw try await journal.entries.absence(of: entry, caller) { .contribute($0, .changingOthers) }
        }
        let isOwn = state.added.actor == caller.account
        let admission = try await journal.access.admit(
            caller,
            to: .contribute(kind, isOwn ? .changingOwn : .changingOthers),
            on: state.record
        )
        guard let access = admission.access else { throw JournalError.noRecord }
        let open = EntryDivergence.open(in: try journal.log.recordedEvents(of: entry))
        guard let divergence = open.first(where: { $0.position == position }) else {
            throw JournalError(.conflict, field: "position", "somebody decided between these versions already")
        }
        let decision = try HealthModel.settle(
            divergence,
            choice,
            state,
            isClosed: access.header.isClosed,
            now: journal.now
        )
        var change = try Change(journal, caller)
        try change.add(decision.events, in: .entry(entry, of: state.record, kind), expecting: .exact(version))
        if let content = decision.added {
            let id = UUID.timeOrdered(at: journal.log.now())
            try change.add(.entryAdded(content), in: .entry(id, of: state.record), expecting: .empty)
        }
        change.expect(state.record, .exact(access.version))
        return try await change.commit(answering: .existing(at: position, record: state.record, entry: entry))
    }
}
