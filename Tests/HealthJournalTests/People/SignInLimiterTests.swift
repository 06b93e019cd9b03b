import Foundation
import HealthJournal
import HealthModel
import Platform
import Testing

@testable import JournalCore

@Suite("Limits on sign-in attempts")
struct SignInLimiterTests {
    private final class Clock: Sendable {
        let seconds = Guarded<Int64>(1_000_000)
        func pass(_ more: Int64) { seconds.withLock { $0 += more } }
        var now: Int64 { seconds.withLock { $0 } * 1_000_000 }
    }

    private let clock = Clock()
    private let limiter: SignInLimiter
    private let anna = SignInLimiter.Target.account(UUID())

    init() {
        let clock = clock
        limiter = SignInLimiter { clock.now }
    }

    private func fail(_ times: Int, at target: SignInLimiter.Target) {
        for _ in 0..<times { #expect(limiter.admit(target, from: nil) == .admitted) }
    }

    @Test("From the fifth failure on, each failure doubles the delay, up to 15 minutes")
    func delayGrows() {
        for target in [anna, .unknown([1, 2, 3])] {
            fail(5, at: target)
            var waits: [Int] = []
            for _ in 0..<13 {
                guard case .limited(let wait, .account, _) = limiter.admit(target, from: nil) else {
                    Issue.record("was admitted too early")
                    break
                }
                waits.append(wait)
                clock.pass(Int64(wait))
                #expect(limiter.admit(target, from: nil) == .admitted)
            }
            #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
        }
    }

    @Test("Only the first refusal after an admitted attempt is marked as the first")
    func firstRefusal() {
        fail(5, at: anna)
        #expect(limiter.admit(anna, from: nil) == .limited(retryAfter: 1, .account, isFirst: true))
        #expect(limiter.admit(anna, from: nil) == .limited(retryAfter: 1, .account, isFirst: false))
        clock.pass(1)
        fail(1, at: anna)
        #expect(limiter.admit(anna, from: nil) == .limited(retryAfter: 2, .account, isFirst: true))
    }

    @Test("Failures are forgotten after a successful sign-in, and after a day without another")
    func forgetsFailures() {
        fail(5, at: anna)
        limiter.succeed(anna, from: nil)
        fail(5, at: anna)
        clock.pass(86_401)
        fail(5, at: anna)
    }

    @Test("A network may make 20 attempts per minute, no matter which accounts they target")
    func limitsNetwork() {
        for number in 0..<20 {
            #expect(limiter.admit(.unknown([UInt8(number)]), from: "192.0.2.1") == .admitted)
        }
        #expect(limiter.admit(anna, from: "192.0.2.1") == .limited(retryAfter: 3, .address, isFirst: true))
        #expect(limiter.admit(nil, from: "192.0.2.1") == .limited(retryAfter: 3, .address, isFirst: false))
        #expect(limiter.admit(anna, from: "192.0.2.2") == .admitted)
        clock.pass(3)
        #expect(limiter.admit(nil, from: "192.0.2.1") == .admitted)
        #expect(limiter.admit(nil, from: "192.0.2.1") == .limited(retryAfter: 3, .address, isFirst: true))
        clock.pass(60)
        for _ in 0..<20 { #expect(limiter.admit(nil, from: "192.0.2.1") == .admitted) }
    }

    @Test("Attempts that the limit of a network refuses do not count against the account")
    func doesNotChargeAccount() {
        for number in 0..<20 { _ = limiter.admit(.unknown([UInt8(number)]), from: "192.0.2.1") }
        for _ in 0..<100 { _ = limiter.admit(anna, from: "192.0.2.1") }
        clock.pass(60)
        for _ in 0..<5 { #expect(limiter.admit(anna, from: "192.0.2.1") == .admitted) }
    }

    @Test("The tables of unknown names and of networks do not grow beyond their limit")
    func limitsMemory() {
        for number in 0..<(SignInLimiter.remembered + 500) {
            clock.pass(1)
            let bytes = [UInt8(number & 0xff), UInt8(number >> 8)]
            _ = limiter.admit(.unknown(bytes), from: "address \(number)")
        }
        #expect(limiter.size == 2 * SignInLimiter.remembered)
    }

    @Test("Attempts at many unknown names do not evict the failures of a known account")
    func keepsKnownAccounts() {
        fail(5, at: anna)
        for number in 0..<(SignInLimiter.remembered + 1) {
            _ = limiter.admit(.unknown([UInt8(number & 0xff), UInt8(number >> 8)]), from: nil)
        }
        #expect(limiter.admit(anna, from: nil) == .limited(retryAfter: 1, .account, isFirst: true))
    }

    @Test("Failures from one network do not lock out the account's holder in another")
    func networks() {
        for _ in 0..<20 { _ = limiter.admit(anna, from: "192.0.2.0/24") }
        guard case .limited = limiter.admit(anna, from: "192.0.2.0/24") else {
            Issue.record("a network may guess on and on")
            return
        }
        #expect(limiter.admit(anna, from: "198.51.100.0/24") == .admitted)
    }

    @Test("Failures from many networks are limited, except for networks of earlier sign-ins to the account")
    func manyNetworks() {
        #expect(limiter.admit(anna, from: "home") == .admitted)
        limiter.succeed(anna, from: "home")
        for number in 0..<SignInLimiter.accountFailures {
            #expect(limiter.admit(anna, from: "network \(number)") == .admitted)
        }
        let hour = 3_600 / SignInLimiter.accountFailuresPerHour
        #expect(limiter.admit(anna, from: "another") == .limited(retryAfter: hour, .account, isFirst: true))
        #expect(limiter.admit(anna, from: "one more") == .limited(retryAfter: hour, .account, isFirst: false))
        #expect(limiter.admit(anna, from: "home") == .admitted)
        clock.pass(Int64(hour))
        #expect(limiter.admit(anna, from: "another") == .admitted)
        clock.pass(31 * 86_400)
        for number in 0..<SignInLimiter.accountFailures { _ = limiter.admit(anna, from: "network \(number)") }
        guard case .limited = limiter.admit(anna, from: "home") else {
            Issue.record("a network is remembered for ever")
            return
        }
    }

    @Test("The current password has a separate counter")
    func current() {
        let id = UUID()
        fail(5, at: .account(id))
        #expect(limiter.admit(.current(id), from: nil) == .admitted)
        fail(4, at: .current(id))
        #expect(limiter.admit(.current(id), from: nil) == .limited(retryAfter: 1, .account, isFirst: true))
        limiter.succeed(.current(id), from: nil)
        #expect(limiter.admit(.account(id), from: nil) == .limited(retryAfter: 1, .account, isFirst: true))
    }
}
