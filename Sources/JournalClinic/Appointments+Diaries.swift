internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import JournalEvents

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
                try journal.practiceStates.registration(of: record, at: practice).state?.status != .accepted
            else { continue }
            diary.state.set(id, nil)
        }
        return diary
    }
}
