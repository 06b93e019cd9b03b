/// The checks that every text must pass, in whichever field it is.
package enum TextCheck {
    /// Returns a received text with each CR LF replaced by LF; throws if the text is too long.
    ///
    /// The length is that of the text as received, which is also what a schema limits. A CR without LF is left in the
    /// text, and `check` refuses it.
    package static func received(
        _ text: String,
        field: String?,
        maximum: Int
    ) throws(ModelError) -> String {
        guard text.utf8.count <= maximum else {
            throw ModelError(.invalid, field: field, "is longer than \(maximum) bytes")
        }
        return text.withUnixLines
    }

    /// Throws if a text is too long or contains control characters.
    package static func check(_ text: String, field: String, maximum: Int) throws(ModelError) {
        if text.utf8.count > maximum {
            throw ModelError(.invalid, field: field, "is longer than \(maximum) bytes")
        }
        if text.unicodeScalars.contains(where: refuses) {
            throw ModelError(.invalid, field: field, "contains control characters")
        }
    }

    /// Whether a scalar is a control character other than LF and tab, or a Unicode noncharacter.
    ///
    /// Directional marks are accepted: names in Arabic and numbers copied from a telephone contain them.
    package static func refuses(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a: false
        case 0..<0x20, 0x7f..<0xa0: true
        case 0xfdd0...0xfdef: true
        default: scalar.value & 0xfffe == 0xfffe
        }
    }

    /// Checks the form of an IANA identifier of a time zone, such as `Europe/Berlin`.
    ///
    /// Whether the zone exists is checked where the machine's table of zones is known.
    static func check(zone text: String) throws(ModelError) {
        let isName = text.utf8.allSatisfy { byte in
            byte.isDigit || byte.isLetter || "/_+-".utf8.contains(byte)
        }
        guard isName, (1...64).contains(text.utf8.count), !text.hasPrefix("/") else {
            throw ModelError(.invalid, "not a time zone: write its IANA name, such as Europe/Berlin")
        }
    }
}

extension String {
    /// The text with each CR LF replaced by LF: browsers send the line breaks of a form as CR LF.
    package var withUnixLines: String {
        guard utf8.contains(0x0D) else { return self }
        return split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
    }

    /// The text without spaces around it.
    var trimmed: String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else {
            return ""
        }
        return String(self[start...end])
    }
}
