import Foundation

/// Reads lines as they come, each of a bounded length; empty lines are passed over.
struct LineReader {
    struct Line {
        /// Counted from 1, empty lines included.
        let number: Int
        let bytes: [UInt8]
        /// The line was longer than is allowed; its bytes were thrown away.
        let isTooLong: Bool
    }

    private let handle: FileHandle
    private let maximumLength: Int
    private var ready: [Line] = []
    private var pending: [UInt8] = []
    private var isSkipping = false
    private var number = 0
    private var isAtEnd = false

    init(_ handle: FileHandle, maximumLength: Int) {
        self.handle = handle
        self.maximumLength = maximumLength
    }

    /// The lines that are there, waiting for at least one; nil at the end.
    mutating func next(atMost limit: Int) -> [Line]? {
        while ready.isEmpty, !isAtEnd {
            let chunk = handle.availableData
            isAtEnd = chunk.isEmpty
            var rest = chunk
            while let end = rest.firstIndex(of: 0x0A) {
                take(rest[..<end])
                finish()
                rest = rest[(end + 1)...]
            }
            take(rest)
            if isAtEnd { finish() }
        }
        if ready.isEmpty { return nil }
        let batch = Array(ready.prefix(limit))
        ready.removeFirst(batch.count)
        return batch
    }

    private mutating func take(_ part: Data) {
        if pending.count + part.count > maximumLength {
            isSkipping = true
            pending = []
        } else if !isSkipping {
            pending += part
        }
    }

    private mutating func finish() {
        number += 1
        if pending.last == 0x0D { pending.removeLast() }
        if isSkipping || !pending.isEmpty { ready.append(Line(number: number, bytes: pending, isTooLong: isSkipping)) }
        pending = []
        isSkipping = false
    }
}
