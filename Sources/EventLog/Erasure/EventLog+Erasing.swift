package import FoundationEssentials

extension EventLog {
    /// The type of the event that records the erasure of a subject; its header names the subject as `entry`.
    package static let erasedType: UInt16 = 24

    /// Erases a subject: appends the events that record it, and destroys the subject's data key and attachments.
    ///
    /// When this returns, the event is on the disk and the key is destroyed. As soon as the event is in the log, no
    /// process reads or adds data of the subject. An interrupted erasure is completed when the log is next opened, or
    /// undone if its event is not in the log.
    package func erase(
        _ subject: UUID,
        events: [NewEvent],
        expecting expectations: [Expectation] = []
    ) async throws(EventLogError) -> AppendResult {
        try KeyStore.requireSubject(subject)
        return try await destroy([subject], events: events, expecting: expectations)
    }

    /// Appends the events that record an erasure, and destroys the keys of subjects or entries.
    func destroy(
        _ subjects: Set<UUID>,
        events: [NewEvent],
        expecting expectations: [Expectation]
    ) async throws(EventLogError) -> AppendResult {
        guard !subjects.isEmpty, !subjects.contains(description.id),
            subjects.isSubset(of: events.compactMap { EventLog.erasure(by: $0.header) }),
            !events.contains(where: { subjects.contains($0.header.subject) })
        else {
            throw EventLogError(.storage, "an erasure needs an event that records it, sealed under another key")
        }
        try await prepareKeys(of: events)
        return try await answer { answer throws(EventLogError) in
            try enqueue(events, expecting: expectations, erasing: subjects, answer)
        }
    }

    /// Returns the subjects whose data is erased or about to be erased; none without the master key.
    package func erasedSubjects() throws(EventLogError) -> Set<UUID> {
        try keys.erased()
    }

    /// Returns the subjects whose keys are disabled by erasures that are not in the log yet; none without the master key.
    ///
    /// Usually each is in the log within the time of a commit. One that was interrupted stays until the log is opened
    /// for writing.
    package func pendingErasures() throws(EventLogError) -> Set<UUID> {
        var pending: Set<UUID> = []
        for subject in try keys.markedForErasure() where try !isPermanentlyErased(subject) { pending.insert(subject) }
        return pending
    }

    package func isErased(_ subject: UUID) throws(EventLogError) -> Bool {
        try keys.erased().contains(subject)
    }

    /// Reports whether the payload of an event is permanently erased, with its subject or with its entry.
    ///
    /// It is not while a key is only disabled, for an event that may not be committed: a view that omits data must be
    /// able to omit it permanently.
    package func isPermanentlyErased(_ event: StoredEvent) throws(EventLogError) -> Bool {
        try isPermanentlyErased(event.header, isSealedByEntry: event.isSealedByEntry)
    }

    package func isPermanentlyErased(_ frame: Frame) throws(EventLogError) -> Bool {
        try isPermanentlyErased(frame.header, isSealedByEntry: frame.isSealedByEntry)
    }

    private func isPermanentlyErased(_ header: EventHeader, isSealedByEntry: Bool) throws(EventLogError) -> Bool {
        if try isPermanentlyErased(header.subject) { return true }
        guard isSealedByEntry else { return false }
        return try isPermanentlyErased(EntryKeys.slot(of: header.entry, in: header.subject))
    }

    /// Reports whether a subject's data is permanently erased.
    package func isPermanentlyErased(_ subject: UUID) throws(EventLogError) -> Bool {
        guard try isErased(subject) else { return false }
        guard let since = try keys.markedForErasure(subject) else { return try isErased(subject) }
        return try reading { transaction in
            try tables.recordsErasure(subject, after: since, through: tables.head(transaction), transaction)
        }
    }
}
