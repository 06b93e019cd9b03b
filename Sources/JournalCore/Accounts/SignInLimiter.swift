package import FoundationEssentials
internal import Platform

/// A limiter of attempts to guess passwords, by account and network together, and by network.
///
/// Failures from one network do not lock out an account's owner in another network. Against guesses from many networks,
/// each account has a second, larger budget. Networks with an earlier successful sign-in are exempt from it.
///
/// The state is bounded and kept in memory only. A restart clears it, but causing one takes an attacker longer than the
/// waits it saves.
package final class SignInLimiter: Sendable {
    /// The target of a guess.
    ///
    /// A name without an account is limited like one with an account, so that the limits do not reveal which names
    /// exist.
    package enum Target: Hashable, Sendable {
        case account(UUID)
        /// The digest of a name without an account.
        case unknown([UInt8])
        /// The current password of an account, typed again in a session; counted separately from sign-ins.
        case current(UUID)
        /// The test messages of an account; each counts as a failure.
        case channelTest(UUID)
    }

    package enum Decision: Hashable, Sendable {
        case admitted
        /// The wait in seconds, its reason, and whether this is the first refusal since an attempt was admitted.
        case limited(retryAfter: Int, Reason, isFirst: Bool)
    }

    package enum Reason: Hashable, Sendable {
        case account
        case address
    }

    /// The number of failures after which the next attempt must wait.
    static let freeFailures = 5
    /// The longest wait, in seconds.
    static let longestDelay = 900
    /// The failures that an account may have at once from all networks, and how many it regains each hour.
    static let accountFailures = 100
    static let accountFailuresPerHour = 20
    /// The number of networks with a successful sign-in that are remembered for an account, and for how long: 30 days.
    static let familiarNetworks = 16
    fileprivate static let familiarity: Int64 = 30 * 86_400_000_000
    /// The number of attempts that one network may make per minute.
    static let perMinute = 20
    /// The maximum size of each table whose keys clients choose: attempts at known accounts and at unknown names,
    /// budgets of unknown names, and addresses.
    static let remembered = 10_000
    /// The time after which failures are forgotten if there was no other: one day.
    fileprivate static let memory: Int64 = 86_400_000_000

    fileprivate struct Failures {
        var count = 0
        var newest: Int64 = 0
        var blockedUntil: Int64 = 0
        var isReported = false
    }

    fileprivate struct Address {
        var left = Double(SignInLimiter.perMinute)
        var newest: Int64
        var isReported = false

        mutating func refill(_ now: Int64) {
            let gained = Double(max(0, now - newest)) / 60_000_000 * Double(SignInLimiter.perMinute)
            left = min(Double(SignInLimiter.perMinute), left + gained)
            newest = now
        }
    }

    /// A target, and the network of the attempt.
    fileprivate struct Attempt: Hashable {
        let target: Target
        let network: String?
    }

    /// The remaining failures that an account may have from all networks.
    fileprivate struct Budget {
        var left = Double(SignInLimiter.accountFailures)
        var newest: Int64
        var isReported = false

        mutating func refill(_ now: Int64) {
            let gained = Double(max(0, now - newest)) / 3_600_000_000 * Double(SignInLimiter.accountFailuresPerHour)
            left = min(Double(SignInLimiter.accountFailures), left + gained)
            newest = now
        }
    }

    fileprivate struct Memory {
        /// Separate from names without an account, so that many of those do not evict an account.
        var known: [Attempt: Failures] = [:]
        var unknown: [Attempt: Failures] = [:]
        var budgets: [Target: Budget] = [:]
        var unknownBudgets: [Target: Budget] = [:]
        var familiar: [Target: [String: Int64]] = [:]
        var addresses: [String: Address] = [:]

        subscript(attempt: Attempt) -> Failures {
            get { (attempt.target.isKnown ? known[attempt] : unknown[attempt]) ?? Failures() }
            set {
                if attempt.target.isKnown {
                    if known[attempt] == nil { SignInLimiter.makeRoom(in: &known) { $0.newest } }
                    known[attempt] = newValue
                } else {
                    if unknown[attempt] == nil { SignInLimiter.makeRoom(in: &unknown) { $0.newest } }
                    unknown[attempt] = newValue
                }
            }
        }

        subscript(budgetOf target: Target, now: Int64) -> Budget {
            get { (target.isKnown ? budgets[target] : unknownBudgets[target]) ?? Budget(newest: now) }
            set {
                if target.isKnown {
                    budgets[target] = newValue
                } else {
                    if unknownBudgets[target] == nil { SignInLimiter.makeRoom(in: &unknownBudgets) { $0.newest } }
                    unknownBudgets[target] = newValue
                }
            }
        }
    }

    private let memory = Guarded(Memory())
    private let now: @Sendable () -> Int64

    /// Creates a limiter; `now` returns the current time in microseconds.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// Requests one attempt, which counts as a failure until `succeed` is called.
    ///
    /// Concurrent attempts are therefore all counted. `network` is the network of the client's address.
    package func admit(_ target: Target?, from network: String?) -> Decision {
        let now = now()
        return memory.withLock { memory in
            if let network, case .limited(let wait, let reason, let isFirst) = memory.take(network, now) {
                return .limited(retryAfter: wait, reason, isFirst: isFirst)
            }
            guard let target else { return .admitted }
            return memory.take(Attempt(target: target, network: network), now)
        }
    }

    /// Clears the failures of a network at an account after a successful sign-in.
    package func succeed(_ target: Target, from network: String?) {
        let now = now()
        memory.withLock { memory in
            let attempt = Attempt(target: target, network: network)
            if target.isKnown { memory.known[attempt] = nil } else { memory.unknown[attempt] = nil }
            guard case .account = target else { return }
            var budget = memory[budgetOf: target, now]
            budget.left = min(Double(SignInLimiter.accountFailures), budget.left + 1)
            memory[budgetOf: target, now] = budget
            guard let network else { return }
            var networks = memory.familiar[target] ?? [:]
            if networks[network] == nil, networks.count >= SignInLimiter.familiarNetworks,
                let oldest = networks.min(by: { $0.value < $1.value })
            {
                networks[oldest.key] = nil
            }
            networks[network] = now
            memory.familiar[target] = networks
        }
    }

    /// The number of remembered attempts and addresses; for tests.
    var size: Int { memory.withLock { $0.known.count + $0.unknown.count + $0.addresses.count } }

    fileprivate static func makeRoom<Key, Value>(in table: inout [Key: Value], _ newest: (Value) -> Int64) {
        guard table.count >= remembered, let oldest = table.min(by: { newest($0.value) < newest($1.value) }) else {
            return
        }
        table[oldest.key] = nil
    }
}

extension SignInLimiter.Memory {
    fileprivate mutating func take(_ attempt: SignInLimiter.Attempt, _ now: Int64) -> SignInLimiter.Decision {
        var failures = self[attempt]
        if now - failures.newest > SignInLimiter.memory { failures = SignInLimiter.Failures() }
        if now < failures.blockedUntil {
            let isFirst = !failures.isReported
            failures.isReported = true
            self[attempt] = failures
            return .limited(retryAfter: (failures.blockedUntil - now).wholeSeconds, .account, isFirst: isFirst)
        }
        if let limited = spend(attempt, now) { return limited }
        failures.count += 1
        failures.newest = now
        failures.isReported = false
        if failures.count >= SignInLimiter.freeFailures {
            let delay = 1 << min(20, failures.count - SignInLimiter.freeFailures)
            failures.blockedUntil = now + Int64(min(SignInLimiter.longestDelay, delay)) * 1_000_000
        }
        self[attempt] = failures
        return .admitted
    }

    /// Takes one failure from the account's budget for all networks; returns nil if the attempt may proceed.
    private mutating func spend(_ attempt: SignInLimiter.Attempt, _ now: Int64) -> SignInLimiter.Decision? {
        switch attempt.target {
        case .current, .channelTest: return nil
        case .account, .unknown: break
        }
        var budget = self[budgetOf: attempt.target, now]
        budget.refill(now)
        defer { self[budgetOf: attempt.target, now] = budget }
        let seen = attempt.network.flatMap { familiar[attempt.target]?[$0] }
        if let seen, now - seen < SignInLimiter.familiarity { return nil }
        guard budget.left >= 1 else {
            let isFirst = !budget.isReported
            budget.isReported = true
            let missing = (1 - budget.left) / Double(SignInLimiter.accountFailuresPerHour) * 3_600_000_000
            return .limited(retryAfter: Int64(missing).wholeSeconds, .account, isFirst: isFirst)
        }
        budget.left -= 1
        budget.isReported = false
        return nil
    }

    fileprivate mutating func take(_ name: String, _ now: Int64) -> SignInLimiter.Decision {
        if addresses[name] == nil { SignInLimiter.makeRoom(in: &addresses) { $0.newest } }
        var address = addresses[name] ?? SignInLimiter.Address(newest: now)
        address.refill(now)
        defer { addresses[name] = address }
        guard address.left >= 1 else {
            let missing = (1 - address.left) / Double(SignInLimiter.perMinute) * 60_000_000
            let isFirst = !address.isReported
            address.isReported = true
            return .limited(retryAfter: Int64(missing).wholeSeconds, .address, isFirst: isFirst)
        }
        address.left -= 1
        address.isReported = false
        return .admitted
    }
}

extension SignInLimiter.Target {
    fileprivate var isKnown: Bool { if case .unknown = self { false } else { true } }
}

extension Int64 {
    /// Microseconds as seconds, rounded up.
    fileprivate var wholeSeconds: Int { Int((self + 999_999) / 1_000_000) }
}
