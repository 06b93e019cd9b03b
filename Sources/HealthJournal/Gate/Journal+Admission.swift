internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// That somebody was let in, by what right, and to what.
struct Admission: Sendable {
    let record: UUID
    let action: Action
    let right: AccessRight
    let sight: Sight
    /// What the gate found out of the record, if it asked for it.
    var standing: Standing?

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

/// That somebody was refused, and why.
struct Denial: Hashable, Sendable {
    var record: UUID?
    /// The erased record that was asked for: nothing can be sealed under its key.
    var erased: UUID?
    let action: AccessAction
    let sections: [Section]
    let why: String

    init(_ action: AccessAction, _ sections: [Section] = [], because why: String) {
        self.action = action
        self.sections = sections
        self.why = why
    }

    init(_ action: Action, on record: UUID, because why: String) {
        self.init(action.access, action.sections, because: why)
        self.record = record
    }

    var error: JournalError { JournalError(.refused, why) }
}

extension Journal {
    /// Lets a caller in or throws.
    ///
    /// A refusal is an event of the record's trail before it is an answer.
    func admit(_ caller: Caller, to action: Action, on record: UUID) async throws -> Admission {
        switch try judge(caller, action, on: record) {
        case .admitted(let admission): return admission
        case .refused(let denial): throw try await self.refusal(of: caller, denial)
        case .answered(let error): throw error
        }
    }

    /// What the gate says to somebody, before it is on record.
    enum Judgement {
        case admitted(Admission)
        /// To be kept on record before it is answered.
        case refused(Denial)
        /// There is nothing to be let in to.
        case answered(JournalError)
    }

    func judge(_ caller: Caller, _ action: Action, on record: UUID) throws -> Judgement {
        let standing: Standing
        switch try self.standing(of: caller.account, to: record) {
        case .found(let found): standing = found
        case .erased(let tombstone): return try judge(caller, action, of: tombstone)
        case .missing: return .answered(.noRecord)
        }
        switch Gate.decide(action, by: caller, permission: standing.permission, now: now, today: today) {
        case .allowed(let right, let sight):
            return .admitted(
                Admission(
                    record: record,
                    action: action,
                    right: right,
                    sight: sight,
                    standing: standing
                )
            )
        case .denied(let why):
            return .refused(Denial(action, on: record, because: why))
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
    /// What concerns no record is kept with the journal itself.
    func refusal(
        of caller: Caller,
        _ action: AccessAction,
        _ sections: [Section] = [],
        on record: UUID? = nil,
        because why: String
    ) async throws -> JournalError {
        var denial = Denial(action, sections, because: why)
        denial.record = record
        return try await refusal(of: caller, denial)
    }

    func refusal(of caller: Caller, _ denial: Denial) async throws -> JournalError {
        try await keepOnRecord([denial], of: caller)
        return denial.error
    }

    /// Puts on record, in one piece, that somebody was refused.
    ///
    /// What concerns no record, or an erased one, is kept with the journal itself; the latter without its reason
    /// and its purpose, for those are texts about somebody who is to be forgotten.
    func keepOnRecord(_ denials: [Denial], of caller: Caller) async throws {
        var caller = caller
        // A text that cannot be kept is no way to be refused without a trace.
        if (try? JournalEvent.check(reason: caller.reason, field: "reason")) == nil { caller.reason = "" }
        if (try? JournalEvent.check(reason: caller.purpose, field: "purpose")) == nil { caller.purpose = "" }
        var change = try Change(besides: self, caller)
        for denial in denials {
            let subject = denial.record ?? log.description.id
            let purpose = denial.erased == nil ? caller.purpose : ""
            try change.add(
                .accessDenied(Access(action: denial.action, sections: denial.sections, purpose: purpose)),
                stream: try accessStream(of: subject),
                subject: subject,
                entry: denial.erased,
                isOfItsSubject: denial.erased == nil
            )
        }
        _ = try await change.commit()
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
                stream: try admission.standing?.accessStream ?? accessStream(of: admission.record),
                subject: admission.record
            )
        }
        _ = try await change.commit()
    }
}
