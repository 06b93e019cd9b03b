internal import AppointmentCalendar
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import PracticeDirectory

/// Practices: their description, hours, services and rooms, and their members.
extension Journal {
    /// Creates a practice, and makes the caller a manager of it.
    package func createPractice(_ profile: PracticeProfile, _ caller: Caller) async throws(JournalError) -> WriteResult
    {
        try await once(caller) {
            try await admit(caller, to: .createRecord)
            try SystemZones.requireZone(profile.zone, field: "zone")
            let id = UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            for event in try decide(.create(profile), nil, now: now) {
                try change.add(event, stream: id, subject: id, expecting: .empty)
            }
            let manager = Membership(roles: [.manager])
            for event in try decide(.grant(account: caller.account, manager), MembersState()) {
                try change.add(event, stream: memberStream(of: id), subject: id, expecting: .empty)
            }
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, id: id)
        }
    }

    /// Performs a command on a practice.
    ///
    /// A change of its zone needs a reason, and the result lists the appointments whose clock time it moves. With `dryRun`,
    /// nothing is appended.
    package func changePractice(
        _ practice: UUID,
        dryRun: Bool = false,
        _ caller: Caller,
        _ command: (PracticeState) throws -> PracticeCommand
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let admission = try await admit(caller, to: .manage, in: practice)
            let command = try command(admission.practice)
            if case .close = command { try requireNothingAhead(of: practice) }
            var moved: [MovedAppointment] = []
            if case .change(let profile) = command {
                try SystemZones.requireZone(profile.zone, field: "zone")
                if profile.zone != admission.practice.profile.zone {
                    try requireReason(caller)
                    moved = try appointmentsMoved(of: admission.practice, to: profile)
                }
            }
            var change = try Change(self, caller)
            for event in try decide(command, admission.practice, now: now) {
                try change.add(event, stream: practice, subject: practice, expecting: .exact(admission.version))
            }
            let result = dryRun ? nil : try await change.commit()
            var written = WriteResult(
                position: result?.last ?? admission.practice.updated.position,
                id: command.part ?? practice,
                isChanged: result != nil
            )
            written.moved = moved
            return written
        }
    }

    /// Returns the appointments ahead that are at another time by the clock than agreed after a change of the zone, in the
    /// order of their starts; people keep the clock time (`appointment rezone`).
    private func appointmentsMoved(
        of practice: PracticeState,
        to profile: PracticeProfile
    ) throws -> [MovedAppointment] {
        var after = practice
        after.profile = profile
        let clock = try clock(of: after)
        return try statesAhead(of: practice.id).filter { $0.details.hasMoved(clock) }
            .map { MovedAppointment($0, clock) }
            .sorted { ($0.start, $0.appointment.text) < ($1.start, $1.appointment.text) }
    }

    /// Throws if a practice has appointments ahead, which would never take place.
    ///
    /// One that is booked at the same moment is listed as one that cannot take place.
    private func requireNothingAhead(of practice: UUID) throws {
        let ahead = try appointmentsAhead(of: practice)
        guard let last = ahead.max(by: { $0.start < $1.start }) else { return }
        let count = ahead.count == 1 ? "1 appointment is" : "\(ahead.count) appointments are"
        throw JournalError(
            .conflict,
            field: "appointments",
            "\(count) ahead, the last one on \(last.wall.day): cancel or move them first"
        )
    }

    /// Returns the details of the appointments of a practice that have not begun.
    func appointmentsAhead(of practice: UUID) throws -> [AppointmentDetails] {
        try statesAhead(of: practice).map(\.details)
    }

    private func statesAhead(of practice: UUID) throws -> [AppointmentState] {
        let position = try log.head()
        var ahead: [AppointmentState] = []
        for record in try practiceDirectory.patients(of: practice, asOf: position) {
            for id in try calendars.appointments(of: record, asOf: position) {
                guard let state = try appointmentUnlessErased(id, asOf: position), state.takesTime(at: now),
                    state.details.practice == practice, state.details.start > now
                else { continue }
                ahead.append(state)
            }
        }
        return ahead
    }

    /// Makes an account a member of a practice, or ends its membership.
    package func changeMembers(
        of practice: UUID,
        _ command: MemberCommand,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: .manage, in: practice)
            let stream = try memberStream(of: practice)
            let members = try members(of: practice)
            if case .grant(let account, let membership) = command {
                guard try Gate.hasRecords(usableAccount(account).kind) else {
                    throw JournalError(.conflict, field: "account", "only a person's account can be a member")
                }
                if let id = membership.specialist, try specialist(id)?.state.posts[practice] == nil {
                    throw JournalError(ModelError.noSpecialist)
                }
            }
            var change = try Change(self, caller)
            for event in try decide(command, members.state) {
                try change.add(event, stream: stream, subject: practice, expecting: .exact(members.version))
            }
            let result = try await change.commit()
            return WriteResult(position: try result?.last ?? log.head(), id: practice, isChanged: result != nil)
        }
    }
}

extension PracticeCommand {
    /// The service or the room that the command concerns.
    fileprivate var part: UUID? {
        switch self {
        case .setService(let id, _), .endService(let id), .setPlace(let id, _), .endPlace(let id): id
        case .create, .change, .close, .setTimetable: nil
        }
    }
}
