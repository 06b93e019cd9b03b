internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal {
    /// Lets an account in to parts of a record, or gives its grant new terms.
    package func grant(
        _ terms: GrantTerms,
        to account: UUID,
        on record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeGrants(of: record, account, .grant(account: account, terms: terms), caller)
    }

    /// Takes a grant back; that counts from the account's next request on.
    package func revoke(
        _ account: UUID,
        on record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeGrants(of: record, account, .revoke(account: account), caller)
    }

    private func changeGrants(
        of record: UUID,
        _ account: UUID,
        _ command: GrantCommand,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: .manage, on: record)
            if case .grant = command, try ![.person, .tool].contains(self.account(account).kind) {
                throw JournalError(
                    .conflict,
                    field: "account",
                    "only a person can be a caregiver, and a tool contribute"
                )
            }
            let stream = try grantStream(of: record)
            let version = try log.version(of: stream)
            let recordVersion = try log.version(of: record)
            let head = try log.head()
            let header = try records.header(of: record, asOf: head)
            var change = try Change(self, caller)
            let grants = try permissions.grants(of: record, asOf: head)
            let events = try decide(
                command,
                grants,
                owners: header?.owners ?? [],
                tools: tools(among: Set(grants.grants.keys).union([account])),
                isClosed: header?.isClosed ?? false,
                today: today
            )
            for event in events {
                try change.add(event, stream: stream, subject: record, expecting: .exact(version))
            }
            // Nobody is let in to a record that is being closed.
            if case .grant = command { change.expect(record, .exact(recordVersion)) }
            let result = try await change.commit()
            return WriteResult(
                position: result?.last ?? head,
                record: record,
                account: account,
                isChanged: result != nil
            )
        }
    }

    /// The accounts that no person acts through.
    private func tools(among accounts: Set<UUID>) throws -> Set<UUID> {
        try accounts.filter { try self.account($0).kind == .tool }
    }
}
