internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Runs a command that the caller may repeat: for a known idempotency key it returns the first result.
    ///
    /// The id of the command's first event is derived from the key, so that the log itself accepts it only once.
    func once(
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
                try records.erasure(ofEntry: event.header.entry) != nil
            else { return nil }
            throw try await absence(of: event.header.entry, caller) { .contribute($0, .adding) }
        }
    }

    /// Returns the id of the event that represents an idempotency key.
    func eventID(of key: RequestKey, by account: UUID) throws(EventLogError) -> UUID {
        let namespace = try log.opaqueID(of: "requests", subject: log.description.id)
        return UUID(nameBased: namespace, "\(account.text)\n\(key.key)")
    }

    /// Returns the first event of the caller's request, if the same request was processed before.
    func eventGiven(to caller: Caller) throws -> RecordedEvent? {
        guard let answer = try answerGiven(to: caller) else { return nil }
        return try log.recorded(log.event(at: answer.version))
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
        return WriteResult(
            position: try lastPosition(of: request, from: event.position),
            version: event.position,
            record: header.record,
            entry: header.entry == .zero || header.entry == header.record ? nil : header.entry,
            account: isOfPractice ? nil : stored.event.account ?? (header.record == nil ? header.subject : nil),
            id: isOfPractice ? header.stream : nil
        )
    }

    /// Returns the last position of the events of a request, which all carry the request's digest.
    private func lastPosition(of request: RequestKey, from position: UInt64) throws -> UInt64 {
        var last = position
        while let next = try log.events(after: last, limit: 1).first, try digest(of: next) == request.digest {
            last = next.position
        }
        return last
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
