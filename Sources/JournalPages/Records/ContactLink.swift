internal import HealthModel

/// Links that call a telephone number or write an e-mail.
enum ContactLink {
    /// Returns the link of a field's text; nil if the field is of another type, or the text cannot be read exactly as a
    /// number or an address.
    static func of(_ text: String, _ path: FieldPath) -> String? {
        switch path.fields.last?.name {
        case EmergencyContact.phone.name: call(text)
        case EmergencyContact.email.name: write(text)
        default: nil
        }
    }

    /// The link of a number with the separators that people write, such as `+41 79 555 02 20` or `(031) 555-01-10`.
    ///
    /// The zero in `+41 (0)79` is not dialled, and an extension is not part of the number: neither is guessed.
    private static func call(_ text: String) -> String? {
        guard !text.contains("(0)"), text.allSatisfy({ $0.isASCII && $0.isNumber || " \u{A0}+()-./".contains($0) })
        else {
            return nil
        }
        let digits = text.filter(\.isNumber)
        guard digits.count >= 3, !text.dropFirst().contains("+") else { return nil }
        return "tel:\(text.hasPrefix("+") ? "+" : "")\(digits)"
    }

    private static func write(_ text: String) -> String? {
        text.wholeMatch(of: /[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+/) == nil ? nil : "mailto:\(text)"
    }
}
