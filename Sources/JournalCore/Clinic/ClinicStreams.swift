package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// The streams of practices, and their states as folds of the log.
extension Journal.Practices {
    package func memberStream(of practice: UUID) throws(EventLogError) -> UUID {
        try journal.streamIDs.id(of: .members(practice: practice)) { () throws(EventLogError) in
            try journal.log.opaqueID(of: "members", subject: practice)
        }
    }

    package func registrationStream(of record: UUID, at practice: UUID) throws(EventLogError) -> UUID {
        try journal.streamIDs.id(of: .registration(record: record, practice: practice)) { () throws(EventLogError) in
            try journal.log.opaqueID(of: "registration:\(record.text)", subject: practice)
        }
    }

    package func practice(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<PracticeState> {
        let folded = try journal.current(journal.practiceCache, id, asOf: position, from: PracticeState?.none) {
            evolve(&$0, $1)
        }
        guard let state = folded.state else { throw ModelError.noPractice }
        return Versioned(state: state, version: folded.version)
    }

    func members(of practice: UUID, asOf position: UInt64 = .max) throws -> Versioned<MembersState> {
        let stream = try memberStream(of: practice)
        return try journal.current(journal.memberCache, stream, asOf: position, from: MembersState()) {
            evolve(&$0, $1)
        }
    }

    /// Returns a specialist; nil if there is none with this id.
    package func specialist(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<SpecialistState>? {
        let found = try journal.records.unlessErased {
            try journal.fold(id, asOf: position, from: SpecialistState?.none) { evolve(&$0, $1) }
        }
        return found.flatMap { folded in folded.state.map { Versioned(state: $0, version: folded.version) } }
    }

    package func registration(
        of record: UUID,
        at practice: UUID,
        asOf position: UInt64 = .max
    ) throws -> Versioned<RegistrationState?> {
        try journal.fold(registrationStream(of: record, at: practice), asOf: position, from: nil) { evolve(&$0, $1) }
    }

    /// Returns the clock of a practice's zone.
    package func clock(of practice: PracticeState) throws(ModelError) -> PersonClock {
        let zone = practice.profile.zone
        return try PersonClock(ZoneHistory(home: zone), SystemZones.table(of: [zone]))
    }
}

extension Journal.Appointments {
    /// Returns the stream of what takes up a resource on a UTC day.
    ///
    /// A specialist has one diary in all practices of the journal, and so has a patient.
    func diaryStream(of resource: ClinicResource, on day: Day) throws(EventLogError) -> UUID {
        try journal.streamIDs.id(of: .diary(resource: resource.id, day: day)) { () throws(EventLogError) in
            try journal.log.opaqueID(
                of: "diary:\(resource.id.text):\(day.daysSince1970)",
                subject: journal.log.description.id
            )
        }
    }

    /// Returns an appointment; throws `notFound` if there is none with this id.
    func appointment(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<AppointmentState> {
        let folded = try journal.fold(id, asOf: position, from: AppointmentState?.none) { evolve(&$0, $1) }
        guard let state = folded.state else { throw ModelError.noAppointment }
        return Versioned(state: state, version: folded.version)
    }

    func diary(of resource: ClinicResource, on day: Day) throws -> Versioned<Diary> {
        let stream = try diaryStream(of: resource, on: day)
        return try journal.current(journal.diaryCache, stream, from: Diary()) { evolve(&$0, $1) }
    }

    /// Returns a diary with the times that count for bookings.
    ///
    /// The appointments of a practice at which an animal is no patient any more do not take the animal's time.
    func countedDiary(of resource: ClinicResource, on day: Day) throws -> Versioned<Diary> {
        var diary = try diary(of: resource, on: day)
        guard case .patient(let record) = resource else { return diary }
        for id in diary.state.taken.keys {
            guard let practice = try appointmentUnlessErased(id, asOf: .max)?.details.practice,
                try journal.practices.registration(of: record, at: practice).state?.status != .accepted
            else { continue }
            diary.state.set(id, nil)
        }
        return diary
    }
}
