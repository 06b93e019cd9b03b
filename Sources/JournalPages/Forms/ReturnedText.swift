internal import HealthModel
internal import Interchange

extension String {
    /// The text as a browser returns it when the user has not changed it.
    ///
    /// The form shows unsafe characters, such as those that change the text direction, as U+FFFD; a single-line field
    /// has no line breaks, and outer whitespace is ignored. A value that differs only in these respects was not
    /// changed.
    func returned(isLine: Bool) -> String {
        var returned = ""
        for scalar in withUnixLines.unicodeScalars {
            switch scalar {
            case "\n": if !isLine { returned += "\n" }
            case "\t": returned += "\t"
            case _ where TerminalText.isUnsafe(scalar): returned += "\u{FFFD}"
            default: returned.unicodeScalars.append(scalar)
            }
        }
        return returned.withoutOuterSpaces
    }

    /// Returns the typed text without the replacement characters that the form showed in place of unsafe ones.
    func typed(over stored: String) -> String {
        if stored.unicodeScalars.contains("\u{FFFD}") { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{FFFD}" })).withoutOuterSpaces
    }
}

extension [FormField] {
    /// Returns the typed values where they differ from these fields, and the values of `latest` for the other fields.
    package func rebased(_ typed: [String: String], onto latest: [FormField]) -> [String: String] {
        let old = Dictionary(map { ($0.name, $0.value.returned(isLine: !$0.isParagraphs)) }) { first, _ in first }
        var rebased = typed
        for field in latest where (typed[field.name] ?? "").withoutOuterSpaces == old[field.name, default: ""] {
            rebased[field.name] = field.value
        }
        return rebased
    }
}
