internal import EventLog
package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Adds a specialist to a practice.
    package func addSpecialist(
        _ profile: SpecialistProfile,
        to practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let admission = try await admit(caller, to: .manage, in: practice)
            let id = UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            for event in try decide(.add(profile, practice: practice), nil, now: now) {
                try change.add(event, stream: id, subject: id, entry: practice, expecting: .empty)
            }
            change.expect(practice, .exact(admission.version))
            try claimLicense(of: profile, instead: nil, for: id, in: practice, &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, id: id)
        }
    }

    /// Performs a command on a specialist of a practice.
    package func changeSpecialist(
        _ id: UUID,
        in practice: UUID,
        _ caller: Caller,
        _ command: (SpecialistState) throws -> SpecialistCommand
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: .manage, in: practice)
            guard let specialist = try specialist(id), specialist.state.posts[practice] != nil else {
                throw JournalError(ModelError.noSpecialist)
            }
            var change = try Change(self, caller)
            let command = try command(specialist.state)
            for event in try decide(command, specialist.state, now: now) {
                try change.add(
                    event,
                    stream: id,
                    subject: id,
                    entry: practice,
                    expecting: .exact(specialist.version)
                )
            }
            if case .change(let profile) = command, !change.isEmpty {
                try claimLicense(of: profile, instead: specialist.state.profile, for: id, in: practice, &change)
            }
            let result = try await change.commit()
            return WriteResult(
                position: result?.last ?? specialist.state.updated.position,
                version: result?.first,
                id: id,
                isChanged: result != nil
            )
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
            try claimOnce(command, on: .license, "\(practice.text)\n\(license)", field: "licenseNumber", &change)
        }
    }
}
