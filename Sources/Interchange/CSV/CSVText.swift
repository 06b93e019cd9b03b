package import HealthModel

/// The character encodings in which devices and spreadsheets write CSV files.
package enum CSVEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    /// The encoding of Windows in western Europe, which contains ISO 8859-1.
    case windows1252 = "windows-1252"

    /// Returns the encoding that a byte order mark names, UTF-8 if the bytes are valid as such, and else Windows-1252.
    package init(guessing bytes: [UInt8]) {
        self =
            if bytes.starts(with: [0xFF, 0xFE]) {
                .utf16LittleEndian
            } else if bytes.starts(with: [0xFE, 0xFF]) {
                .utf16BigEndian
            } else if String(validating: bytes, as: UTF8.self) != nil {
                .utf8
            } else {
                .windows1252
            }
    }

    /// Returns the text without a byte order mark; throws if the bytes are not valid in this encoding.
    package func decode(_ bytes: [UInt8]) throws(ModelError) -> String {
        let text: String? =
            switch self {
            case .utf8: String(validating: bytes, as: UTF8.self)
            case .utf16LittleEndian: Self.utf16(bytes, high: 1)
            case .utf16BigEndian: Self.utf16(bytes, high: 0)
            case .windows1252: Self.windows1252(bytes)
            }
        guard let text else { throw ModelError(.invalid, "is not text in the encoding \(rawValue)") }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static func utf16(_ bytes: [UInt8], high: Int) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2)
            .map { UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high]) }
        return String(validating: units, as: UTF16.self)
    }

    private static func windows1252(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes {
            let code = (0x80...0x9F).contains(byte) ? upperHalf[Int(byte) - 0x80] : UInt32(byte)
            // No value of the table is a surrogate.
            text.unicodeScalars.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        return text
    }

    /// The characters 0x80 to 0x9F, as the WHATWG Encoding Standard has them; all others are those of ISO 8859-1.
    private static let upperHalf: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

/// The lines of a CSV file (RFC 4180), divided into cells.
package struct CSVText: Sendable {
    package struct Line: Sendable {
        /// The number of the line in the file, from 1; that of its first line for one whose cells have line breaks.
        package var number: Int
        package var cells: [String]
    }

    /// Throws if a line has more or fewer cells than there are columns: a value would be cut or missing.
    ///
    /// Empty cells at the end of a line, and columns at the end that have no name, do not count.
    static func requireCells(of line: Line, columns names: [String]) throws(ModelError) {
        let cells = line.cells.count - line.cells.reversed().prefix { $0.trimmed.isEmpty }.count
        let named = names.count - names.reversed().prefix { $0.isEmpty }.count
        let field = "line \(line.number)"
        if cells > names.count {
            throw ModelError(
                .invalid,
                field: field,
                """
                has \(cells) cells, but there are \(names.count) columns: a value that contains the separator, such as a decimal \
                comma, must be in quotation marks
                """
            )
        }
        if line.cells.count < named {
            throw ModelError(
                .invalid,
                field: field,
                "has \(line.cells.count) of \(named) cells: the line may be cut off; empty cells need their separators too"
            )
        }
    }

    /// The lines that are not empty.
    package var lines: [Line]
    package var delimiter: UInt8
    /// Whether the first line only says what separates the cells, as in `sep=;`.
    package let hasSeparatorLine: Bool

    /// The delimiters that are tried if none is given.
    static let delimiters: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
    private static let maximumLines = 200_000
    fileprivate static let maximumCells = 1_000

    /// Divides a text; without a delimiter, the one that appears most in the first line is taken.
    package init(_ text: String, delimiter: UInt8? = nil) throws(ModelError) {
        let bytes = Array(text.utf8)
        let stated = Self.stated(bytes)
        hasSeparatorLine = stated != nil
        let delimiter = delimiter ?? stated ?? Self.guess(bytes)
        self.delimiter = delimiter
        var parser = Parser(bytes, delimiter)
        lines = []
        while let line = try parser.next() {
            if line.cells.allSatisfy(\.isEmpty) { continue }
            guard lines.count < Self.maximumLines else {
                throw ModelError(.invalid, "has more than \(Self.maximumLines) lines: split the file")
            }
            lines.append(line)
        }
    }

    /// The separator that a first line such as `sep=;` states, as spreadsheets understand it.
    private static func stated(_ bytes: [UInt8]) -> UInt8? {
        let line = bytes.prefix(16).prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != UInt8(ascii: "\"") }
        guard line.count == 5, String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        return delimiters.contains(line[4]) ? line[4] : nil
    }

    /// The separator that the first line with one has most often.
    private static func guess(_ bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == 0x0A || byte == 0x0D, !counts.isEmpty { break }
            if !isQuoted, delimiters.contains(byte) { counts[byte, default: 0] += 1 }
        }
        return delimiters.max { counts[$0, default: 0] < counts[$1, default: 0] }
            .flatMap { counts[$0] == nil ? nil : $0 } ?? delimiters[0]
    }

    private struct Parser {
        let bytes: [UInt8]
        let delimiter: UInt8
        var index = 0
        var line = 1

        init(_ bytes: [UInt8], _ delimiter: UInt8) { (self.bytes, self.delimiter) = (bytes, delimiter) }

        mutating func next() throws(ModelError) -> Line? {
            guard index < bytes.count else { return nil }
            var found = Line(number: line, cells: [])
            while true {
                found.cells.append(try cell())
                guard found.cells.count <= CSVText.maximumCells else {
                    throw ModelError(
                        .invalid,
                        field: "line \(found.number)",
                        "has more than \(CSVText.maximumCells) columns"
                    )
                }
                guard index < bytes.count else { return found }
                if bytes[index] == delimiter {
                    index += 1
                    continue
                }
                skipLineBreak()
                return found
            }
        }

        private var isAtEndOfCell: Bool {
            index == bytes.count || bytes[index] == delimiter || bytes[index] == 0x0A || bytes[index] == 0x0D
        }

        private mutating func cell() throws(ModelError) -> String {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                let start = index
                while !isAtEndOfCell { index += 1 }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            }
            let start = line
            var text: [UInt8] = []
            index += 1
            while true {
                guard index < bytes.count else {
                    throw ModelError(.invalid, field: "line \(start)", "has a quotation mark that is never closed")
                }
                let byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: "\"") {
                    guard index < bytes.count, bytes[index] == byte else { break }
                    index += 1
                }
                if byte == 0x0A { line += 1 }
                text.append(byte)
            }
            guard isAtEndOfCell else {
                throw ModelError(.invalid, field: "line \(line)", "has text behind a closing quotation mark")
            }
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func skipLineBreak() {
            if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
            index += 1
            line += 1
        }
    }
}
