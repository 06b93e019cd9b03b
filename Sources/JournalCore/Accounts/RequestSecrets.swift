internal import Crypto
internal import Foundation
internal import FoundationEssentials
package import HealthModel

/// The secrets that requests create, derived from the request so that a repeated request gets the same secret.
///
/// The key exists only in the memory of this process. After a restart, or once ``RequestSecrets/lifetime`` has passed,
/// a repeated request fails instead: the secret is stored nowhere.
final class RequestSecrets: Sendable {
    /// How long after the first answer a repeated request gets the same secret, in microseconds.
    static let lifetime: Int64 = 10 * 60_000_000

    private let key = SymmetricKey(size: .bits256)

    func secret(_ use: Secret.Use, bits: Int, for request: RequestKey, of account: UUID) -> Secret {
        var code = HMAC<SHA256>(key: key)
        for part in [use.rawValue, account.uuidString, request.key] {
            code.update(data: Array("\(part.utf8.count):\(part)".utf8))
        }
        code.update(data: request.digest)
        return Secret(use, Array(code.finalize().prefix(bits / 8)))
    }
}

extension Journal.Accounts {
    /// Returns a secret for a request: the same one for a repeated request, a random one without an idempotency key.
    package func secret(_ use: Secret.Use, bits: Int, for caller: Caller) -> Secret {
        caller.request.map { journal.signIns.secrets.secret(use, bits: bits, for: $0, of: caller.account) }
            ?? Secret(use, bits: bits)
    }

    /// Requires that the secret that an earlier request returned may be shown again.
    package func requireRepeatable(_ secret: Secret, digest: [UInt8], given: Stamp) throws {
        guard secret.digest == digest,
            journal.now.microseconds - given.recordedAt.microseconds <= RequestSecrets.lifetime
        else {
            throw JournalError(
                .conflict,
                "this request was already answered, and showed its secret then; if you lost it, revoke it and repeat"
            )
        }
    }
}
