internal import EventLog
internal import FoundationEssentials
internal import HealthModel

extension Journal.AccessControl {
    /// Records that a caller was refused, and returns the error to throw for each refusal.
    ///
    /// Refusals of the same action on the same sections of the same record are one event, within this call and within
    /// the window of `refusals`; the others are counted. An account that had too many events of refusals gets `busy`,
    /// which is recorded once as well.
    ///
    /// Refusals that concern no record, or an erased one, are recorded in the journal's own access stream. For an
    /// erased record the reason and the purpose are left out, because those texts are about the person whose data was
    /// erased.
    package func recordRefusals(_ denials: [Denial], of caller: Caller) async throws -> [JournalError] {
        if journal.replica != nil { return denials.map(\.error) }
        var caller = caller
        // A text that is not valid must not prevent the refusal from being recorded.
        if (try? JournalEvent.check(reason: caller.reason, field: "reason")) == nil { caller.reason = "" }
        if (try? JournalEvent.check(purpose: caller.purpose)) == nil { caller.purpose = "" }
        let now = journal.log.now()
        var errors: [JournalError] = []
        var order: [RefusalLedger.Key] = []
        var new: [RefusalLedger.Key: (denial: Denial, count: Int)] = [:]
        var excess: JournalError?
        for var denial in denials {
            var error = denial.error
            var key = RefusalLedger.Key(denial, by: caller.account)
            if new[key] == nil, !journal.refusals.count(key, now: now) {
                if excess == nil, let wait = journal.refusals.spend(caller.account, now: now) {
                    excess = JournalError(
                        .busy,
                        "too many requests of this account were refused; try again later",
                        retryAfter: wait
                    )
                }
                if let excess {
                    error = excess
                    denial = Denial(denial.action, reason: excess.text)
                    key = RefusalLedger.Key(denial, by: caller.account)
                    if new[key] == nil, journal.refusals.count(key, now: now) {
                        errors.append(error)
                        continue
                    }
                }
                if new[key] == nil { order.append(key) }
                new[key, default: (denial, 0)].count += 1
            } else if new[key] != nil {
                new[key]?.count += 1
            }
            errors.append(error)
        }
        guard !order.isEmpty else { return errors }
        var change = try Change(besides: journal, caller)
        for key in order {
            guard let (denial, count) = new[key] else { continue }
            let purpose = denial.erased == nil ? caller.purpose : ""
            try add(
                .accessDenied(Access(action: key.action, sections: key.sections, purpose: purpose)),
                key,
                to: &change
            )
            if count > 1 {
                let instant = Instant(microseconds: now)
                let summary = AccessSummary(
                    action: key.action,
                    sections: key.sections,
                    count: count - 1,
                    first: instant,
                    last: instant
                )
                try add(.accessSummarised(summary), key, to: &change)
            }
        }
        _ = try await change.commit()
        var earlier: [RefusalLedger.Summary] = []
        for key in order {
            if let summary = journal.refusals.recorded(key, from: caller.source, now: now) { earlier.append(summary) }
        }
        try await recordSummaries(earlier)
        return errors
    }

    /// Records the refusals that were counted and have no event yet: those whose window is over, or all of them.
    package func summariseRefusals(all: Bool = false) async throws {
        try await recordSummaries(journal.refusals.take(all: all, now: journal.log.now()))
    }

    private func recordSummaries(_ summaries: [RefusalLedger.Summary]) async throws {
        for summary in summaries {
            let caller = Caller(account: summary.key.account, name: "", kind: .person, source: summary.source)
            do {
                var change = try Change(besides: journal, caller)
                try add(.accessSummarised(summary.event), summary.key, to: &change)
                _ = try await change.commit()
            } catch let error as EventLogError where error.code == .subjectErased {
                // The record was erased since, together with its audit trail.
            }
        }
    }

    private func add(_ event: JournalEvent, _ key: RefusalLedger.Key, to change: inout Change) throws {
        let subject = key.record ?? journal.log.description.id
        try change.add(
            event,
            in: EventStream(id: journal.accessStream(of: subject), subject: subject, entry: key.erased),
            isOfItsSubject: key.erased == nil
        )
    }
}
