internal import Crypto
internal import FoundationEssentials
package import HealthModel

extension Journal {
    /// The caller who shows the secret of a token.
    ///
    /// Unknown, revoked and expired secrets are answered alike.
    package func authenticate(
        _ secret: String,
        source: EventSource,
        reason: String = "",
        purpose: String = ""
    ) throws(JournalError) -> Caller {
        do {
            // Found by its digest: how long that takes says nothing of any secret.
            let digest = Array(SHA256.hash(data: Array(secret.utf8)))
            guard let (account, token) = try directory.holder(of: digest, log, permissions), token.isValid(at: now)
            else {
                throw JournalError(.unauthenticated, "the token is not, or no longer, one of this journal")
            }
            return Caller(
                account: account.id,
                name: account.name,
                kind: account.kind,
                scope: token.scope,
                source: source,
                reason: reason,
                purpose: purpose
            )
        } catch {
            throw JournalError(error)
        }
    }
}
