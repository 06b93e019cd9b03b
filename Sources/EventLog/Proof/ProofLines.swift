/// The lines of an untrusted text, each complete and valid UTF-8.
///
/// Notes and proofs are parsed as bytes: Swift treats a carriage return and a newline as one character, and different
/// Unicode encodings of a character as equal.
struct ProofLines {
    /// The lines without their newlines.
    let lines: [ArraySlice<UInt8>]
    /// The number of the first line, used in errors.
    let first: Int

    /// Splits a text, which must be UTF-8, end with a newline and contain no other control character below 0x20.
    init(_ bytes: ArraySlice<UInt8>, atMost limit: Int, first: Int = 1) throws(ProofError) {
        guard bytes.count <= limit else {
            throw ProofError(.malformed, "the text is longer than \(limit) bytes", line: first)
        }
        self.first = first
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        for (index, byte) in zip(bytes.indices, bytes) {
            let number = first + lines.count
            if byte == ProofLines.newline {
                guard String(validating: bytes[start..<index], as: UTF8.self) != nil else {
                    throw ProofError(.malformed, "it is not UTF-8", line: number)
                }
                lines.append(bytes[start..<index])
                start = index + 1
            } else if byte < 0x20 {
                throw ProofError(.malformed, "it contains a control character", line: number)
            }
        }
        guard start == bytes.endIndex, !lines.isEmpty else {
            throw ProofError(.malformed, "the text does not end in a newline", line: first + lines.count)
        }
        self.lines = lines
    }

    static let newline = UInt8(ascii: "\n")

    func number(_ index: Int) -> Int { first + index }

    /// Returns the text of a line, which was validated as UTF-8.
    func text(_ index: Int) -> String { String(decoding: lines[index], as: UTF8.self) }
}

extension ArraySlice<UInt8> {
    /// Returns what follows a word and a space, or nil if the line does not begin with them.
    func after(_ word: String) -> ArraySlice<UInt8>? {
        let start = Array((word + " ").utf8)
        return starts(with: start) ? dropFirst(start.count) : nil
    }
}

extension UInt64 {
    /// Parses a decimal number in canonical form: ASCII digits without a sign and without leading zeros.
    init?(canonical digits: some Collection<UInt8>) {
        guard let first = digits.first, digits.count <= 20, first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var value: UInt64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (tens, isTooLong) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !isTooLong, !isTooLarge else { return nil }
            value = sum
        }
        self = value
    }
}
