internal import Foundation

/// A generator that repeats its random numbers for the same seed, which it prints: HEALTHJOURNAL_SEED=… repeats a
/// failure.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(_ test: String = #function) {
        let given = ProcessInfo.processInfo.environment["HEALTHJOURNAL_SEED"].flatMap { UInt64($0) }
        state = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(test): HEALTHJOURNAL_SEED=\(state)")
    }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
