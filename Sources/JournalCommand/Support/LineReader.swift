import Foundation

/// Reads lines of bounded length as they arrive, and skips empty lines.
struct LineReader {
    struct Line {
        /// The line number, counted from 1 and including empty lines.
        let number: Int
        let bytes: [UInt8]
        /// Whether the line exceeded the maximum length; its bytes were discarded.
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

    /// Returns the lines that have arrived, waiting for at least one; nil at the end of the input.
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
