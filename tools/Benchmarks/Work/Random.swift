import EventLog
import FoundationEssentials

/// A generator of random numbers that are the same in each run.
struct Random: RandomNumberGenerator, Sendable {
    private var state: UInt64
    private var time: Int64 = 1_700_000_000_000_000

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    /// Returns a time-ordered id, as the journal creates them; the time advances by a second with each id.
    mutating func id() -> UUID {
        time += 1_000_000
        return UUID.timeOrdered(microseconds: time, using: &self)
    }

    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % bound }
}
