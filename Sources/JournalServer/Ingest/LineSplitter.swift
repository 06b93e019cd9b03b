import NIOCore

/// Splits a body that arrives in pieces into lines; holds at most one piece and the start of a line in memory.
struct LineSplitter {
    struct Line {
        let number: Int
        /// Nil if the line was longer than the limit; the rest of it was skipped.
        let bytes: [UInt8]?
    }

    let maximumLength: Int
    private var number = 1
    private var pending: [UInt8] = []
    private var isTooLong = false

    init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Returns the lines that a piece completes; blank lines are counted and left out.
    mutating func lines(of piece: ByteBuffer) -> [Line] {
        var lines: [Line] = []
        for part in piece.readableBytesView.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init) {
            // A line feed precedes each part but the first, so the previous line is complete.
            if !isFirst { end(&lines) }
            isFirst = false
            take(part)
        }
        isFirst = true
        return lines
    }

    private var isFirst = true

    /// Returns the last line, if no line feed ended it.
    mutating func rest() -> [Line] {
        var lines: [Line] = []
        end(&lines)
        return lines
    }

    private mutating func take(_ part: [UInt8]) {
        if isTooLong { return }
        if pending.count + part.count > maximumLength + 1 {
            isTooLong = true
            pending = []
        } else {
            pending += part
        }
    }

    private mutating func end(_ lines: inout [Line]) {
        if pending.last == 0x0D { pending.removeLast() }
        if isTooLong || pending.count > maximumLength {
            lines.append(Line(number: number, bytes: nil))
        } else if !pending.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            lines.append(Line(number: number, bytes: pending))
        }
        number += 1
        pending = []
        isTooLong = false
    }
}
