package import FoundationEssentials
package import HealthModel

/// What an animal is to a practice, as far as it decides what the practice may begin with its record.
package struct PatientStanding: Hashable, Sendable {
    /// Nil if the animal was never registered there, and no registration was requested.
    package var registration: RegistrationStatus?
    package var isClosed: Bool

    package init(registration: RegistrationStatus?, isClosed: Bool) {
        self.registration = registration
        self.isClosed = isClosed
    }

    /// Throws unless the practice may begin something with the animal: book or move an appointment, put it on the waiting
    /// list or on the board, note when it is to come again.
    ///
    /// What exists already can always be ended, because that takes nothing of the animal's time. Whether the record is
    /// closed is told only to the practices at which the animal is a patient.
    package func requirePatient() throws(JournalError) {
        switch registration {
        case .accepted:
            if isClosed { throw JournalError(ModelError.recordIsClosed) }
        case .requested:
            throw JournalError(
                .conflict,
                field: "record",
                "the animal is no patient of this practice yet: an owner of its record has to accept the registration"
            )
        case .ended, nil:
            throw .noPatient
        }
    }
}

extension Journal.AccessControl {
    /// Returns what an animal is to a practice, with the version of the registration.
    package func standing(of record: UUID, at practice: UUID) throws -> Versioned<PatientStanding> {
        let registration = try journal.practiceStates.registration(of: record, at: practice)
        let isClosed = try header(admitted: record).isClosed
        return Versioned(
            state: PatientStanding(registration: registration.state?.status, isClosed: isClosed),
            version: registration.version
        )
    }

    /// Returns the version of the registration of a patient; throws unless the practice may begin something with it.
    @discardableResult
    package func requirePatient(_ record: UUID, of practice: UUID) throws -> UInt64 {
        let standing = try standing(of: record, at: practice)
        try standing.state.requirePatient()
        return standing.version
    }
}

extension JournalError {
    package static let noPatient = JournalError(
        .conflict,
        field: "record",
        "the animal is no patient of this practice: register it first"
    )
}
