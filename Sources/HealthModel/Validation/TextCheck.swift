/// What every text must be, whichever field it stands in.
package enum TextCheck {
    /// Refuses a text that is too long or holds control characters.
    package static func check(_ text: String, field: String, maximum: Int) throws(ModelError) {
        if text.utf8.count > maximum {
            throw ModelError(.invalid, field: field, "is longer than \(maximum) bytes")
        }
        if text.unicodeScalars.contains(where: \.isRefused) {
            throw ModelError(.invalid, field: field, "holds control characters")
        }
    }
}

extension Unicode.Scalar {
    /// Controls other than line breaks and tabs, and code points that Unicode keeps from being characters.
    ///
    /// Marks of direction are taken: names in Arabic and numbers copied from a telephone hold them.
    fileprivate var isRefused: Bool {
        switch value {
        case 0x09, 0x0a: false
        case 0..<0x20, 0x7f..<0xa0: true
        case 0xfdd0...0xfdef: true
        default: value & 0xfffe == 0xfffe
        }
    }
}
