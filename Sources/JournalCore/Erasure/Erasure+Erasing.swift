internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords
internal import Platform

/// The data that an erasure would destroy, for the confirmation by the user.
package struct ErasurePreview: Hashable, Sendable {
    package let displayName: String
    package let entryCount: Int

    package init(displayName: String, entryCount: Int) {
        self.displayName = displayName
        self.entryCount = entryCount
    }

    package var entries: String { entryCount == 1 ? "its one entry" : "its \(entryCount) entries" }
}

extension Journal.Erasure {
    /// Returns what an erasure would destroy, if the caller may erase the record and no hold prevents it.
    package func previewErasure(_ record: UUID, _ caller: Caller) async throws(JournalError) -> ErasurePreview {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .erase, on: record)
            guard let state = try journal.contents(for: .erasure).record(record, asOf: journal.log.head()) else {
                throw JournalError.noRecord
            }
            _ = try decide(.erase, state, today: journal.today)
            try await journal.access.trace(caller, admission, Shown(sections: []))
            return ErasurePreview(displayName: state.displayName, entryCount: state.entries.count)
        }
    }

    /// Erases a record: makes all its data unreadable for good, for everyone and as of every past moment.
    ///
    /// When this returns, the event is on the disk, and the data key and the attachments are destroyed. The views have
    /// removed their rows, or do so at the next query if they could not be updated.
    package func eraseRecord(_ record: UUID, _ caller: Caller) async throws(JournalError) -> WriteResult {
        // A disk may have failed between the event and the destruction of the key: success must not be reported before
        // the data is destroyed.
        try settleErasures()
        let result = try await journal.once(caller) {
            _ = try await journal.access.admit(caller, to: .erase, on: record)
            try requireReason(caller)
            let version = try journal.log.version(of: record)
            let state = try journal.access.header(admitted: record)
            var change = try Change(journal, caller)
            // Expects the record's version, so that neither a hold nor an entry is added at the same time.
            try change.add(
                decide(.erase, state, today: journal.today),
                in: .entry(record, of: journal.log.description.id),
                expecting: .exact(version)
            )
            try journal.releaseClaims(of: state, &change)
            for capability in journal.capabilities { try capability.addErasure(of: record, in: journal, to: &change) }
            let result = try await change.commit(erasing: record)
            return WriteResult(position: result.first, record: record)
        }
        journal.cache.forget(record)
        // A view that cannot be updated now is updated by the next query: the data is unreadable in any case.
        await BlockingWork.run { _ = journal.viewFindings() }
        return result
    }

    /// Completes erasures that are in the log but were not finished.
    package func settleErasures() throws(JournalError) {
        do {
            try journal.log.settleErasures()
        } catch {
            throw JournalError(error)
        }
    }

    /// Sets a retention hold: a record cannot be erased up to and including a day.
    package func holdRecord(_ record: UUID, until: Day, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            try requireReason(caller)
            let version = try journal.log.version(of: record)
            let state = try journal.access.header(admitted: record)
            try change.add(
                decide(.hold(until: until), state, today: journal.today),
                in: .own(record),
                expecting: .exact(version)
            )
            return .existing(at: state.hold?.set.position ?? 0, record: record)
        }
    }

    /// Requires a reason, because an action that cannot be undone must be explainable later.
    package func requireReason(_ caller: Caller) throws {
        guard caller.reason.contains(where: { !$0.isWhitespace }) else {
            throw JournalError(.invalid, field: "reason", "is required")
        }
    }
}
