internal import HealthModel

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
