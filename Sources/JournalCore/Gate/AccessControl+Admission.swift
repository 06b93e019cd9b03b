package import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

/// The data shown to a caller, as the audit trail records it.
package struct Shown {
    package var sections: Set<Section>
    package var entryCount: Int
    package var asOf: UInt64?
    package var happenedBy: Day?
    /// The log position that the shown data reflects, also if that is the head.
    package var version: UInt64?
    /// The entries that were shown.
    package var entries: [ShownEntries]
    package var includesRetracted: Bool
    /// The positions of the first and the last event shown, if a history was shown.
    package var events: ClosedRange<UInt64>?

    package init(
        sections: Set<Section>,
        entryCount: Int = 0,
        asOf: UInt64? = nil,
        happenedBy: Day? = nil,
        version: UInt64? = nil,
        entries: [ShownEntries] = [],
        includesRetracted: Bool = false,
        events: ClosedRange<UInt64>? = nil
    ) {
        self.sections = sections
        self.entryCount = entryCount
        self.asOf = asOf
        self.happenedBy = happenedBy
        self.version = version
        self.entries = entries
        self.includesRetracted = includesRetracted
        self.events = events
    }

    /// Creates the description of a single entry that was shown.
    package init(_ entry: EntryState, asOf: UInt64? = nil, version: UInt64) {
        let at = entry.added.position
        self.init(
            sections: [entry.kind.section],
            entryCount: 1,
            asOf: asOf,
            version: version,
            entries: [ShownEntries(kind: entry.kind.code, added: at...at)]
        )
    }
}

/// A read of a record that is to be recorded in its audit trail.
package struct TracedRead {
    package var record: UUID
    package var action: AccessAction
    package var right: AccessRight
    package var shown: Shown
    /// The stream of the record's reads; nil if it is not known yet.
    package var stream: UUID?

    package init(
        record: UUID,
        action: AccessAction,
        right: AccessRight,
        shown: Shown,
        stream: UUID? = nil
    ) {
        self.record = record
        self.action = action
        self.right = right
        self.shown = shown
        self.stream = stream
    }
}

/// A refused action, and the reason.
package struct Denial: Error, Hashable, Sendable {
    package var record: UUID?
    /// The erased record that was requested, for which nothing can be sealed under its key.
    package var erased: UUID?
    package let action: AccessAction
    package let sections: [Section]
    package let why: Message

    package init(_ action: AccessAction, _ sections: [Section] = [], reason why: Message) {
        self.action = action
        self.sections = sections
        self.why = why
    }

    package init(_ action: Action, on record: UUID, reason why: Message) {
        self.init(action.access, action.sections, reason: why)
        self.record = record
    }

    package var error: JournalError {
        JournalError(why == Gate.subscriptionRefusal ? .subscriptionExpired : .refused, why)
    }
}

/// The decision on an action, before it is recorded.
package enum AdmissionDecision {
    case admitted(Admission)
    /// The refusal must be recorded before the error is thrown.
    case refused(Denial)
    /// There is nothing to authorize: the record does not exist or was erased.
    case answered(JournalError)
}

extension Journal.AccessControl {
    /// Authorizes an action of a caller on a record, or throws.
    ///
    /// A refusal is appended to the record's audit trail before the error is thrown.
    package func admit(_ caller: Caller, to action: Action, on record: UUID) async throws -> Admission {
        try requireUsable(caller)
        switch try decideAdmission(caller, action, on: record) {
        case .admitted(let admission): return admission
        case .refused(let denial): throw try await self.refusal(of: caller, denial)
        case .answered(let error): throw error
        }
    }

    /// Throws if the caller's account was removed since the caller was authenticated.
    private func requireUsable(_ caller: Caller) throws {
        guard journal.replica == nil,
            try journal.directory.account(caller.account, journal.log, journal.permissions)?.removed != nil
        else { return }
        throw JournalError(.refused, "the account was removed")
    }

    /// Authorizes an action that concerns no record, or throws.
    ///
    /// A refusal is appended to the journal's own access stream before the error is thrown.
    package func admit(_ caller: Caller, to action: Action) async throws {
        try requireUsable(caller)
        guard case .denied(let why) = try decision(on: action, by: caller) else { return }
        throw try await refusal(of: caller, Denial(action.access, action.sections, reason: why))
    }

    /// Authorizes an action on a record before anything is shown for it, such as a form; throws `refused` otherwise.
    package func require(_ action: Action, on record: UUID, _ caller: Caller) async throws(JournalError) {
        try await journal.retrying { _ = try await admit(caller, to: action, on: record) }
    }

    /// Authorizes an action that concerns no record, as `require(_:on:_:)` does for a record.
    package func require(_ action: Action, _ caller: Caller) async throws(JournalError) {
        try await journal.retrying { try await admit(caller, to: action) }
    }

    /// Authorizes an action on an account, as `require(_:on:_:)` does for a record.
    package func require(
        _ action: AccountAction,
        ofAccount account: UUID,
        _ caller: Caller
    ) async throws(JournalError) {
        try await journal.retrying {
            try await admit(caller, to: journal.accounts.action(action, ofAccount: account, caller))
        }
    }

    /// Reports whether a caller may perform an action that concerns no record, for offering it in a user interface.
    ///
    /// Nothing is recorded.
    package func may(_ action: Action, _ caller: Caller) throws(JournalError) -> Bool {
        do {
            guard case .allowed = try decision(on: action, by: caller) else { return false }
            return true
        } catch {
            throw JournalError(error)
        }
    }

    /// Reports whether a caller may perform an action on an account; nothing is recorded.
    package func may(
        _ action: AccountAction,
        ofAccount account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> Bool {
        try await journal.retrying { try may(journal.accounts.action(action, ofAccount: account, caller), caller) }
    }

    /// Decides on an action that concerns no record; an action on a record is denied.
    package func decision(on action: Action, by caller: Caller) throws -> Gate.Decision {
        guard !action.concernsRecord else { return .denied("the request names no record") }
        if let error = journal.replica?.refusal(of: action) { throw error }
        return Gate.decide(
            action,
            by: caller,
            permission: try journalPermission(of: caller),
            now: journal.now,
            today: journal.today
        )
    }

    /// The permission of a caller on the journal itself.
    package func journalPermission(of caller: Caller) throws -> Permission {
        Permission(isOwner: try isOwner(caller.account))
    }

    /// Reports whether an account is the one that the `init` command created.
    package func isOwner(_ account: UUID) throws -> Bool {
        try journal.replica == nil && journal.accounts.holder(ofName: Journal.ownerName) == account
    }

    package func decideAdmission(_ caller: Caller, _ action: Action, on record: UUID) throws -> AdmissionDecision {
        if let error = journal.replica?.refusal(of: action) { return .answered(error) }
        let access: RecordAccess
        switch try recordAccess(of: caller.account, to: record) {
        case .found(let found): access = found
        case .erased(let tombstone): return try journal.erasure.decideAdmission(caller, action, of: tombstone)
        case .missing: return .answered(.noRecord)
        }
        guard action.concernsRecord else {
            return .refused(Denial(action, on: record, reason: "that is not an action on a record"))
        }
        switch Gate.admit(action, by: caller, access, now: journal.now, today: journal.today) {
        case .success(let own):
            // Who is a caregiver as well reads by the right that shows more.
            if own.right != .owner, action.isRead,
                case .admitted(let other) = try memberDecision(of: caller, on: action, record: record),
                other.scope.kinds.count > own.scope.kinds.count
            {
                return .admitted(other)
            }
            return .admitted(own)
        case .failure(let denial):
            return try memberDecision(of: caller, on: action, record: record) ?? .refused(denial)
        }
    }

    /// Returns a record that the caller was authorized for, without its entries.
    ///
    /// If the record was erased since the authorization, throws `versionConflict`: the request is then retried and
    /// reports the erasure.
    package func header(admitted record: UUID) throws -> RecordState {
        guard let state = try journal.medicalRecords.header(of: record, asOf: journal.log.head()) else {
            throw EventLogError(.versionConflict, JournalError.noRecord.message)
        }
        return state
    }

    /// Records a refusal, and returns the error to throw.
    ///
    /// A refusal that concerns no record is recorded in the journal's own access stream.
    package func refusal(
        of caller: Caller,
        _ action: AccessAction,
        _ sections: [Section] = [],
        on record: UUID? = nil,
        reason why: Message
    ) async throws -> JournalError {
        var denial = Denial(action, sections, reason: why)
        denial.record = record
        return try await refusal(of: caller, denial)
    }

    package func refusal(of caller: Caller, _ denial: Denial) async throws -> JournalError {
        try await recordRefusals([denial], of: caller).first ?? denial.error
    }

    /// Records a read in the audit log.
    ///
    /// Called before the answer is returned, so that no read is left unrecorded.
    package func trace(_ caller: Caller, _ admission: Admission, _ shown: Shown) async throws {
        try await trace(caller, [(admission, shown)])
    }

    /// Records several reads in the audit log in one atomic append.
    ///
    /// On a replica nothing is recorded: the pull, which fetched everything that can be read, is in the service's log.
    package func trace(_ caller: Caller, _ reads: [(admission: Admission, shown: Shown)]) async throws {
        try await trace(
            caller,
            reads.map { admission, shown in
                TracedRead(
                    record: admission.record,
                    action: admission.action.access,
                    right: admission.right,
                    shown: shown,
                    stream: admission.access?.accessStream
                )
            }
        )
    }

    package func trace(_ caller: Caller, _ reads: [TracedRead]) async throws {
        if journal.replica != nil { return try JournalEvent.check(purpose: caller.purpose) }
        try JournalEvent.check(purpose: caller.purpose)
        var change = try Change(besides: journal, caller)
        for read in reads {
            let shown = read.shown
            let access = Access(
                action: read.action,
                sections: shown.sections.sorted { $0.rawValue < $1.rawValue },
                entryCount: shown.entryCount,
                asOf: shown.asOf,
                happenedBy: shown.happenedBy,
                grantedBy: read.right,
                purpose: caller.purpose,
                version: shown.version,
                shown: shown.entries,
                includesRetracted: shown.includesRetracted,
                events: shown.events
            )
            try change.add(
                .recordRead(access),
                in: .stream(read.stream ?? journal.accessStream(of: read.record), of: read.record)
            )
        }
        _ = try await change.commit()
    }
}
