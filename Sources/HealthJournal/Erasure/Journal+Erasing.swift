internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// What is about to be erased, for whoever is asked whether they mean it.
package struct ErasurePreview: Hashable, Sendable {
    package let displayName: String
    package let entryCount: Int

    package init(displayName: String, entryCount: Int) {
        self.displayName = displayName
        self.entryCount = entryCount
    }

    package var entries: String { entryCount == 1 ? "its one entry" : "its \(entryCount) entries" }
}

extension Journal {
    /// Says what an erasure would take, if the caller may erase the record and nothing holds it.
    package func previewErasure(_ record: UUID, _ caller: Caller) async throws(JournalError) -> ErasurePreview {
        try await retrying {
            let admission = try await admit(caller, to: .erase, on: record)
            guard let state = try records.record(record, asOf: log.head()) else { throw JournalError.noRecord }
            _ = try decide(.erase, state, today: today)
            try await trace(caller, admission, Shown(sections: []))
            return ErasurePreview(displayName: state.displayName, entryCount: state.entries.count)
        }
    }

    /// Makes all data of a record unreadable for good, for everybody, at every moment of the past.
    ///
    /// When it returns, the event is on the disk, the data key is gone, and so are the attachments and the rows of views.
    package func eraseRecord(_ record: UUID, _ caller: Caller) async throws(JournalError) -> WriteResult {
        // A disk may have failed between the event and the key: no answer that it is done before it is.
        try settleErasures()
        let result = try await once(caller) {
            _ = try await admit(caller, to: .erase, on: record)
            try requireReason(caller)
            let version = try log.version(of: record)
            let state = try header(admitted: record)
            var change = try Change(self, caller)
            for event in try decide(.erase, state, today: today) {
                // Tied to the record: neither a hold nor an entry slips in between.
                try change.add(
                    event,
                    stream: record,
                    subject: log.description.id,
                    entry: record,
                    expecting: .exact(version)
                )
            }
            try releaseClaims(of: state, &change)
            let result = try await change.commit(erasing: record)
            return WriteResult(position: result.first, record: record)
        }
        cache.forget(record)
        // What cannot be taken in now is taken in by whoever asks next: the data is gone in any case.
        _ = viewFindings()
        return result
    }

    /// Destroys what erasures that are in the log have left undone.
    func settleErasures() throws(JournalError) {
        do {
            try log.settleErasures()
        } catch {
            throw JournalError(error)
        }
    }

    /// Keeps a record from being erased up to a day, included.
    package func holdRecord(_ record: UUID, until: Day, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: .manage, on: record)
            try requireReason(caller)
            let version = try log.version(of: record)
            let state = try header(admitted: record)
            var change = try Change(self, caller)
            for event in try decide(.hold(until: until), state, today: today) {
                try change.add(event, stream: record, subject: record, expecting: .exact(version))
            }
            let result = try await change.commit()
            return WriteResult(
                position: result?.last ?? state.hold?.set.position ?? 0,
                record: record,
                isChanged: result != nil
            )
        }
    }

    /// For what cannot be taken back, somebody must be able to tell later why it was done.
    private func requireReason(_ caller: Caller) throws {
        guard caller.reason.contains(where: { !$0.isWhitespace }) else {
            throw JournalError(.invalid, field: "reason", "is required")
        }
    }
}
