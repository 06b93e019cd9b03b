internal import FoundationEssentials
package import HealthModel
internal import JournalCore

/// A text of an appointment, and who may do what with it.
///
/// Reads hide a field, and writes refuse it, by this one table: no one changes a field that they may not read.
package enum AppointmentField: String, CaseIterable, Hashable, Sendable {
    /// Why the patient comes.
    case reason
    /// What the practice tells the client.
    case instructions
    /// What the staff writes for itself.
    case notes
    /// The remarks that the staff adds, one after the other.
    case remarks

    /// An action on a field.
    package enum Verb: String, CaseIterable, Hashable, Sendable {
        case read
        /// State it in a booking.
        case state
        /// Replace it, or add to it, in an appointment that exists.
        case change
    }

    /// Reports whether a caller may perform an action on the field of an appointment that they may see or change.
    ///
    /// `roles` are the caller's roles in the practice; without one, the caller acts as the owner of the patient.
    package func permits(_ verb: Verb, to roles: Set<ClinicRole>) -> Bool {
        let isStaff = !roles.isEmpty
        return switch (self, verb) {
        case (.reason, .read), (.reason, .state), (.instructions, .read): true
        case (.reason, .change), (.instructions, .state), (.instructions, .change): isStaff
        case (.notes, _), (.remarks, _): roles.contains(where: \.isClinical)
        }
    }

    fileprivate var refusal: Message {
        switch self {
        case .reason, .instructions: "only the staff of the practice may write the field \(rawValue)"
        case .notes, .remarks:
            "only a veterinarian or a nurse of the practice may read and write the field \(rawValue): leave it out"
        }
    }
}

extension AppointmentRequest {
    /// The fields that a booking states.
    fileprivate var fields: [AppointmentField] {
        [AppointmentField.reason: reason, .instructions: instructions, .notes: notes].filter { !$0.value.isEmpty }
            .keys.sorted { $0.rawValue < $1.rawValue }
    }
}

extension AppointmentChange {
    /// The fields that a change writes, also with the text that they have already: whether it is the same may not be told.
    fileprivate var fields: [AppointmentField] {
        switch self {
        case .edit(let reason, let notes, let instructions):
            [AppointmentField.reason: reason, .instructions: instructions, .notes: notes].filter { $0.value != nil }
                .keys.sorted { $0.rawValue < $1.rawValue }
        case .addNote: [.remarks]
        case .book, .confirm, .move, .reassign, .displace, .arrive, .begin, .complete, .cancel, .miss, .reinstate,
            .retract:
            []
        case .ahead(let change): change.fields
        }
    }
}

extension Journal.Appointments {
    /// Throws, and records the refusal, unless a caller may write all fields that a booking states.
    func requireFields(of request: AppointmentRequest, _ admission: PracticeAdmission, _ caller: Caller)
        async throws
    {
        try await requireFields(request.fields, .state, of: request.record, admission, caller)
    }

    /// Throws, and records the refusal, unless a caller may write all fields that a change of an appointment writes.
    func requireFields(
        of change: AppointmentChange,
        _ state: AppointmentState,
        _ admission: PracticeAdmission,
        _ caller: Caller
    ) async throws {
        try await requireFields(change.fields, .change, of: state.record, admission, caller)
    }

    private func requireFields(
        _ fields: [AppointmentField],
        _ verb: AppointmentField.Verb,
        of record: UUID,
        _ admission: PracticeAdmission,
        _ caller: Caller
    ) async throws {
        guard let field = fields.first(where: { !$0.permits(verb, to: admission.roles) }) else { return }
        let error = try await journal.access.refusal(of: caller, .appointments, on: record, reason: field.refusal)
        throw JournalError(error.code, field: field.rawValue, error.text)
    }
}
