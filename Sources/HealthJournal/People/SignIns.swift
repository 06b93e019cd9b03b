internal import HealthModel

/// What one process keeps in mind of people who sign in.
package final class SignIns: Sendable {
    package let limiter: SignInLimiter
    let codes = SignInCodes()
    let worker: PasswordWorker

    init(cost: PasswordCost, now: @escaping @Sendable () -> Int64) {
        limiter = SignInLimiter(now: now)
        worker = PasswordWorker(cost: cost)
    }
}
