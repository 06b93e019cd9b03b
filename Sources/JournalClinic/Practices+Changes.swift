internal import AppointmentCalendar
internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import PracticeDirectory

/// Practices: their description, hours, services and rooms, and their members.
extension Journal.Practices {
    /// Creates a practice, and makes the caller a manager of it.
    package func createPractice(_ profile: PracticeProfile, _ caller: Caller) async throws(JournalError) -> WriteResult
    {
        try await journal.changing(caller) { change in
            try await journal.access.admit(caller, to: .createRecord)
            try SystemZones.requireZone(profile.zone, field: "zone")
            let id = UUID.timeOrdered(at: journal.log.now())
            try change.add(decide(.create(profile), nil, now: journal.now), in: .own(id), expecting: .empty)
            let manager = Membership(roles: [.manager])
            try change.add(
                decide(.grant(account: caller.account, manager), MembersState()),
                in: .stream(journal.practiceStates.memberStream(of: id), of: id),
                expecting: .empty
            )
            return .created(id: id)
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
        try await journal.changing(caller, isTrial: dryRun) { change in
            let admission = try await journal.access.admit(caller, to: .manage, in: practice)
            let command = try command(admission.practice)
            if case .close = command { try requireNothingAhead(of: practice) }
            var moved: [MovedAppointment] = []
            if case .change(let profile) = command {
                try SystemZones.requireZone(profile.zone, field: "zone")
                if profile.zone != admission.practice.profile.zone {
                    try journal.erasure.requireReason(caller)
                    moved = try appointmentsMoved(of: admission.practice, to: profile)
                }
            }
            try change.add(
                decide(command, admission.practice, now: journal.now),
                in: .own(practice),
                expecting: .exact(admission.version)
            )
            let state = admission.practice
            var existing = WriteResult.existing(at: state.updated.position, id: command.part ?? practice)
            existing.moved = moved
            return existing
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
        let clock = try journal.practiceStates.clock(of: after)
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
    package func appointmentsAhead(of practice: UUID) throws -> [AppointmentDetails] {
        try statesAhead(of: practice).map(\.details)
    }

    private func statesAhead(of practice: UUID) throws -> [AppointmentState] {
        let position = try journal.log.head()
        var ahead: [AppointmentState] = []
        for record in try journal.practiceDirectory.patients(of: practice, asOf: position) {
            for id in try journal.calendars.appointments(of: record, asOf: position) {
                guard let state = try journal.appointments.appointmentUnlessErased(id, asOf: position),
                    state.takesTime(at: journal.now),
                    state.details.practice == practice, state.details.start > journal.now
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
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .manage, in: practice)
            let stream = try journal.practiceStates.memberStream(of: practice)
            let members = try journal.practiceStates.members(of: practice)
            if case .grant(let account, let membership) = command {
                guard try Gate.hasRecords(journal.accounts.usableAccount(account).kind) else {
                    throw JournalError(.conflict, field: "account", "only a person's account can be a member")
                }
                if let id = membership.specialist,
                    try journal.practiceStates.specialist(id)?.state.posts[practice] == nil
                {
                    throw JournalError(ModelError.noSpecialist)
                }
            }
            try change.add(
                decide(command, members.state),
                in: .stream(stream, of: practice),
                expecting: .exact(members.version)
            )
            return .existing(at: try journal.log.head(), id: practice)
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
