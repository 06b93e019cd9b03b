internal import FoundationEssentials
internal import Platform

/// The one-time codes for signing in without a password, kept only in the memory of this process.
final class SignInCodes: Sendable {
    /// The lifetime of a code, in seconds.
    static let lifetime: Int64 = 15 * 60
    /// The maximum number of open codes; a further one replaces the oldest.
    static let most = 100

    private struct Code {
        let account: UUID
        let made: Int64
    }

    private let codes = Guarded<[[UInt8]: Code]>([:])

    /// Creates a code for an account.
    func make(for account: UUID, now: Int64) -> String {
        let secret = Secret(.signInCode, bits: 128)
        codes.withLock { codes in
            codes = codes.filter { SignInCodes.isOpen($0.value, now) }
            if codes.count >= SignInCodes.most, let oldest = codes.min(by: { $0.value.made < $1.value.made }) {
                codes[oldest.key] = nil
            }
            codes[secret.digest] = Code(account: account, made: now)
        }
        return secret.text
    }

    /// Returns the account of a code and uses the code up; nil if the code is unknown or expired.
    func take(_ text: String, now: Int64) -> UUID? {
        let digest = Secret.digest(of: text)
        let found = codes.withLock { $0.removeValue(forKey: digest) }
        return found.flatMap { SignInCodes.isOpen($0, now) ? $0.account : nil }
    }

    private static func isOpen(_ code: Code, _ now: Int64) -> Bool { now - code.made < lifetime * 1_000_000 }
}
