internal import EventLog
// Texts are brought to one spelling only where all of Foundation is there.
package import Foundation
package import HealthModel
internal import JournalEvents

extension Journal {
    /// Adds an account.
    ///
    /// Its name stands once in a journal, however it is spelt in capitals. With a password, its holder can come in.
    package func addAccount(
        _ profile: AccountProfile,
        password: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            try await requireAdministrator(caller)
            if password != nil, profile.kind != .person, standsIn(for: profile.kind, caller) {
                throw try await refusal(of: caller, .manage, because: Journal.standingInRefusal)
            }
            var hash: PasswordHash?
            if let password { hash = try await signIns.worker.hash(Password(setting: password)) }
            let id = UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            for event in try decide(.add(profile, password: hash), nil, now: now) {
                try change.add(event, stream: id, subject: id, expecting: .empty)
            }
            let name = Journal.folded(profile.name)
            if name.isEmpty { throw JournalError(.invalid, field: "name", "is required") }
            // Accounts are named by their name or their id, and one must not pass for the other.
            guard UUID(uuidString: name) == nil else { throw JournalError(.invalid, field: "name", "reads as an id") }
            try claimOnce(.claim(holder: id), on: .accountName, name, field: "name", &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, account: id)
        }
    }

    /// Issues a token.
    ///
    /// Its secret is in the answer and nowhere else: the journal keeps a digest.
    package func issueToken(
        to account: UUID,
        scope: TokenScope,
        expires: Instant?,
        _ caller: Caller
    ) async throws(JournalError) -> (secret: String, id: UUID, position: UInt64) {
        try await retrying {
            try await requireIssuing(to: account, caller)
            let id = UUID.timeOrdered(at: log.now())
            let secret = Secret(.token, bits: 256)
            let token = Token(id: id, scope: scope, expires: expires, digest: secret.digest)
            let result = try await changeAccount(account, .issueToken(token), caller)
            return (secret.text, id, result.position)
        }
    }

    /// Requires somebody who may issue tokens to an account.
    package func requireIssuing(to account: UUID, _ caller: Caller) async throws {
        guard try await actsForItself(account, caller) || !standsInFor(account, caller) else {
            throw try await refusal(of: caller, .manage, because: "only the account itself may do that")
        }
    }

    /// Makes a token of no use.
    package func revokeToken(_ token: UUID, of account: UUID, _ caller: Caller) async throws(JournalError)
        -> WriteResult
    {
        try await once(caller) {
            _ = try await actsForItself(account, caller)
            return try await changeAccount(account, .revokeToken(token), caller)
        }
    }

    /// Decides on a command and commits its events, with what `completing` adds to them.
    func changeAccount(
        _ id: UUID,
        _ command: AccountCommand,
        _ caller: Caller,
        completing: (inout Change) throws -> Void = { _ in }
    ) async throws -> WriteResult {
        // Before the state: what is changed in between must be found out.
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

    /// Accounts are the business of those who run the journal: the account that `init` made, and administrators.
    package func requireAdministrator(_ caller: Caller, to action: AccessAction = .manage) async throws {
        guard try runsJournal(caller) else {
            throw try await refusal(
                of: caller,
                action,
                because: "only the account \(Journal.ownerName) or an administrator may do that"
            )
        }
        try await requireScope(caller, to: action)
    }

    package func runsJournal(_ caller: Caller) throws -> Bool {
        try caller.kind == .administrator || caller.account == account(named: Journal.ownerName)?.id
    }

    /// Whether a caller changes its own account; requires an administrator where it does not.
    func actsForItself(_ account: UUID, _ caller: Caller) async throws -> Bool {
        guard account == caller.account else {
            try await requireAdministrator(caller)
            return false
        }
        guard caller.kind != .tool else {
            throw try await refusal(of: caller, .manage, because: "a tool may only append events")
        }
        try await requireScope(caller)
        return true
    }

    /// Whether a caller who gave itself what lets an account in could then see what it must not.
    ///
    /// An administrator sees no health data: not in the place of a person or an auditor either. The account that `init`
    /// made is that of who holds the master key, before whom nothing is hidden.
    package func standsInFor(_ account: UUID, _ caller: Caller) throws -> Bool {
        standsIn(for: try self.account(account).kind, caller)
    }

    private func standsIn(for kind: AccountKind, _ caller: Caller) -> Bool {
        guard caller.kind == .administrator else { return false }
        return switch kind {
        case .person, .auditor: true
        case .tool, .administrator: false
        }
    }

    /// The spelling by which names are compared.
    package static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .precomposedStringWithCanonicalMapping
    }
}
