internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

/// A caller in a practice, authorized for an action.
package struct PracticeAdmission: Sendable {
    package let id: UUID
    package let practice: PracticeState
    /// The version of the practice's stream to which the state belongs.
    package let version: UInt64
    package let roles: Set<ClinicRole>
    /// Whether the caller acts as the owner of the patient, and not as staff.
    package let isClient: Bool
    package let kind: AccountKind
    package let clock: PersonClock
    /// The day of the practice's zone on which the action was authorized.
    package let today: Day

    /// The right that an access is recorded with.
    package var right: AccessRight {
        guard roles.isEmpty else { return .practice(id) }
        return kind == .person ? .owner : .role(kind)
    }

    package var asker: BookingRules.Asker { isClient && roles.isEmpty ? .client : .staff }
}

extension Journal.AccessControl {
    /// Authorizes an action of a caller in a practice, or throws.
    ///
    /// A refusal is recorded in the audit trail of the record if the action concerns one, and otherwise in the journal's
    /// own access stream.
    package func admit(
        _ caller: Caller,
        to action: PracticeAction,
        in practice: UUID,
        on record: UUID? = nil
    ) async throws -> PracticeAdmission {
        var isClient = false
        if let record {
            switch try recordAccess(of: caller.account, to: record) {
            case .found(let access): isClient = try actsForOwner(caller, access, of: action)
            case .erased, .missing: throw JournalError.noRecord
            }
        }
        switch try decideAdmission(caller, action, in: practice, on: record, isClient: isClient) {
        case .success(let admission): return admission
        case .failure(let denial): throw try await refusal(of: caller, denial)
        }
    }

    /// Decides whether a caller may perform an action in a practice, for a record that the caller may know of.
    package func decideAdmission(
        _ caller: Caller,
        _ action: PracticeAction,
        in practice: UUID,
        on record: UUID?,
        isClient: Bool
    ) throws -> Result<PracticeAdmission, Denial> {
        let admission = try practiceAdmission(of: caller, in: practice, isClient: isClient)
        guard let why = Gate.refusal(of: action, by: caller, roles: admission.roles, isClient: isClient) else {
            return .success(admission)
        }
        var denial = Denial(record == nil ? .practice : .appointments, reason: why)
        denial.record = record
        return .failure(denial)
    }

    /// Whether a caller decides for the owner of a record where it is a patient: is one, or may hand over a record
    /// whose custodian is a practice.
    package func decidesForOwner(_ caller: Caller, _ access: RecordAccess) throws -> Bool {
        if access.permission.isOwner { return true }
        guard case .admitted = try memberDecision(of: caller, on: .transfer, record: access.header.id) else {
            return false
        }
        return true
    }

    /// Whether a caller acts for the owner of a record: is one, or is a tool with a grant to add to the record.
    package func actsForOwner(_ caller: Caller, _ access: RecordAccess, of action: PracticeAction) throws -> Bool {
        if action == .register { return try decidesForOwner(caller, access) }
        guard caller.kind == .tool, action == .request else { return access.permission.isOwner }
        return access.permission.grant.map { $0.isActive(on: journal.today) && $0.terms.verbs.contains(.contribute) }
            ?? false
    }

    /// Returns what a caller is in a practice today, before any action is authorized.
    package func practiceAdmission(of caller: Caller, in practice: UUID, isClient: Bool) throws -> PracticeAdmission {
        if let replica = journal.replica { throw replica.onlineOnly("practices are not on a replica") }
        let found = try journal.practiceStates.practice(practice)
        let clock = try journal.practiceStates.clock(of: found.state)
        let today = clock.day(at: journal.now)
        return PracticeAdmission(
            id: practice,
            practice: found.state,
            version: found.version,
            roles: try journal.practiceStates.members(of: practice).state.roles(of: caller.account, on: today),
            isClient: isClient,
            kind: caller.kind,
            clock: clock,
            today: today
        )
    }
}
