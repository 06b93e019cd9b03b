internal import Crypto
internal import Foundation

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
