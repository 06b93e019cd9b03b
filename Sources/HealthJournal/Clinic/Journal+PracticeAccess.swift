internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// A caller in a practice, authorized for an action.
struct PracticeAdmission: Sendable {
    let id: UUID
    let practice: PracticeState
    /// The version of the practice's stream to which the state belongs.
    let version: UInt64
    let roles: Set<ClinicRole>
    /// Whether the caller acts as the owner of the patient, and not as staff.
    let isClient: Bool
    let clock: PersonClock
    /// The day of the practice's zone on which the action was authorized.
    let today: Day

    /// The right that an access is recorded with.
    var right: AccessRight { roles.isEmpty ? .owner : .practice(id) }

    var asker: BookingRules.Asker { isClient && roles.isEmpty ? .client : .staff }
}

extension Journal {
    /// Authorizes an action of a caller in a practice, or throws.
    ///
    /// A refusal is recorded in the audit trail of the record if the action concerns one, and otherwise in the journal's
    /// own access stream.
    func admit(
        _ caller: Caller,
        to action: PracticeAction,
        in practice: UUID,
        on record: UUID? = nil
    ) async throws -> PracticeAdmission {
        var isClient = false
        if let record {
            switch try recordAccess(of: caller.account, to: record) {
            case .found(let access): isClient = access.permission.isOwner
            case .erased, .missing: throw JournalError.noRecord
            }
        }
        let admission = try practiceAdmission(of: caller, in: practice, isClient: isClient)
        guard let why = Gate.refusal(of: action, by: caller, roles: admission.roles, isClient: isClient) else {
            return admission
        }
        var denial = Denial(record == nil ? .practice : .appointments, reason: why)
        denial.record = record
        throw try await refusal(of: caller, denial)
    }

    /// Returns what a caller is in a practice today, before any action is authorized.
    func practiceAdmission(of caller: Caller, in practice: UUID, isClient: Bool) throws -> PracticeAdmission {
        if let replica { throw replica.onlineOnly("practices are not on a replica") }
        let found = try self.practice(practice)
        let clock = try clock(of: found.state)
        let today = clock.day(at: now)
        return PracticeAdmission(
            id: practice,
            practice: found.state,
            version: found.version,
            roles: try members(of: practice).state.roles(of: caller.account, on: today),
            isClient: isClient,
            clock: clock,
            today: today
        )
    }
}
