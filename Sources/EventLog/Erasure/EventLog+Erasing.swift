package import FoundationEssentials

extension EventLog {
    /// The type of the event that says that a subject was erased: its header names the subject as `entry`.
    package static let erasedType: UInt16 = 24

    /// Erases a subject: appends events that say so, and destroys its data key and its attachments.
    ///
    /// When this returns, the event is on the disk and the key is gone. From the moment that the event is in the log no
    /// process reads or adds anything of the subject. Cut off in between, it is finished, or taken back if the event is
    /// not there, when the log is opened next.
    package func erase(
        _ subject: UUID,
        events: [NewEvent],
        expecting expectations: [Expectation] = []
    ) async throws(EventLogError) -> AppendResult {
        guard subject != description.id, subject != KeyStore.checkpointSigner,
            events.contains(where: { $0.header.type == EventLog.erasedType && $0.header.entry == subject }),
            !events.contains(where: { $0.header.subject == subject })
        else {
            throw EventLogError(.storage, "an erasure takes one event that says so, sealed under another key")
        }
        return try await answer { answer throws(EventLogError) in
            try enqueue(events, expecting: expectations, erasing: subject, answer)
        }
    }

    /// Subjects whose data was erased; none without the master key.
    package func erasedSubjects() throws(EventLogError) -> Set<UUID> {
        try keys.erased()
    }

    package func isErased(_ subject: UUID) throws(EventLogError) -> Bool {
        try keys.erased().contains(subject)
    }

    /// Whether a subject's data is gone for good: not only shut off for an event that may yet fail to come.
    ///
    /// What a view leaves out it must be able to leave out for ever.
    package func isErasedForGood(_ subject: UUID) throws(EventLogError) -> Bool {
        guard try isErased(subject) else { return false }
        guard let since = try keys.condemned(subject) else { return try isErased(subject) }
        return try reading { transaction in
            try tables.saysErased(subject, after: since, through: tables.head(transaction), transaction)
        }
    }
}
