internal import Interchange

extension String {
    /// The text as a browser sends it back that nobody touched.
    ///
    /// Signs that turn the reading direction are not shown as they are, a line takes no line break, and outer spaces are
    /// nobody's: what differs in no more than that was not changed.
    func returned(isLine: Bool) -> String {
        var returned = ""
        for scalar in replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\n": if !isLine { returned += "\n" }
            case "\t": returned += "\t"
            case _ where TerminalText.isUnsafe(scalar): returned += "\u{FFFD}"
            default: returned.unicodeScalars.append(scalar)
            }
        }
        return returned.withoutOuterSpaces
    }

    /// What was typed over a stored text: signs that the form showed as what they are not were not typed by anybody.
    func typed(over stored: String) -> String {
        if stored.unicodeScalars.contains("\u{FFFD}") { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{FFFD}" })).withoutOuterSpaces
    }
}

extension [FormField] {
    /// What was typed where it differs from what stood in these fields; elsewhere what stands there by now.
    package func rebased(_ typed: [String: String], onto latest: [FormField]) -> [String: String] {
        let old = Dictionary(map { ($0.name, $0.value.returned(isLine: !$0.isParagraphs)) }) { first, _ in first }
        var rebased = typed
        for field in latest where (typed[field.name] ?? "").withoutOuterSpaces == old[field.name, default: ""] {
            rebased[field.name] = field.value
        }
        return rebased
    }
}
