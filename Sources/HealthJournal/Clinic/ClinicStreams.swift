internal import EventLog
internal import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// The streams of practices, and their states as folds of the log.
extension Journal {
    func memberStream(of practice: UUID) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "members", subject: practice)
    }

    func registrationStream(of record: UUID, at practice: UUID) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "registration:\(record.text)", subject: practice)
    }

    /// Returns the stream of what takes up a resource on a UTC day.
    ///
    /// A specialist has one diary in all practices of the journal, and so has a patient.
    func diaryStream(of resource: ClinicResource, on day: Day) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "diary:\(resource.id.text):\(day.daysSince1970)", subject: log.description.id)
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
        var state = start
        var version: UInt64 = 0
        for event in try log.recordedEvents(of: stream) {
            guard event.stamp.position <= position else { break }
            evolve(&state, event)
            version += 1
        }
        return Versioned(state: state, version: version)
    }

    /// Folds a stream unless its present state is cached; states of the past are not.
    private func present<State>(
        _ cache: FoldCache<State>,
        _ stream: UUID,
        asOf position: UInt64 = .max,
        _ fold: () throws -> Versioned<State>
    ) throws -> Versioned<State> {
        guard position == .max else { return try fold() }
        let version = try log.version(of: stream)
        // An empty stream costs nothing to fold, and there are any number of them.
        return version == 0 ? try fold() : try cache.state(of: stream, version: version, fold)
    }

    func practice(_ id: UUID, asOf position: UInt64 = .max) throws -> Versioned<PracticeState> {
        let folded = try present(practiceCache, id, asOf: position) {
            try fold(id, asOf: position, from: PracticeState?.none) { evolve(&$0, $1) }
        }
        guard let state = folded.state else { throw ModelError.noPractice }
        return Versioned(state: state, version: folded.version)
    }

    func members(of practice: UUID, asOf position: UInt64 = .max) throws -> Versioned<MembersState> {
        let stream = try memberStream(of: practice)
        return try present(memberCache, stream, asOf: position) {
            try fold(stream, asOf: position, from: MembersState()) { evolve(&$0, $1) }
        }
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
        return try present(diaryCache, stream) { try fold(stream, from: Diary()) { evolve(&$0, $1) } }
    }

    /// Returns the clock of a practice's zone.
    package func clock(of practice: PracticeState) throws(ModelError) -> PersonClock {
        let zone = practice.profile.zone
        return try PersonClock(ZoneHistory(home: zone), SystemZones.table(of: [zone]))
    }
}

extension Journal.Versioned: Sendable where State: Sendable {}
