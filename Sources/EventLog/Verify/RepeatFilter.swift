/// Finds what may have come before, in bounded memory: a Bloom filter of six bits each.
///
/// What it lets through may still be the first of its kind, by a chance of some in ten million; a second look at the log
/// tells.
struct RepeatFilter {
    private static let bitsEach: UInt64 = 64
    private static let looks = 6
    /// 256 MiB; beyond some 60 million events the second look has more to do.
    private static let maximumBits: UInt64 = 1 << 31

    private var words: [UInt64]
    private let mask: UInt64
    private(set) var candidates: Set<UInt64> = []

    init(events: UInt64) {
        var bits: UInt64 = 1 << 10
        while bits < RepeatFilter.maximumBits, bits / RepeatFilter.bitsEach < events { bits *= 2 }
        words = Array(repeating: 0, count: Int(bits / 64))
        mask = bits - 1
    }

    mutating func add(_ mark: UInt64) {
        let step = (mark >> 32 | mark << 32) | 1
        var bit = mark
        var isKnown = true
        for _ in 0..<RepeatFilter.looks {
            let (word, flag) = (Int((bit & mask) >> 6), UInt64(1) << (bit & 63))
            if words[word] & flag == 0 {
                isKnown = false
                words[word] |= flag
            }
            bit = bit &+ step
        }
        if isKnown { candidates.insert(mark) }
    }
}
