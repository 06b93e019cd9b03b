import HealthJournal

/// Reads a form (RFC 7578) from bytes that anybody may have sent.
struct FormReader {
    private let body: [UInt8]
    private let delimiter: [UInt8]

    /// A line that is a delimiter.
    private struct Delimiter {
        /// With the line break before it.
        let range: Range<Int>
        let isLast: Bool
    }

    /// The parts of a form, in their order.
    static func parts(of body: [UInt8], _ boundary: FormBoundary) throws(JournalError) -> [FormPart] {
        try FormReader(body: body, delimiter: boundary.delimiter).parts()
    }

    private func parts() throws(JournalError) -> [FormPart] {
        guard var last = delimiter(from: 0) else {
            throw JournalError(.invalid, "the body has none of the boundaries that its Content-Type names")
        }
        var parts: [FormPart] = []
        while !last.isLast {
            guard parts.count < BodyLimits.formParts else {
                throw JournalError(.invalid, "a form has \(BodyLimits.formParts) parts at most")
            }
            // The line break that ends a delimiter may be the one before the next.
            guard let next = delimiter(from: last.range.upperBound - 2) else {
                throw JournalError(.invalid, "the form ends without its closing boundary: it did not come whole")
            }
            parts.append(try part(in: last.range.upperBound..<max(last.range.upperBound, next.range.lowerBound)))
            last = next
        }
        return parts
    }

    /// A part: its header, an empty line, its bytes.
    private func part(in range: Range<Int>) throws(JournalError) -> FormPart {
        // A header that is empty is its empty line alone.
        var index = range.lowerBound
        let end = min(range.upperBound, range.lowerBound + BodyLimits.partHeadBytes)
        if isLineBreak(at: index, before: end) {
            return try FormPart(head: [], bytes: body[(index + 2)..<range.upperBound])
        }
        while index < end {
            if isLineBreak(at: index, before: end), isLineBreak(at: index + 2, before: end) {
                return try FormPart(head: body[range.lowerBound..<index], bytes: body[(index + 4)..<range.upperBound])
            }
            index += 1
        }
        throw JournalError(
            .invalid,
            "a part of the form has no empty line behind its header within \(BodyLimits.partHeadBytes) bytes"
        )
    }

    /// The first delimiter that begins at or behind a place.
    ///
    /// It takes a line of its own: bytes of a file that begin like it are the file's.
    private func delimiter(from start: Int) -> Delimiter? {
        var index = start
        while index < body.count {
            if let found = delimiter(at: index) { return found }
            index += 1
        }
        return nil
    }

    private func delimiter(at start: Int) -> Delimiter? {
        var index = start
        if isLineBreak(at: start, before: body.count) {
            index += 2
        } else if start > 0 {
            return nil
        }
        guard body.count - index >= delimiter.count else { return nil }
        for (offset, byte) in delimiter.enumerated() where body[index + offset] != byte { return nil }
        index += delimiter.count
        let isLast = body.count - index >= 2 && body[index] == Byte.hyphen && body[index + 1] == Byte.hyphen
        if isLast { index += 2 }
        // What a mail gateway may have put behind it.
        while index < body.count, body[index] == Byte.space || body[index] == Byte.tab { index += 1 }
        if isLineBreak(at: index, before: body.count) { return Delimiter(range: start..<(index + 2), isLast: isLast) }
        return isLast && index == body.count ? Delimiter(range: start..<index, isLast: true) : nil
    }

    private func isLineBreak(at index: Int, before end: Int) -> Bool {
        end - index >= 2 && body[index] == Byte.carriageReturn && body[index + 1] == Byte.lineFeed
    }
}
