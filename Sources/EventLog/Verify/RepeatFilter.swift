/// A Bloom filter with six bits per mark, which finds marks that may have been added before, in bounded memory.
///
/// A candidate may be a false positive, with a probability of a few in ten million; a second pass over the log decides.
struct RepeatFilter {
    private static let bitsEach: UInt64 = 64
    private static let looks = 6
    /// 256 MiB; with more than 2²⁵ events there are fewer bits per event, and the second pass has more candidates to
    /// check.
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
