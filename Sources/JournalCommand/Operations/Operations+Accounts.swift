import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == WriteResult {
    /// Sets a password; changing that of the caller's own account may require its `current` password.
    static func setPassword(
        of account: UUID,
        to password: String,
        current: String?,
        revoking: Revocation
    ) -> Self {
        Self {
            try await $0.journal.accounts.setPassword(
                of: account,
                to: password,
                current: current,
                revoking: revoking,
                $0.caller
            )
        } remote: {
            let body: JSONValue = .present([
                "password": .string(password), "current": current.map { .string($0) }, "revoke": revoking.json,
            ])
            return try await $0.write($0.once(.put, "accounts", account.text, "password", body: body))
        }
    }

    static func linkIdentity(issuer: String, subject: String, to account: UUID, current: String?) -> Self {
        Self {
            try await $0.journal.accounts.linkIdentity(
                issuer: issuer,
                subject: subject,
                to: account,
                current: current,
                $0.caller
            )
        } remote: {
            let body: JSONValue = .present([
                "issuer": .string(issuer), "subject": .string(subject), "current": current.map { .string($0) },
            ])
            return try await $0.write(
                .write(.post, "accounts", account.text, "identities", query: $0.reasonQuery, body: body)
            )
        }
    }
}

extension Revocation {
    fileprivate var json: JSONValue? {
        switch self {
        case .nothing: nil
        case .everything: ["all"]
        case .these(let ids): .array(ids.map { .string($0.text) })
        }
    }
}
