internal import EventLog
internal import Foundation
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import PracticeDirectory

/// The clients of practices.
extension Journal.Clients {
    /// Adds a client to a practice.
    package func addClient(
        _ profile: ClientProfile,
        to practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .register, in: practice)
            let id = try add(profile, to: practice, &change)
            change.expect(practice, .exact(admission.version))
            return .created(id: id)
        }
    }

    /// Adds the events that add a client; returns its id.
    package func add(_ profile: ClientProfile, to practice: UUID, _ change: inout Change) throws -> UUID {
        try require(profile)
        let id = UUID.timeOrdered(at: journal.log.now())
        let added = JournalEvent(ClientAdded(practice: practice, profile: profile))
        try change.add(added, in: .own(id), expecting: .empty)
        try claimEmail(of: profile, instead: nil, for: id, in: practice, &change)
        return id
    }

    /// Replaces the description of a client; a former client becomes one again.
    package func changeClient(
        _ id: UUID,
        in practice: UUID,
        _ profile: ClientProfile,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            _ = try await journal.access.admit(caller, to: .register, in: practice)
            try require(profile)
            let client = try client(id, in: practice)
            var change = try Change(journal, caller)
            if client.state.profile != profile || client.state.ended != nil {
                let changed = JournalEvent(ClientChanged(profile: profile))
                try change.add(changed, in: .own(id), expecting: .exact(client.version))
                try claimEmail(of: profile, instead: client.state.profile, for: id, in: practice, &change)
            }
            return try await commit(change, client.state)
        }
    }

    /// Notes that a person is no client any more; no animal and no appointment is touched.
    package func endClient(
        _ id: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            _ = try await journal.access.admit(caller, to: .register, in: practice)
            let client = try client(id, in: practice)
            var change = try Change(journal, caller)
            if client.state.ended == nil {
                let ended = JournalEvent(ClientEnded())
                try change.add(ended, in: .own(id), expecting: .exact(client.version))
            }
            return try await commit(change, client.state)
        }
    }

    /// Erases a client: makes the contact data unreadable for good, for everyone and as of every past moment.
    ///
    /// No animal and no appointment is touched: the animals that the client brought keep an id that leads to no client.
    package func eraseClient(
        _ id: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try journal.erasure.settleErasures()
        return try await journal.once(caller) {
            _ = try await journal.access.admit(caller, to: .manage, in: practice)
            try journal.erasure.requireReason(caller)
            let client = try client(id, in: practice)
            var change = try Change(journal, caller)
            try addErasure(of: id, at: client.version, &change)
            if let email = client.state.profile.comparableEmail {
                let claimed = "\(practice.text)\n\(email)"
                try journal.claimOnce(.release(holder: id), on: .clientEmail, claimed, field: "email", &change)
            }
            let result = try await change.commit(erasing: id)
            return WriteResult(position: result.first, version: result.first, id: id)
        }
    }

    /// Adds the event that records the erasure of a client or a specialist, and expects the version of the stream.
    package func addErasure(of id: UUID, at version: UInt64, _ change: inout Change) throws {
        let journal = journal.log.description.id
        try change.add(.recordErased, in: .entry(id, of: journal), expecting: .exact(version))
    }

    /// Returns a client; nil if there is none with this id, or the client was erased.
    func clientUnlessErased(_ id: UUID, asOf position: UInt64) throws -> ClientState? {
        try journal.records.unlessErased {
            try journal.fold(id, asOf: position, from: ClientState?.none) { evolve(&$0, $1) }.state
        }
    }

    /// Returns the clients of a practice, also former ones, in the order of their last names.
    package func list(
        of practice: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [ClientState] {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            let position = try journal.log.position(asOf: moment)
            return try journal.practiceDirectory.clients(of: practice, asOf: position)
                .compactMap { id in try clientUnlessErased(id, asOf: position) }
                .sorted(byNameAndID: { client in
                    let name = client.profile.values.text(ClientProfile.lastName) ?? client.profile.fullName
                    return (name + " " + client.profile.fullName, client.id)
                })
        }
    }

    /// Returns the names of some clients of a practice, by id; without those who were erased.
    package func clientNames(
        _ ids: Set<UUID>,
        of practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID: String] {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            var names: [UUID: String] = [:]
            for id in ids {
                let found = try journal.records.unlessErased {
                    try journal.fold(id, from: ClientState?.none) { evolve(&$0, $1) }
                }
                if let state = found?.state, state.practice == practice { names[id] = state.profile.fullName }
            }
            return names
        }
    }

    /// Returns a client of a practice; throws `notFound` if there is none with this id.
    package func client(_ id: UUID, in practice: UUID) throws -> Versioned<ClientState> {
        let found = try journal.records.unlessErased {
            try journal.fold(id, from: ClientState?.none) { evolve(&$0, $1) }
        }
        guard let folded = found, let state = folded.state, state.practice == practice else {
            throw JournalError(ModelError.noClient)
        }
        return Versioned(state: state, version: folded.version)
    }

    package func require(_ profile: ClientProfile) throws {
        try profile.validate(now: journal.now)
        if let account = profile.accountID {
            guard try Gate.hasRecords(journal.accounts.account(account).kind) else {
                throw JournalError(.conflict, field: "account", "only a person's account can be a client")
            }
        }
    }

    private func commit(_ change: Change, _ state: ClientState) async throws -> WriteResult {
        try await change.commit(answering: .existing(at: state.updated.position, id: state.id))
    }

    /// Claims the e-mail address of a client within a practice, and releases the previous one.
    func claimEmail(
        of profile: ClientProfile,
        instead before: ClientProfile?,
        for client: UUID,
        in practice: UUID,
        _ change: inout Change
    ) throws {
        let (old, new) = (before?.comparableEmail, profile.comparableEmail)
        guard old != new else { return }
        for (email, command) in [(old, ClaimCommand.release(holder: client)), (new, .claim(holder: client))] {
            guard let email else { continue }
            try journal.claimOnce(command, on: .clientEmail, "\(practice.text)\n\(email)", field: "email", &change)
        }
    }
}

extension ClientProfile {
    /// The e-mail address as it is compared: without spaces, composed, and in lower case.
    var comparableEmail: String? {
        guard let email else { return nil }
        let plain = email.precomposedStringWithCanonicalMapping.lowercased().filter { !$0.isWhitespace }
        return plain.isEmpty ? nil : plain
    }
}
