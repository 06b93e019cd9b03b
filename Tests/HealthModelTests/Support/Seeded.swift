import Testing

/// A random number generator with a seed.
///
/// The seed is printed for each property, and taken from `HEALTHJOURNAL_SEED` to repeat a failure.
struct Seeded: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Returns the next number of SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func bool() -> Bool { Bool.random(using: &self) }

    mutating func pick<Element>(_ elements: [Element]) throws -> Element {
        try #require(elements.randomElement(using: &self))
    }
}

/// Checks a property repeatedly with random values, and prints the seed.
func checkProperty(
    _ name: String,
    times: Int = 500,
    _ property: (inout Seeded, Comment) throws -> Void
) throws {
    let seed = Seeds.given ?? UInt64.random(in: 1...UInt64.max)
    print("\(name): HEALTHJOURNAL_SEED=\(seed)")
    var random = Seeded(seed: seed)
    for iteration in 0..<times {
        try property(&random, "\(name): HEALTHJOURNAL_SEED=\(seed), iteration \(iteration)")
    }
}
