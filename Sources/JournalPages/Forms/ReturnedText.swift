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
}
