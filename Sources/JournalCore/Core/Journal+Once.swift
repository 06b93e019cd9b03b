package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Runs a command that the caller may repeat: for a known idempotency key it returns the first result.
    ///
    /// The id of the command's first event is derived from the key, so that the log itself accepts it only once.
    package func once(
        _ caller: Caller,
        _ body: () async throws -> WriteResult
    ) async throws(JournalError) -> WriteResult {
        guard let request = caller.request else { return try await retrying(body) }
        do {
            return try await repeatedRequests.answer(eventID(of: request, by: caller.account), request.digest) {
                try await answerOnce(caller, body)
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// Runs a command as `once` does, in turn with others of this process that decide on the same streams, and repeats it
    /// after conflicts with other processes.
    package func once(
        _ caller: Caller,
        inTurnOn streams: [UUID],
        _ body: () async throws -> WriteResult
    ) async throws(JournalError) -> WriteResult {
        if streams.isEmpty { return try await once(caller, body) }
        do {
            return try await turns.take(streams) {
                for attempt in 1... {
                    do {
                        return try await once(caller, body)
                    } catch let error as JournalError where error.isConcurrent && attempt < maximumDecisions {
                        try await Task.sleep(for: .microseconds(Int64.random(in: 0...5_000) * Int64(attempt)))
                    }
                }
                throw JournalError(.busy, "too many people book at the same time; try again in a moment")
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// How often a command that takes turns is decided anew after conflicts with other processes.
    private var maximumDecisions: Int { 32 }

    /// Performs a change that the caller requests, at most once.
    ///
    /// `body` admits the caller, decides on the present state, and adds the events with the versions that they expect.
    /// It returns what the change concerns, with the position of the existing state if there may be nothing to change.
    /// With `isTrial`, nothing is appended.
    package func changing(
        _ caller: Caller,
        inTurnOn streams: [UUID] = [],
        isTrial: Bool = false,
        _ body: (inout Change) async throws -> WriteResult
    ) async throws(JournalError) -> WriteResult {
        try await once(caller, inTurnOn: streams) {
            var change = try Change(self, caller)
            let existing = try await body(&change)
            return isTrial ? existing : try await change.commit(answering: existing)
        }
    }

    /// Lets a request that was refused be decided anew, because the same client has removed the obstacle.
    package func decideAnew(_ caller: Caller) throws(JournalError) {
        guard let request = caller.request else { return }
        do {
            repeatedRequests.forget(try eventID(of: request, by: caller.account))
        } catch {
            throw JournalError(error)
        }
    }

    private func answerOnce(
        _ caller: Caller,
        _ body: () async throws -> WriteResult
    ) async throws(JournalError) -> WriteResult {
        try await retrying {
            if let answer = try await readableAnswer(to: caller) { return answer }
            do {
                return try await body()
            } catch let refusal as JournalError {
                // Another process may have completed the same request in the meantime, so that the command conflicts with
                // the result of its own request. That result is then the answer.
                if let answer = try await readableAnswer(to: caller) { return answer }
                throw refusal
            }
        }
    }

    /// Reports whether the same request of the caller was processed before, so that it will be answered with that result.
    package func isRepeated(_ caller: Caller) async throws(JournalError) -> Bool {
        try await retrying { try await readableAnswer(to: caller) != nil }
    }

    /// Returns the result of the caller's request, if the same request was processed before.
    ///
    /// Returns nil if the result was erased since with its record: the command runs, and the gate decides what the caller may
    /// know. Throws `erased` if only the entry was erased, to a caller who may still add to the record.
    private func readableAnswer(to caller: Caller) async throws -> WriteResult? {
        do {
            return try answerGiven(to: caller)
        } catch let error as EventLogError where error.code == .subjectErased {
            guard let request = caller.request,
                let event = try log.event(withKey: eventID(of: request, by: caller.account)),
                try medicalRecords.erasure(ofEntry: event.header.entry) != nil
            else { return nil }
            throw try await entries.absence(of: event.header.entry, caller) { .contribute($0, .adding) }
        }
    }

    /// Returns the id of the event that represents an idempotency key.
    package func eventID(of key: RequestKey, by account: UUID) throws(EventLogError) -> UUID {
        let namespace = try log.opaqueID(of: "requests", subject: log.description.id)
        return UUID(nameBased: namespace, "\(account.text)\n\(key.key)")
    }

    /// Returns the event that answers the caller's request, if the same request was processed before.
    package func eventGiven(to caller: Caller) throws -> RecordedEvent? {
        guard let request = caller.request, try answerGiven(to: caller) != nil,
            let event = try log.event(withKey: eventID(of: request, by: caller.account))
        else { return nil }
        return try log.recorded(event)
    }

    private func answerGiven(to caller: Caller) throws -> WriteResult? {
        guard let request = caller.request,
            let event = try log.event(withKey: eventID(of: request, by: caller.account))
        else { return nil }
        let header = event.header
        let stored = try EventCodec.decode(
            type: header.type,
            schemaVersion: header.schemaVersion,
            kind: header.kind,
            payload: log.open(event)
        )
        guard stored.requestDigest == request.digest else {
            throw JournalError(.conflict, field: "Idempotency-Key", "was already used for another request")
        }
        let isOfPractice = header.category == EventCategory.practice.rawValue
        var result = WriteResult.created(
            record: header.record,
            entry: header.entry == .zero || header.entry == header.record ? nil : header.entry,
            account: isOfPractice ? nil : stored.event.account ?? (header.record == nil ? header.subject : nil),
            id: isOfPractice ? header.stream : nil
        )
        // All events of a request carry its digest.
        var streams = [header.stream]
        var last = event.position
        while let next = try log.events(after: last, limit: 1).first, try digest(of: next) == request.digest {
            streams.append(next.header.stream)
            last = next.position
        }
        result.take(streams: streams, from: event.position, to: last, answer: 0)
        return result
    }

    private func digest(of event: StoredEvent) throws -> [UInt8] {
        let header = event.header
        do {
            return
                try EventCodec.decode(
                    type: header.type,
                    schemaVersion: header.schemaVersion,
                    kind: header.kind,
                    payload: log.open(event)
                )
                .requestDigest
        } catch let error as EventLogError where error.code == .subjectErased {
            return []
        }
    }
}

/// The idempotency key of a request, with which the client may repeat the request without repeating its effect.
package struct RequestKey: Hashable, Sendable {
    /// The key that the client chose; it must be unique only within its account.
    package let key: String
    /// The digest of the account, the key and the content: the same key with another digest is another request.
    package let digest: [UInt8]

    package init(_ key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}
