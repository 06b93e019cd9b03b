internal import Foundation

/// A generator that repeats its random numbers for the same seed, which it prints: HEALTHJOURNAL_SEED=… repeats a
/// failure.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(_ test: String = #function) {
        let given = ProcessInfo.processInfo.environment["HEALTHJOURNAL_SEED"].flatMap { UInt64($0) }
        self.init(seed: given ?? UInt64.random(in: 0...UInt64(UInt32.max)))
        print("\(test): HEALTHJOURNAL_SEED=\(seed)")
    }

    /// Creates a generator whose numbers are always the same.
    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `bound - 1`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
