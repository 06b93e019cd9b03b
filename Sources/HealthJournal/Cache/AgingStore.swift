/// What says how many bytes it takes, about.
protocol Sized: Sendable {
    var byteCount: Int { get }
}

/// Values by key, of which those that nobody asks for are let go of when there are too many bytes.
///
/// Two generations: what is used moves to the younger one, and when that has half of the bytes it becomes the older, and
/// the older is gone. No list to keep in order, and no sweep.
struct AgingStore<Key: Hashable & Sendable, Value: Sized>: Sendable {
    private let maximumBytes: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngBytes = 0

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    var count: Int { young.count + old.count }

    /// The value of a key, which thereby is young again.
    mutating func value(of key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        put(value, for: key)
        return value
    }

    func contains(_ key: Key) -> Bool { young[key] != nil || old[key] != nil }

    /// Changes a value, or makes it; what is nil afterwards is gone.
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
        // One that has no room is not worth all the others.
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
