internal import FoundationEssentials
internal import HealthModel

extension Journal {
    /// Returns a secret for a request: the same one for a repeated request, a random one without an idempotency key.
    func secret(_ use: Secret.Use, bits: Int, for caller: Caller) -> Secret {
        caller.request.map { signIns.secrets.secret(use, bits: bits, for: $0, of: caller.account) }
            ?? Secret(use, bits: bits)
    }

    /// Requires that the secret that an earlier request returned may be shown again.
    func requireRepeatable(_ secret: Secret, digest: [UInt8], given: Stamp) throws {
        guard secret.digest == digest, now.microseconds - given.recordedAt.microseconds <= RequestSecrets.lifetime
        else {
            throw JournalError(
                .conflict,
                "this request was already answered, and showed its secret then; if you lost it, revoke it and repeat"
            )
        }
    }
}
