internal import Crypto
internal import EventLog
// Texts are brought to one spelling only where all of Foundation is there.
package import Foundation
package import HealthModel
internal import JournalEvents

extension Journal {
    /// Adds an account.
    ///
    /// Its name stands once in a journal, however it is spelt in capitals.
    package func addAccount(_ profile: AccountProfile, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            try await requireAdministrator(caller)
            let id = UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            for event in try decide(.add(profile), nil, now: now) {
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
            try await requireAdministrator(caller)
            let id = UUID.timeOrdered(at: log.now())
            let random = (0..<32).map { _ in UInt8.random(in: 0...255) }
            let secret = "hj_" + Data(random).base64EncodedString().urlSafe
            let token = Token(
                id: id,
                scope: scope,
                expires: expires,
                digest: Array(SHA256.hash(data: Array(secret.utf8)))
            )
            let result = try await changeAccount(account, .issueToken(token), caller)
            return (secret, id, result.position)
        }
    }

    /// Makes a token of no use.
    package func revokeToken(_ token: UUID, of account: UUID, _ caller: Caller) async throws(JournalError)
        -> WriteResult
    {
        try await once(caller) {
            try await requireAdministrator(caller)
            return try await changeAccount(account, .revokeToken(token), caller)
        }
    }

    private func changeAccount(_ id: UUID, _ command: AccountCommand, _ caller: Caller) async throws -> WriteResult {
        // Before the state: what is changed in between must be found out.
        let version = try log.version(of: id)
        let state = try account(id)
        var change = try Change(self, caller)
        for event in try decide(command, state, now: now) {
            try change.add(event, stream: id, subject: id, expecting: .exact(version))
        }
        let result = try await change.commit()
        return WriteResult(position: result?.last ?? 0, account: id, isChanged: result != nil)
    }

    /// Accounts are the business of the one who runs the journal: the account that `init` made.
    package func requireAdministrator(_ caller: Caller, to action: AccessAction = .manage) async throws {
        guard try caller.account == account(named: Journal.ownerName)?.id else {
            throw try await refusal(of: caller, action, because: "only the account \(Journal.ownerName) may do that")
        }
        try await requireScope(caller, to: action)
    }

    /// The spelling by which names are compared.
    static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .precomposedStringWithCanonicalMapping
    }
}

extension String {
    fileprivate var urlSafe: String {
        String(compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}
