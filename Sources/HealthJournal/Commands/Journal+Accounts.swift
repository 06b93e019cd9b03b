internal import EventLog
// Unicode normalization needs the whole of Foundation.
package import Foundation
package import HealthModel
internal import JournalEvents

extension Journal {
    /// Adds an account.
    ///
    /// Its name must be unique in the journal, ignoring case. If a password is given, the account's holder can sign in.
    package func addAccount(
        _ profile: AccountProfile,
        password: String? = nil,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            try await requireAdministrator(caller)
            if password != nil, profile.kind != .person, standsIn(for: profile.kind, caller) {
                throw try await refusal(of: caller, .manage, reason: Journal.impersonationRefusal)
            }
            var hash: PasswordHash?
            if let password {
                let password = try Password(setting: password)
                try await confirm(caller, current, creatingAccessUntil: nil)
                hash = try await signIns.worker.hash(password)
            }
            let id = UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            for event in try decide(.add(profile, password: hash), nil, now: now) {
                try change.add(event, stream: id, subject: id, expecting: .empty)
            }
            let name = Journal.folded(profile.name)
            if name.isEmpty { throw JournalError(.invalid, field: "name", "is required") }
            // Accounts are identified by name or id, so a name must not look like an id.
            guard UUID(uuidString: name) == nil else {
                throw JournalError(.invalid, field: "name", "must not look like an id")
            }
            try claimOnce(.claim(holder: id), on: .accountName, name, field: "name", &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, account: id)
        }
    }

    /// Issues a token.
    ///
    /// The secret is only in the result: the journal stores a digest. The caller confirms the request with the
    /// `current` password of their own account, if it has one.
    package func issueToken(
        to account: UUID,
        scope: TokenScope,
        expires: Instant?,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> (secret: String, id: UUID, position: UInt64) {
        do {
            try await requireIssuing(to: account, caller)
            try await confirm(caller, current, creatingAccessUntil: expires)
        } catch {
            throw JournalError(error)
        }
        return try await retrying {
            let secret = secret(.token, bits: 256, for: caller)
            if let given = try eventGiven(to: caller), let token = (given.event.data as? TokenIssued)?.token {
                try requireRepeatable(secret, digest: token.digest, given: given.stamp)
                return (secret.text, token.id, given.stamp.position)
            }
            let id = UUID.timeOrdered(at: log.now())
            let token = Token(id: id, scope: scope, expires: expires, digest: secret.digest)
            let result = try await changeAccount(account, .issueToken(token), caller)
            return (secret.text, id, result.position)
        }
    }

    /// Requires a caller who may issue tokens to an account.
    package func requireIssuing(to account: UUID, _ caller: Caller) async throws {
        guard try await isOwnAccount(account, caller) || !couldImpersonate(account, caller) else {
            throw try await refusal(of: caller, .manage, reason: "only the account itself may do that")
        }
    }

    /// Revokes a token.
    package func revokeToken(_ token: UUID, of account: UUID, _ caller: Caller) async throws(JournalError)
        -> WriteResult
    {
        try await once(caller) {
            _ = try await isOwnAccount(account, caller)
            return try await changeAccount(account, .revokeToken(token), caller)
        }
    }

    /// Decides on a command and commits its events, with those that `completing` adds.
    func changeAccount(
        _ id: UUID,
        _ command: AccountCommand,
        _ caller: Caller,
        completing: (inout Change) throws -> Void = { _ in }
    ) async throws -> WriteResult {
        // Read before the state, so that a change in between is detected.
        let version = try log.version(of: id)
        let state = try account(id)
        var change = try Change(self, caller)
        for event in try decide(command, state, now: now) {
            try change.add(event, stream: id, subject: id, expecting: .exact(version))
        }
        try completing(&change)
        let result = try await change.commit()
        return WriteResult(position: result?.last ?? 0, account: id, isChanged: result != nil)
    }

    /// Requires a caller who runs the journal: the account that the `init` command created, or an administrator.
    package func requireAdministrator(_ caller: Caller, to action: AccessAction = .manage) async throws {
        guard try runsJournal(caller) else {
            throw try await refusal(
                of: caller,
                action,
                reason: "only the account \(Journal.ownerName) or an administrator may do that"
            )
        }
        try await requireScope(caller, to: action)
    }

    package func runsJournal(_ caller: Caller) throws -> Bool {
        try caller.kind == .administrator || caller.account == account(named: Journal.ownerName)?.id
    }

    /// Reports whether a caller acts on its own account; requires an administrator otherwise.
    func isOwnAccount(_ account: UUID, _ caller: Caller) async throws -> Bool {
        guard account == caller.account else {
            try await requireAdministrator(caller)
            return false
        }
        guard caller.kind != .tool else {
            throw try await refusal(of: caller, .manage, reason: "a tool may only append events")
        }
        try await requireScope(caller)
        return true
    }

    /// Reports whether a credential of an account would show the caller data that the caller must not see.
    ///
    /// An administrator sees no health data, and must therefore not act as a person or an auditor. The account that the
    /// `init` command created belongs to the holder of the master key, from whom nothing is hidden.
    package func couldImpersonate(_ account: UUID, _ caller: Caller) throws -> Bool {
        standsIn(for: try self.account(account).kind, caller)
    }

    private func standsIn(for kind: AccountKind, _ caller: Caller) -> Bool {
        guard caller.kind == .administrator else { return false }
        return switch kind {
        case .person, .auditor: true
        case .tool, .administrator: false
        }
    }

    /// Returns the normalized form by which names are compared.
    package static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .precomposedStringWithCanonicalMapping
    }
}
