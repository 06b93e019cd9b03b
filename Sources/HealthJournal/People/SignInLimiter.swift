package import FoundationEssentials
internal import LMDB

/// Slows down whoever guesses passwords: by what they guess at, and by where they guess from.
///
/// In memory alone, and bounded: a process that begins anew forgets, which takes longer than the wait it saves.
package final class SignInLimiter: Sendable {
    /// What is guessed at.
    ///
    /// A name that no account has is limited like one that has: it must not be told apart by that.
    package enum Target: Hashable, Sendable {
        case account(UUID)
        /// The digest of a name.
        case unknown([UInt8])
    }

    package enum Verdict: Hashable, Sendable {
        case admitted
        /// For how many seconds, why, and whether it is the first time since somebody was admitted.
        case limited(retryAfter: Int, Reason, isFirst: Bool)
    }

    package enum Reason: Hashable, Sendable {
        case account
        case address
    }

    /// Failures after which the next attempt must wait.
    static let freeFailures = 5
    /// The longest wait, in seconds.
    static let longestDelay = 900
    /// Attempts from one address in a minute.
    static let perMinute = 20
    /// Names that no account has, and addresses, that are kept in mind.
    static let remembered = 10_000
    /// Failures are forgotten after a day without another.
    fileprivate static let memory: Int64 = 86_400_000_000

    fileprivate struct Failures {
        var count = 0
        var newest: Int64 = 0
        var blockedUntil: Int64 = 0
        var isTold = false
    }

    fileprivate struct Address {
        var left = Double(SignInLimiter.perMinute)
        var newest: Int64
        var isTold = false

        mutating func refill(_ now: Int64) {
            let gained = Double(max(0, now - newest)) / 60_000_000 * Double(SignInLimiter.perMinute)
            left = min(Double(SignInLimiter.perMinute), left + gained)
            newest = now
        }
    }

    fileprivate struct Memory {
        var accounts: [UUID: Failures] = [:]
        var unknown: [[UInt8]: Failures] = [:]
        var addresses: [String: Address] = [:]

        subscript(target: Target) -> Failures {
            get {
                switch target {
                case .account(let id): accounts[id] ?? Failures()
                case .unknown(let digest): unknown[digest] ?? Failures()
                }
            }
            set {
                switch target {
                case .account(let id): accounts[id] = newValue
                case .unknown(let digest):
                    if unknown[digest] == nil { SignInLimiter.makeRoom(in: &unknown) { $0.newest } }
                    unknown[digest] = newValue
                }
            }
        }
    }

    private let memory = Guarded(Memory())
    private let now: @Sendable () -> Int64

    /// `now` answers microseconds.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// Asks for one attempt; it counts as a failure until it is said to have succeeded, so that many at once are not
    /// many for one.
    package func admit(_ target: Target?, from address: String?) -> Verdict {
        let now = now()
        return memory.withLock { memory in
            if let address, case .limited(let wait, let reason, let isFirst) = memory.take(address, now) {
                return .limited(retryAfter: wait, reason, isFirst: isFirst)
            }
            guard let target else { return .admitted }
            return memory.take(target, now)
        }
    }

    /// Forgets the failures on an account: somebody knew its password.
    package func succeed(_ target: Target) {
        memory.withLock { memory in
            switch target {
            case .account(let id): memory.accounts[id] = nil
            case .unknown(let digest): memory.unknown[digest] = nil
            }
        }
    }

    /// What is remembered; for tests.
    var size: Int { memory.withLock { $0.accounts.count + $0.unknown.count + $0.addresses.count } }

    fileprivate static func makeRoom<Key, Value>(in table: inout [Key: Value], _ newest: (Value) -> Int64) {
        guard table.count >= remembered, let oldest = table.min(by: { newest($0.value) < newest($1.value) }) else {
            return
        }
        table[oldest.key] = nil
    }
}

extension SignInLimiter.Memory {
    fileprivate mutating func take(_ target: SignInLimiter.Target, _ now: Int64) -> SignInLimiter.Verdict {
        var failures = self[target]
        if now - failures.newest > SignInLimiter.memory { failures = SignInLimiter.Failures() }
        if now < failures.blockedUntil {
            let isFirst = !failures.isTold
            failures.isTold = true
            self[target] = failures
            return .limited(retryAfter: (failures.blockedUntil - now).wholeSeconds, .account, isFirst: isFirst)
        }
        failures.count += 1
        failures.newest = now
        failures.isTold = false
        if failures.count >= SignInLimiter.freeFailures {
            let delay = 1 << min(20, failures.count - SignInLimiter.freeFailures)
            failures.blockedUntil = now + Int64(min(SignInLimiter.longestDelay, delay)) * 1_000_000
        }
        self[target] = failures
        return .admitted
    }

    fileprivate mutating func take(_ name: String, _ now: Int64) -> SignInLimiter.Verdict {
        if addresses[name] == nil { SignInLimiter.makeRoom(in: &addresses) { $0.newest } }
        var address = addresses[name] ?? SignInLimiter.Address(newest: now)
        address.refill(now)
        defer { addresses[name] = address }
        guard address.left >= 1 else {
            let missing = (1 - address.left) / Double(SignInLimiter.perMinute) * 60_000_000
            let isFirst = !address.isTold
            address.isTold = true
            return .limited(retryAfter: Int64(missing).wholeSeconds, .address, isFirst: isFirst)
        }
        address.left -= 1
        address.isTold = false
        return .admitted
    }
}

extension Int64 {
    /// Microseconds as seconds, rounded up.
    fileprivate var wholeSeconds: Int { Int((self + 999_999) / 1_000_000) }
}
