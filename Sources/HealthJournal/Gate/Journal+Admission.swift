internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// That somebody was let in, by what right, and to what.
struct Admission: Hashable, Sendable {
    let record: UUID
    let action: Action
    let right: AccessRight
    let sight: Sight

    func sees(_ kind: Kind) -> Bool { sight.kinds.contains(kind) }

    /// The sections of which anything is seen.
    var sections: Set<Section> { sight.sections.union(sight.kinds.map(\.section)) }
}

/// What was shown to somebody, as the trail keeps it.
struct Shown {
    var sections: Set<Section>
    var entryCount: Int
    var asOf: UInt64?
    var happenedBy: Day?

    init(sections: Set<Section>, entryCount: Int = 0, asOf: UInt64? = nil, happenedBy: Day? = nil) {
        self.sections = sections
        self.entryCount = entryCount
        self.asOf = asOf
        self.happenedBy = happenedBy
    }
}

extension Journal {
    /// Lets a caller in or throws.
    ///
    /// A refusal is an event of the record's trail before it is an answer.
    func admit(_ caller: Caller, to action: Action, on record: UUID) async throws -> Admission {
        let head = try log.head()
        if let tombstone = try tombstone(of: record) { throw try await answer(caller, asking: action, of: tombstone) }
        guard try log.version(of: record) > 0, try records.header(of: record, asOf: head) != nil else {
            throw JournalError.noRecord
        }
        let permission = try permissions.permission(of: caller.account, on: record, asOf: head)
        switch Gate.decide(action, by: caller, permission: permission, now: now, today: today) {
        case .allowed(let right, let sight):
            return Admission(record: record, action: action, right: right, sight: sight)
        case .denied(let why):
            throw try await refusal(of: caller, action.access, action.sections, on: record, because: why)
        }
    }

    /// A record that the caller was let in to, without its entries.
    ///
    /// One that was erased between the two is asked for anew, and found erased.
    func header(admitted record: UUID) throws -> RecordState {
        guard let state = try records.header(of: record, asOf: log.head()) else {
            throw EventLogError(.versionConflict, JournalError.noRecord.message)
        }
        return state
    }

    /// Puts on record that somebody was refused, and answers the error to throw.
    ///
    /// What concerns no record is kept with the journal itself, and so is what is `about` an erased one.
    func refusal(
        of caller: Caller,
        _ action: AccessAction,
        _ sections: [Section] = [],
        on record: UUID? = nil,
        about erased: UUID? = nil,
        because why: String
    ) async throws -> JournalError {
        let subject = record ?? log.description.id
        var caller = caller
        // A text that cannot be kept is no way to be refused without a trace.
        if (try? JournalEvent.check(reason: caller.reason, field: "reason")) == nil { caller.reason = "" }
        if (try? JournalEvent.check(reason: caller.purpose, field: "purpose")) == nil { caller.purpose = "" }
        var change = try Change(besides: self, caller)
        try change.add(
            .accessDenied(Access(action: action, sections: sections, purpose: caller.purpose)),
            stream: try accessStream(of: subject),
            subject: subject,
            entry: erased
        )
        _ = try await change.commit()
        return JournalError(.refused, why)
    }

    /// Puts a read on record.
    ///
    /// Called before the answer is given: no read without a trace.
    func trace(_ caller: Caller, _ admission: Admission, _ shown: Shown) async throws {
        try await trace(caller, [(admission, shown)])
    }

    /// Puts several reads on record in one piece.
    func trace(_ caller: Caller, _ reads: [(admission: Admission, shown: Shown)]) async throws {
        var change = try Change(besides: self, caller)
        for (admission, shown) in reads {
            let access = Access(
                action: admission.action.access,
                sections: shown.sections.sorted { $0.rawValue < $1.rawValue },
                entryCount: shown.entryCount,
                asOf: shown.asOf,
                happenedBy: shown.happenedBy,
                grantedBy: admission.right,
                purpose: caller.purpose
            )
            try change.add(
                .recordRead(access),
                stream: try accessStream(of: admission.record),
                subject: admission.record
            )
        }
        _ = try await change.commit()
    }
}
