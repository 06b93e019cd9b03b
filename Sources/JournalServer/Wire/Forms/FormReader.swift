import HealthJournal
import HealthModel

/// Parses a form (RFC 7578) from untrusted bytes.
struct FormReader {
    private let body: [UInt8]
    private let delimiter: [UInt8]

    /// A delimiter line.
    private struct Delimiter {
        /// Includes the line breaks before and after the delimiter.
        let range: Range<Int>
        let isLast: Bool
    }

    /// Returns the parts of a form, in their order.
    static func parts(of body: [UInt8], _ boundary: FormBoundary) throws(JournalError) -> [FormPart] {
        try FormReader(body: body, delimiter: boundary.delimiter).parts()
    }

    private func parts() throws(JournalError) -> [FormPart] {
        guard var last = delimiter(from: 0) else {
            throw JournalError(.invalid, "the body does not contain the boundary that its Content-Type names")
        }
        var parts: [FormPart] = []
        while !last.isLast {
            guard parts.count < BodyLimits.formParts else {
                throw JournalError(.invalid, "a form may have at most \(BodyLimits.formParts) parts")
            }
            // The line break that ends this delimiter may also be the one before the next.
            guard let next = delimiter(from: last.range.upperBound - 2) else {
                throw JournalError(.invalid, "the form ends without its closing boundary: it is truncated")
            }
            parts.append(try part(in: last.range.upperBound..<max(last.range.upperBound, next.range.lowerBound)))
            last = next
        }
        return parts
    }

    /// Parses a part: its header, an empty line, its bytes.
    private func part(in range: Range<Int>) throws(JournalError) -> FormPart {
        // An empty header consists of its empty line alone.
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
            "a part of the form has no empty line after its header within \(BodyLimits.partHeadBytes) bytes"
        )
    }

    /// Returns the first delimiter that begins at or after an index.
    ///
    /// A delimiter takes a whole line: bytes of a file that only begin like one belong to the file.
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
        // A mail gateway may have appended white space.
        while index < body.count, body[index] == Byte.space || body[index] == Byte.tab { index += 1 }
        if isLineBreak(at: index, before: body.count) { return Delimiter(range: start..<(index + 2), isLast: isLast) }
        return isLast && index == body.count ? Delimiter(range: start..<index, isLast: true) : nil
    }

    private func isLineBreak(at index: Int, before end: Int) -> Bool {
        end - index >= 2 && body[index] == Byte.carriageReturn && body[index + 1] == Byte.lineFeed
    }
}
