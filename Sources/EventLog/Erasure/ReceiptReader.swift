internal import FoundationEssentials

/// Reads the lines of a receipt in order; each must have the expected form.
struct ReceiptReader {
    private let text: [UInt8]
    private let all: ProofLines
    private var next = 1

    init(_ text: [UInt8]) throws(ProofError) {
        self.text = text
        all = try ProofLines(text[...], atMost: SignedNote.maximumBytes)
        guard all.lines[0].elementsEqual(ErasureReceipt.header.utf8) else {
            throw ProofError(.malformed, "a receipt of an erasure begins with \(ErasureReceipt.header)", line: 1)
        }
    }

    mutating func id(_ word: String) throws(ProofError) -> UUID {
        let text = String(decoding: try value(word), as: UTF8.self)
        // Only one spelling is accepted, so that a signed text cannot be read in two ways.
        guard let id = UUID(uuidString: text), id.uuidString.lowercased().utf8.elementsEqual(text.utf8) else {
            throw malformed("expected `\(word)` and an id in lower case")
        }
        next += 1
        return id
    }

    /// Reads an id if the next line has it, and nil otherwise.
    mutating func optionalID(_ word: String) throws(ProofError) -> UUID? {
        guard next < all.lines.count, all.lines[next].after(word) != nil else { return nil }
        return try id(word)
    }

    /// The number of the line that was read last.
    var lastLine: Int { all.number(next - 1) }

    mutating func time(_ word: String) throws(ProofError) -> String {
        let text = try value(word)
        guard ReceiptReader.isTime(text) else { throw malformed("expected `\(word)` and an RFC 3339 time in UTC") }
        next += 1
        return String(decoding: text, as: UTF8.self)
    }

    mutating func number(_ word: String) throws(ProofError) -> UInt64 {
        guard let number = UInt64(canonical: try value(word)) else {
            throw malformed("expected `\(word)` and a decimal number")
        }
        next += 1
        return number
    }

    mutating func copies() throws(ProofError) -> [ErasureReceipt.Copy] {
        var copies: [ErasureReceipt.Copy] = []
        while next < all.lines.count, let text = all.lines[next].after("copy") {
            let parts = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 3, ReceiptReader.isWord(parts[0]), ReceiptReader.isWord(parts[2]),
                copies.count < ErasureReceipt.maximumCopies
            else {
                throw malformed("expected `copy`, a word, an id or -, and a word")
            }
            let id = UUID(uuidString: parts[1])
            guard parts[1] == id?.uuidString.lowercased() ?? "-" else {
                throw malformed("expected the id of a copy in lower case, or -")
            }
            copies.append(ErasureReceipt.Copy(what: parts[0], id: id, fate: parts[2]))
            next += 1
        }
        return copies
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
    }

    mutating func backups() throws(ProofError) -> [ErasureReceipt.Backup] {
        var backups: [ErasureReceipt.Backup] = []
        while next < all.lines.count, let text = all.lines[next].after("backup") {
            let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, ReceiptReader.isTime(parts[0]), let head = UInt64(canonical: parts[1]),
                !parts[2].isEmpty, backups.count < ErasureReceipt.maximumBackups, let place = plain(parts[2])
            else {
                throw malformed("expected `backup`, a time, a position and a location")
            }
            backups.append(
                ErasureReceipt.Backup(madeAt: String(decoding: parts[0], as: UTF8.self), head: head, place: place)
            )
            next += 1
        }
        return backups
    }

    /// Reads the proof, which follows the explanation for the person.
    mutating func proof() throws(ProofError) -> InclusionProof {
        guard next < all.lines.count, all.lines[next].isEmpty else {
            throw malformed("expected a blank line after the receipt's data")
        }
        while next < all.lines.count {
            let line = all.lines[next]
            if line.elementsEqual(InclusionProof.header.utf8) {
                do throws(ProofError) {
                    return try InclusionProof(parsing: Array(text[line.startIndex...]))
                } catch {
                    throw ProofError(error.code, error.message, line: error.line.map { $0 + next })
                }
            }
            next += 1
        }
        throw ProofError(.malformed, "the receipt contains no proof", line: all.number(all.lines.count - 1))
    }

    private func value(_ word: String) throws(ProofError) -> ArraySlice<UInt8> {
        guard next < all.lines.count, let value = all.lines[next].after(word) else {
            throw malformed("expected `\(word)`")
        }
        return value
    }

    private func malformed(_ message: String) -> ProofError {
        ProofError(.malformed, message, line: all.number(min(next, all.lines.count - 1)))
    }

    /// Decodes an escaped place; returns nil if it is not escaped in the canonical form.
    private func plain(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard let place = String(validating: bytes, as: UTF8.self),
            ErasureReceipt.escaped(place).utf8.elementsEqual(text)
        else { return nil }
        return place
    }

    /// Reports whether a text has the form 2026-11-21T10:00:00Z, with or without a fraction of a second.
    private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        let form = Array("0000-00-00T00:00:00".utf8)
        guard text.count > form.count, text.count <= form.count + 8, text.last == UInt8(ascii: "Z") else {
            return false
        }
        let body = text.dropLast()
        for (byte, place) in zip(body, form) {
            guard place == UInt8(ascii: "0") ? byte.isDecimalDigit : byte == place else { return false }
        }
        let fraction = body.dropFirst(form.count)
        guard let point = fraction.first else { return true }
        return point == UInt8(ascii: ".") && fraction.count > 1 && fraction.dropFirst().allSatisfy(\.isDecimalDigit)
    }
}

extension UInt8 {
    fileprivate var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
