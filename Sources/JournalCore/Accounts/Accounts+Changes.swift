internal import CaregiverPermissions
internal import EventLog

// Unicode normalization needs the whole of Foundation.
package import Foundation
package import HealthModel
internal import JournalEvents

extension Journal.Accounts {
    /// Adds an account.
    ///
    /// Its name must be unique in the journal, ignoring case. If a password is given, the account's holder can sign in.
    package func addAccount(
        _ profile: AccountProfile,
        password: String? = nil,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            try await journal.access.admit(caller, to: .administer(.manage))
            if password != nil {
                try await journal.access.admit(caller, to: .account(.setPassword, .other(profile.kind, isNew: true)))
            }
            var hash: PasswordHash?
            if let password {
                let password = try Password(setting: password, ofAccount: profile.name)
                try await confirm(caller, current, creatingAccessUntil: nil)
                hash = try await journal.signIns.worker.hash(password)
            }
            let id = UUID.timeOrdered(at: journal.log.now())
            try change.add(
                decide(.add(profile, password: hash), nil, now: journal.now),
                in: .own(id),
                expecting: .empty
            )
            let name = Self.folded(profile.name)
            if name.isEmpty { throw JournalError(.invalid, field: "name", "is required") }
            // Accounts are identified by name or id, so a name must not look like an id.
            guard UUID(uuidString: name) == nil else {
                throw JournalError(.invalid, field: "name", "must not look like an id")
            }
            try journal.claimOnce(.claim(holder: id), on: .accountName, name, field: "name", &change)
            return .created(account: id)
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
            try await journal.access.admit(caller, to: action(.issueToken, ofAccount: account, caller))
            try await confirm(caller, current, creatingAccessUntil: expires)
        } catch {
            throw JournalError(error)
        }
        return try await journal.retrying {
            let secret = secret(.token, bits: 256, for: caller)
            if let given = try journal.eventGiven(to: caller), let token = (given.event.data as? TokenIssued)?.token {
                try requireRepeatable(secret, digest: token.digest, given: given.stamp)
                return (secret.text, token.id, given.stamp.position)
            }
            let id = UUID.timeOrdered(at: journal.log.now())
            let token = Token(id: id, scope: scope, expires: expires, digest: secret.digest)
            let result = try await changeAccount(account, .issueToken(token), caller)
            return (secret.text, id, result.position)
        }
    }

    /// Revokes a token.
    package func revokeToken(_ token: UUID, of account: UUID, _ caller: Caller) async throws(JournalError)
        -> WriteResult
    {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: action(.manageCredentials, ofAccount: account, caller))
            return try await changeAccount(account, .revokeToken(token), caller)
        }
    }

    /// Decides on a command and commits its events, with those that `completing` adds.
    package func changeAccount(
        _ id: UUID,
        _ command: AccountCommand,
        _ caller: Caller,
        completing: (inout Change) throws -> Void = { _ in }
    ) async throws -> WriteResult {
        // Read before the state, so that a change in between is detected.
        let version = try journal.log.version(of: id)
        let state = try account(id)
        var change = try Change(journal, caller)
        try change.add(decide(command, state, now: journal.now), in: .own(id), expecting: .exact(version))
        try completing(&change)
        return try await change.commit(
            answering: .existing(at: journal.log.newest(of: id)?.position ?? journal.log.head(), account: id)
        )
    }

    /// Returns an action on an account, with what the gate needs to know about the account.
    package func action(_ action: AccountAction, ofAccount id: UUID, _ caller: Caller) throws -> Action {
        if id == caller.account { return .account(action, .own) }
        // Callers who may not run the journal are refused whatever the account is, and do not learn whether it exists.
        guard case .allowed = try journal.access.decision(on: .administer(.manage), by: caller) else {
            return .account(action, .other(.person, isNew: false))
        }
        let account = try account(id)
        return .account(action, .other(account.kind, isNew: try action == .setPassword && isNew(account)))
    }

    /// Reports whether an account belongs to a person who has no credentials yet and no access to any record.
    private func isNew(_ account: AccountState) throws -> Bool {
        guard account.kind == .person, account.password == nil, account.tokens.isEmpty, account.sessions.isEmpty,
            account.identities.isEmpty, try !journal.access.isOwner(account.id)
        else { return false }
        return try journal.permissions.records(of: account.id, asOf: journal.log.head()).isEmpty
    }

    /// Returns the normalized form by which names are compared.
    package static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .precomposedStringWithCanonicalMapping
    }
}
