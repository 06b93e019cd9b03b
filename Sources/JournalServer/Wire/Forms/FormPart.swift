import Foundation
import HealthJournal
import HealthModel

/// A part of a form: a field, or a file.
struct FormPart {
    let name: String
    /// Nil for a field; empty for a file field in which no file was chosen.
    let filename: String?
    let mediaType: String?
    let bytes: ArraySlice<UInt8>

    /// Parses a part from its header, without the empty line after it, and its bytes.
    init(head: ArraySlice<UInt8>, bytes: ArraySlice<UInt8>) throws(JournalError) {
        let headers = try FormPart.headers(head)
        let disposition = try HeaderValue(headers["content-disposition"] ?? "")
        guard disposition.value == "form-data", let name = disposition["name"] else {
            throw JournalError(.invalid, "each part of a form needs a header Content-Disposition: form-data; name=…")
        }
        let encoding = headers["content-transfer-encoding"]?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else {
            throw JournalError(
                .invalid,
                field: FormPart.shown(name),
                "must be sent without an encoding (RFC 7578)"
            )
        }
        self.name = FormPart.decoded(name)
        filename = try FormPart.filename(disposition)
        mediaType = headers["content-type"]
        self.bytes = bytes
    }

    /// The part's text; throws if it is not UTF-8.
    func text() throws(JournalError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JournalError(.invalid, field: FormPart.shown(name), "must be text in UTF-8")
        }
        return text
    }

    /// Shortens a name from a client for an error message.
    static func shown(_ name: String) -> String { String(name.unicodeScalars.prefix(40).map(Character.init)) }

    private static func headers(_ head: ArraySlice<UInt8>) throws(JournalError) -> [String: String] {
        var headers: [String: String] = [:]
        // Splitting at carriage returns leaves each line feed at the start of the next line.
        for line in head.split(separator: Byte.carriageReturn) {
            var line = line
            if line.first == Byte.lineFeed { line.removeFirst() }
            guard let colon = line.firstIndex(of: Byte.colon), colon > line.startIndex,
                !line.contains(where: { $0 < Byte.space && $0 != Byte.tab }),
                line.first != Byte.space, line.first != Byte.tab,
                let value = String(validating: line[(colon + 1)...], as: UTF8.self)
            else {
                throw JournalError(.invalid, "the header of a part of the form cannot be read")
            }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            guard headers.updateValue(value.trimming(\.isWhitespace), forKey: name) == nil else {
                throw JournalError(.invalid, "a part of the form has two headers \(FormPart.shown(name))")
            }
        }
        return headers
    }

    /// The name of a file, without the directories in it.
    private static func filename(_ disposition: HeaderValue) throws(JournalError) -> String? {
        var name = disposition["filename"].map(decoded)
        // Forms must not use it (RFC 7578, section 4.2), but some clients send it for names that are not ASCII.
        if let extended = disposition["filename*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].lowercased() == "utf-8",
                let text = String(parts[2]).removingPercentEncoding
            else { throw JournalError(.invalid, "the name of a file must be in UTF-8") }
            name = text
        }
        guard let name else { return nil }
        return name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    }

    /// Decodes a name as browsers encode it: only quotation marks and line breaks are escaped.
    private static func decoded(_ name: String) -> String {
        name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}
