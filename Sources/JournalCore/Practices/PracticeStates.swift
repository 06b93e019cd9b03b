package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

extension Journal {
    /// The states of practices, their members, patients and specialists, as folds of the log: access depends on them.
    package struct PracticeStates: Sendable {
        let journal: Journal
    }

    package var practiceStates: PracticeStates { PracticeStates(journal: self) }
}

extension Journal.PracticeStates {
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

    package func members(of practice: UUID, asOf position: UInt64 = .max) throws -> Versioned<MembersState> {
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
