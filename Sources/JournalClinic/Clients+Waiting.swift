internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import PracticeDirectory

/// A patient on the waiting list of a practice as it is shown to a caller.
package struct WaitAnswer: Hashable, Sendable {
    package var state: WaitState
    package var status: WaitStatus
    /// Nil if the record cannot be read any more.
    package var patient: PatientName?
}

/// A time that became free, for which patients who wait are looked for.
package struct WaitQuestion: Hashable, Sendable {
    package var start: AppointmentRequest.Start
    package var minutes: Int
    package var specialist: UUID?

    package init(start: AppointmentRequest.Start, minutes: Int, specialist: UUID? = nil) {
        self.start = start
        self.minutes = minutes
        self.specialist = specialist
    }
}

/// The waiting lists of practices. No patient is booked automatically: a person offers a time, which is then reserved.
extension Journal.Clients {
    /// Puts a patient on the waiting list of a practice.
    package func addWait(
        _ profile: WaitProfile,
        of record: UUID,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .request, in: practice, on: record)
            try check(profile, admission)
            let id = UUID.timeOrdered(at: journal.log.now())
            try add(profile, of: record, at: practice, id: id, &change)
            return .created(record: record, entry: id)
        }
    }

    /// Adds the event that puts a patient on the waiting list; `event` is its id if it is not the first of the change.
    package func add(
        _ profile: WaitProfile,
        of record: UUID,
        at practice: UUID,
        id: UUID,
        event: UUID? = nil,
        _ change: inout Change
    ) throws {
        let version = try journal.log.version(of: record)
        let registration = try journal.access.requirePatient(record, of: practice)
        try change.add(
            JournalEvent(WaitAdded(practice: practice, profile: profile)),
            id: event,
            in: .entry(id, of: record),
            expecting: .empty
        )
        change.expect(try journal.practiceStates.registrationStream(of: record, at: practice), .exact(registration))
        change.expect(record, .exact(version))
    }

    /// Reserves a time for a patient who waits, until a moment; the client or the staff then books it.
    package func offerWait(
        _ id: UUID,
        _ request: AppointmentRequest,
        until: Instant,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.appointments.bookTime(request, as: .administrate, heldUntil: until, caller) {
            appointment,
            _,
            change in
            let wait = try self.wait(id)
            guard wait.state.practice == request.practice, wait.state.record == request.record else {
                throw JournalError(ModelError.noWait)
            }
            let status = try self.status(of: wait.state)
            guard status == .open else {
                throw JournalError(.conflict, field: "status", "the patient does not wait any more: \(status.rawValue)")
            }
            try change.add(
                JournalEvent(WaitOffered(appointment: appointment)),
                in: .entry(id, of: request.record),
                expecting: .exact(wait.version)
            )
        }
    }

    /// Takes a patient off the waiting list.
    package func withdrawWait(
        _ id: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let wait = try wait(id)
            let state = wait.state
            guard state.practice == practice else { throw JournalError(ModelError.noWait) }
            _ = try await journal.access.admit(caller, to: .schedule(.arrange), in: state.practice, on: state.record)
            if state.withdrawn == nil {
                try change.add(
                    JournalEvent(WaitWithdrawn()),
                    in: .entry(id, of: state.record),
                    expecting: .exact(wait.version)
                )
            }
            return .existing(at: state.updated.position, record: state.record, entry: id)
        }
    }

    /// Returns the patients who wait at a practice, the most urgent one first; each is a read of its record.
    ///
    /// With a question, only those whom the time suits.
    package func waitingList(
        of practice: UUID,
        suiting question: WaitQuestion? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [WaitAnswer] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            let position = try journal.log.head()
            let span = try question.map { question in
                TimeSpan(start: try admission.clock.instant(of: question.start), minutes: question.minutes)
            }
            var answers: [WaitAnswer] = []
            for id in try journal.practiceDirectory.waiting(of: practice, asOf: position) {
                guard let state = try journal.records.unlessErased({ try wait(id).state }) else { continue }
                let status = try status(of: state)
                guard status == .open || status == .offered else { continue }
                if let question {
                    guard let span, let span, status == .open,
                        state.profile.suits(span, with: question.specialist, admission.clock)
                    else { continue }
                }
                let patient = try journal.appointments.patient(state.record, for: admission, asOf: position)
                answers.append(WaitAnswer(state: state, status: status, patient: patient))
            }
            try await journal.appointments.trace(caller, answers.map(\.state.record), as: .practice(practice), position)
            return answers.sorted { WaitState.order($0.state, $1.state) }
        }
    }

    /// Throws unless a wish is possible at a practice.
    package func check(_ profile: WaitProfile, _ admission: PracticeAdmission) throws {
        try profile.validate(now: journal.now)
        guard let id = profile.serviceID, let service = admission.practice.services[id], service.ended == nil else {
            throw JournalError(ModelError.noService)
        }
        for id in profile.specialistIDs
        where try journal.practiceStates.specialist(id)?.state.posts[admission.id] == nil {
            throw JournalError(ModelError.noSpecialist)
        }
    }

    private func wait(_ id: UUID) throws -> Versioned<WaitState> {
        let folded = try journal.fold(id, from: WaitState?.none) { evolve(&$0, $1) }
        guard let state = folded.state else { throw JournalError(ModelError.noWait) }
        return Versioned(state: state, version: folded.version)
    }

    private func status(of wait: WaitState) throws -> WaitStatus {
        let offered = try wait.offered.map { try journal.appointments.appointment($0).state }
        let clock = try journal.practiceStates.clock(of: journal.practiceStates.practice(wait.practice).state)
        return wait.status(on: clock.day(at: journal.now), offered, now: journal.now)
    }
}
