internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

extension Journal.Accounts {
    /// Returns the account of an id; throws `notFound` if there is none.
    package func account(_ id: UUID) throws -> AccountState {
        if let replica = journal.replica {
            guard let known = replica.account(id) else { throw JournalError(.notFound, "there is no such account") }
            return known
        }
        var state: AccountState?
        do {
            for event in try journal.log.recordedEvents(of: id) { evolve(&state, event) }
        } catch let error as EventLogError where error.code == .subjectErased {
            // The id of an erased record: this does not reveal that there was such a record.
            state = nil
        }
        guard let state else { throw JournalError(.notFound, "there is no such account") }
        return state
    }

    /// Returns the account of an id; throws `notFound` if there is none, or if it was removed.
    package func usableAccount(_ id: UUID) throws -> AccountState {
        let state = try account(id)
        guard state.removed == nil else { throw JournalError(.notFound, "there is no such account") }
        return state
    }

    /// Returns the name of an account, or of a practice with access to records; nil if there is none of that id.
    package func name(of id: UUID) -> String? {
        (try? account(id).name) ?? (try? journal.practiceStates.practice(id).state.profile.name)
    }

    /// Returns the preferences of an account, from memory; nil for an unknown account.
    package func knownPreferences(of id: UUID) -> AccountPreferences? {
        try? journal.directory.account(id, journal.log, journal.permissions)?.preferences
    }

    /// Returns the account of a name; nil if there is none.
    package func account(named name: String) throws -> AccountState? {
        try holder(ofName: name).map { try account($0) }
    }

    /// Returns the id of the account of a name; nil if there is none.
    package func holder(ofName name: String) throws -> UUID? {
        if let replica = journal.replica {
            return replica.account(named: name)
        }
        var claim = ClaimState()
        for event in try journal.log.recordedEvents(of: journal.claim(.accountName, Self.folded(name))) {
            evolve(&claim, event)
        }
        return claim.holder
    }

    /// Returns the account of a name, an id, or an abbreviated id.
    package func accountID(_ text: String) throws(JournalError) -> UUID {
        do {
            if let account = try account(named: text) { return account.id }
        } catch {
            throw JournalError(error)
        }
        return try Journal.Records.resolve(text, "account") { _ throws in
            try journal.permissions.accounts(asOf: journal.log.head())
        }
    }

    /// Returns all accounts that were not removed, in the order in which they were added.
    package func list(_ caller: Caller) async throws(JournalError) -> [AccountState] {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .administer(.list))
            return try journal.permissions.accounts(asOf: journal.log.head())
                .compactMap { id in
                    do {
                        return try usableAccount(id)
                    } catch let error as JournalError where error.code == .notFound {
                        return nil
                    }
                }
        }
    }

    /// Returns a caller that acts through an account, given the account's name or id.
    package func caller(
        _ nameOrID: String,
        source: EventSource,
        reason: String = "",
        purpose: String = ""
    ) throws(JournalError) -> Caller {
        do {
            let found = try account(named: nameOrID) ?? UUID(uuidString: nameOrID).map { try usableAccount($0) }
            guard let found, found.removed == nil else {
                throw JournalError(
                    .notFound,
                    field: "as",
                    "there is no account with that name; see: healthjournal account list"
                )
            }
            return Caller(
                account: found.id,
                name: found.name,
                kind: found.kind,
                source: source,
                reason: reason,
                purpose: purpose
            )
        } catch {
            throw JournalError(error)
        }
    }
}
