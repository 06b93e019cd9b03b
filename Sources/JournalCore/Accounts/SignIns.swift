package import FoundationEssentials
package import HealthModel

/// The sign-in state that one process keeps in memory.
package final class SignIns: Sendable {
    package let limiter: SignInLimiter
    let codes = SignInCodes()
    let secrets = RequestSecrets()
    let worker: PasswordWorker

    init(cost: PasswordCost, now: @escaping @Sendable () -> Int64) {
        limiter = SignInLimiter(now: now)
        worker = PasswordWorker(cost: cost)
    }
}

/// The origin of a sign-in.
package struct SignInSource: Hashable, Sendable {
    package var source: EventSource
    /// The network of the client's address, such as 192.0.2.0/24; kept only in memory, to limit attempts.
    package var address: String?

    package init(_ source: EventSource, address: String? = nil) {
        self.source = source
        self.address = address
    }
}

/// The result of a successful sign-in.
package struct SignIn: Hashable, Sendable {
    /// The secret of the new session, which is shown only once.
    package let secret: String
    package let session: UUID
    package let account: UUID
    package let expires: Instant
}
