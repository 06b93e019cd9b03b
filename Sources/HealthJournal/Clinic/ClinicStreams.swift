internal import EventLog
internal import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// The streams of practices, and their states as folds of the log.
extension Journal {
    func memberStream(of practice: UUID) throws(EventLogError) -> UUID {
        try streamIDs.id(of: .members(practice: practice)) { () throws(EventLogError) in
            try log.opaqueID(of: "members", subject: practice)
        }
    }

    func registrationStream(of record: UUID, at practice: UUID) throws(EventLogError) -> UUID {
        try streamIDs.id(of: .registration(record: record, practice: practice)) { () throws(EventLogError) in
            try log.opaqueID(of: "registration:\(record.text)", subject: practice)
        }
    }

    /// Returns the stream of what takes up a resource on a UTC day.
    ///
    /// A specialist has one diary in all practices of the journal, and so has a patient.
    func diaryStream(of resource: ClinicResource, on day: Day) throws(EventLogError) -> UUID {
        try streamIDs.id(of: .diary(resource: resource.id, day: day)) { () throws(EventLogError) in
            try log.opaqueID(of: "diary:\(resource.id.text):\(day.daysSince1970)", subject: log.description.id)
        }
    }

    /// A state with the version of the stream that it is folded from.
    struct Versioned<State> {
        var state: State
        var version: UInt64
    }

    /// Folds the events of a stream up to a position; by default all of them.
    func fold<State>(
        _ stream: UUID,
        asOf position: UInt64 = .max,
        from start: State,
        _ evolve: (inout State, RecordedEvent) -> Void
    ) throws -> Versioned<State> {
        try fold(stream, asOf: position, after: Versioned(state: start, version: 0), evolve)
    }

    /// Folds the events of a stream after an earlier state.
    private func fold<State>(
        _ stream: UUID,
        asOf position: UInt64 = .max,
        after earlier: Versioned<State>,
        _ evolve: (inout State, RecordedEvent) -> Void
    ) throws -> Versioned<State> {
        var folded = earlier
        for event in try log.recordedEvents(of: stream, after: earlier.version) {
            guard event.stamp.position <= position else { break }
            evolve(&folded.state, event)
            folded.version += 1
        }
        return folded
    }

    /// Returns the current state of a stream, folded from the newest cached state; past states are not cached.
    private func current<State>(
        _ cache: FoldCache<State>,
        _ stream: UUID,
        asOf position: UInt64 = .max,
        from start: State,
        _ evolve: (inout State, RecordedEvent) -> Void
    ) throws -> Versioned<State> {
        guard position == .max else { return try fold(stream, asOf: position, from: start, evolve) }
        let version = try log.version(of: stream)
        // An empty stream costs nothing to fold, and the number of such streams is unbounded.
        if version == 0 { return Versioned(state: start, version: 0) }
        return try cache.state(of: stream, version: version) { known in
            try fold(stream, after: known ?? Versioned(state: start, version: 0), evolve)
        }
    }

    func practice(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<PracticeState> {
        let folded = try current(practiceCache, id, asOf: position, from: PracticeState?.none) { evolve(&$0, $1) }
        guard let state = folded.state else { throw ModelError.noPractice }
        return Versioned(state: state, version: folded.version)
    }

    func members(of practice: UUID, asOf position: UInt64 = .max) throws -> Versioned<MembersState> {
        let stream = try memberStream(of: practice)
        return try current(memberCache, stream, asOf: position, from: MembersState()) { evolve(&$0, $1) }
    }

    /// Returns a specialist; nil if there is none with this id.
    func specialist(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<SpecialistState>? {
        let found = try unlessErased { try fold(id, asOf: position, from: SpecialistState?.none) { evolve(&$0, $1) } }
        return found.flatMap { folded in folded.state.map { Versioned(state: $0, version: folded.version) } }
    }

    func registration(
        of record: UUID,
        at practice: UUID,
        asOf position: UInt64 = .max
    ) throws -> Versioned<RegistrationState?> {
        try fold(registrationStream(of: record, at: practice), asOf: position, from: nil) { evolve(&$0, $1) }
    }

    /// Returns an appointment; throws `notFound` if there is none with this id.
    func appointment(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<AppointmentState> {
        let folded = try fold(id, asOf: position, from: AppointmentState?.none) { evolve(&$0, $1) }
        guard let state = folded.state else { throw ModelError.noAppointment }
        return Versioned(state: state, version: folded.version)
    }

    func diary(of resource: ClinicResource, on day: Day) throws -> Versioned<Diary> {
        let stream = try diaryStream(of: resource, on: day)
        return try current(diaryCache, stream, from: Diary()) { evolve(&$0, $1) }
    }

    /// Returns a diary with the times that count for bookings.
    ///
    /// The appointments of a practice at which an animal is no patient any more do not take the animal's time.
    func countedDiary(of resource: ClinicResource, on day: Day) throws -> Versioned<Diary> {
        var diary = try diary(of: resource, on: day)
        guard case .patient(let record) = resource else { return diary }
        for id in diary.state.taken.keys {
            guard let practice = try appointmentUnlessErased(id, asOf: .max)?.details.practice,
                try registration(of: record, at: practice).state?.status != .accepted
            else { continue }
            diary.state.set(id, nil)
        }
        return diary
    }

    /// Returns the clock of a practice's zone.
    package func clock(of practice: PracticeState) throws(ModelError) -> PersonClock {
        let zone = practice.profile.zone
        return try PersonClock(ZoneHistory(home: zone), SystemZones.table(of: [zone]))
    }
}

extension Journal.Versioned: Sendable where State: Sendable {}
