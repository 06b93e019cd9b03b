internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore

extension Journal.Practices {
    /// Adds a specialist to a practice.
    package func addSpecialist(
        _ profile: SpecialistProfile,
        to practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .manage, in: practice)
            let id = UUID.timeOrdered(at: journal.log.now())
            try change.add(
                decide(.add(profile, practice: practice), nil, now: journal.now),
                in: EventStream(id: id, subject: id, entry: practice),
                expecting: .empty
            )
            change.expect(practice, .exact(admission.version))
            try claimLicense(of: profile, instead: nil, for: id, in: practice, &change)
            return .created(id: id)
        }
    }

    /// Performs a command on a specialist of a practice, or lets a specialist of another one join it.
    ///
    /// A specialist has one profile, one diary and one list of absences in all practices. A caller who lets the specialist
    /// join a practice must also manage one in which the specialist works; a caller who ends the work in all practices must
    /// manage all of them.
    package func changeSpecialist(
        _ id: UUID,
        in practice: UUID,
        _ caller: Caller,
        _ command: (SpecialistState) throws -> SpecialistCommand
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .manage, in: practice)
            guard let specialist = try journal.practiceStates.specialist(id) else {
                throw JournalError(ModelError.noSpecialist)
            }
            let command = try command(specialist.state)
            try requireManager(caller, of: specialist.state, for: command, in: admission)
            try change.add(
                decide(command, specialist.state, now: journal.now),
                in: EventStream(id: id, subject: id, entry: practice),
                expecting: .exact(specialist.version)
            )
            if case .change(let profile) = command, !change.isEmpty {
                for post in specialist.state.posts.keys.sorted(by: { $0.text < $1.text }) {
                    try claimLicense(of: profile, instead: specialist.state.profile, for: id, in: post, &change)
                }
            }
            if case .join = command {
                change.expect(practice, .exact(admission.version))
                // It is still claimed where the specialist worked before.
                if specialist.state.posts[practice] == nil {
                    try claimLicense(of: specialist.state.profile, instead: nil, for: id, in: practice, &change)
                }
            }
            return .existing(at: specialist.state.updated.position, id: id)
        }
    }

    /// Erases a specialist who no longer works: makes the profile, the hours and the absences unreadable for good, for
    /// everyone and as of every past moment.
    ///
    /// The appointments stay, with an id that leads to no profile, and the licence number is free. Throws `conflict`
    /// before the work has ended in all practices, and while appointments are ahead.
    package func eraseSpecialist(
        _ id: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try journal.erasure.settleErasures()
        return try await journal.once(caller) {
            let admission = try await journal.access.admit(caller, to: .manage, in: practice)
            try journal.erasure.requireReason(caller)
            guard let specialist = try journal.practiceStates.specialist(id) else {
                throw JournalError(ModelError.noSpecialist)
            }
            try requireManager(caller, of: specialist.state, for: .end(from: admission.today), in: admission)
            guard let ended = specialist.state.endedFrom, ended <= admission.today else {
                throw JournalError(.conflict, field: "specialist", "still works: end the work first")
            }
            let posts = specialist.state.posts.keys.sorted { $0.text < $1.text }
            let ahead = try posts.flatMap { try appointmentsAhead(of: $0) }
            guard !ahead.contains(where: { $0.specialists.contains(id) }) else {
                throw JournalError(
                    .conflict,
                    field: "specialist",
                    "has appointments ahead: give them to somebody else first"
                )
            }
            var change = try Change(journal, caller)
            try journal.clients.addErasure(of: id, at: specialist.version, &change)
            if let license = specialist.state.profile.license {
                for post in posts {
                    let claimed = "\(post.text)\n\(license)"
                    try journal.claimOnce(.release(holder: id), on: .license, claimed, field: "licenseNumber", &change)
                }
            }
            let result = try await change.commit(erasing: id)
            return WriteResult(position: result.first, version: result.first, id: id)
        }
    }

    /// Throws if a caller who manages a practice does not manage the others that a command on a specialist concerns.
    private func requireManager(
        _ caller: Caller,
        of specialist: SpecialistState,
        for command: SpecialistCommand,
        in admission: PracticeAdmission
    ) throws {
        let others = specialist.posts.keys.filter { $0 != admission.id }
        func manages(_ practice: UUID) throws -> Bool {
            switch try journal.access.decideAdmission(caller, .manage, in: practice, on: nil, isClient: false) {
            case .success: true
            case .failure: false
            }
        }
        switch command {
        case .join:
            if admission.practice.closed != nil { throw JournalError(.conflict, "the practice is closed") }
            if specialist.posts[admission.id] != nil { return }
            guard try others.contains(where: manages) else { throw JournalError(ModelError.noSpecialist) }
        case .end, .takeBack:
            guard specialist.posts[admission.id] != nil else { throw JournalError(ModelError.noSpecialist) }
            let working = others.filter { specialist.works(in: $0, on: admission.today) }
            guard try working.allSatisfy(manages) else {
                throw JournalError(
                    .conflict,
                    field: "specialist",
                    "works in another practice too, of which you are not a manager: end the work in this one alone"
                )
            }
        case .add, .change, .leave, .setHours, .addAbsence, .removeAbsence:
            guard specialist.posts[admission.id] != nil else { throw JournalError(ModelError.noSpecialist) }
        }
    }

    /// Claims the licence number of a specialist within a practice, and releases the previous one.
    ///
    /// It stays claimed after the specialist has left.
    func claimLicense(
        of profile: SpecialistProfile,
        instead before: SpecialistProfile?,
        for specialist: UUID,
        in practice: UUID,
        _ change: inout Change
    ) throws {
        let (old, new) = (before?.license, profile.license)
        guard old != new else { return }
        for (license, command) in [(old, ClaimCommand.release(holder: specialist)), (new, .claim(holder: specialist))] {
            guard let license else { continue }
            try journal.claimOnce(
                command,
                on: .license,
                "\(practice.text)\n\(license)",
                field: "licenseNumber",
                &change
            )
        }
    }
}
