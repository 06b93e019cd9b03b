/// A value that reports its approximate size in bytes.
protocol Sized: Sendable {
    var byteCount: Int { get }
}

/// A cache that evicts unused values when the total size exceeds a limit.
///
/// It has two generations. A value that is used moves to the young generation. When the young generation reaches half
/// of the maximum size, it becomes the old generation, and the previous old generation is discarded. This needs neither
/// an ordered list nor a sweep.
struct AgingStore<Key: Hashable & Sendable, Value: Sized>: Sendable {
    private let maximumBytes: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngBytes = 0

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    var count: Int { young.count + old.count }

    /// Returns the value of a key, and moves it to the young generation.
    mutating func value(of key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        put(value, for: key)
        return value
    }

    func contains(_ key: Key) -> Bool { young[key] != nil || old[key] != nil }

    /// Changes or creates the value of a key; removes it if it is nil afterwards.
    mutating func update(_ key: Key, _ change: (inout Value?) -> Void) {
        var value = take(key)
        change(&value)
        if let value { put(value, for: key) }
    }

    mutating func remove(_ key: Key) {
        _ = take(key)
    }

    private mutating func put(_ value: Value, for key: Key) {
        let bytes = value.byteCount
        // A value larger than half of the limit is not cached: it would evict all others.
        guard bytes <= maximumBytes / 2 else { return }
        if youngBytes + bytes > maximumBytes / 2 {
            old = young
            (young, youngBytes) = ([:], 0)
        }
        young[key] = value
        youngBytes += bytes
    }

    private mutating func take(_ key: Key) -> Value? {
        if let value = young.removeValue(forKey: key) {
            youngBytes -= value.byteCount
            return value
        }
        return old.removeValue(forKey: key)
    }
}
