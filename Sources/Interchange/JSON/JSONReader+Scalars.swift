import HealthModel

extension JSONReader {
    /// Parses a number and returns its text.
    mutating func number() throws(ModelError) -> String {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if peek == UInt8(ascii: "I") { throw error("NaN and Infinity are not JSON numbers") }
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
            index += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        if let byte = peek, isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: ".") {
            throw error("this is not a JSON number")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(ModelError) {
        guard let byte = peek else { throw error("the document ends too early") }
        guard isDigit(byte) else { throw error("this is not a JSON number") }
        while let byte = peek, isDigit(byte) { index += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Parses a string, from its opening quotation mark to its closing one.
    mutating func string() throws(ModelError) -> String {
        index += 1
        let start = index
        // Most strings contain no escapes: they are one run of bytes.
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
        var text = try text(of: start..<index)
        while !take(UInt8(ascii: "\"")) {
            guard let byte = peek else { throw error("the document ends too early") }
            guard byte >= 0x20 else { throw error("a control character must be written as an escape") }
            if byte == UInt8(ascii: "\\") {
                text.unicodeScalars.append(try escape())
            } else {
                let run = index
                while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
                    index += 1
                }
                text += try self.text(of: run..<index)
            }
        }
        return text
    }

    private func text(of range: Range<Int>) throws(ModelError) -> String {
        // Three times as fast as String(validating:as:), which is generic and not specialised.
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else {
            throw error("the text is not valid UTF-8", at: range.lowerBound)
        }
        return String(copying: text)
    }

    private mutating func escape() throws(ModelError) -> Unicode.Scalar {
        let start = index
        index += 1
        guard let byte = peek else { throw error("the document ends too early") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw error("this escape is not defined in JSON", at: start)
        }
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // An unpaired surrogate cannot be encoded in UTF-8 and would be replaced by another character, so it is an
        // error.
        guard (0xD800..<0xDC00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw error("a surrogate pair is incomplete", at: start)
        }
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second) else { throw error("a surrogate pair is incomplete", at: start) }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw error("there is no such character", at: start) }
        return scalar
    }

    private mutating func hexadecimal() throws(ModelError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw error("the document ends too early") }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error("an escape \\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            index += 1
        }
        return value
    }
}
