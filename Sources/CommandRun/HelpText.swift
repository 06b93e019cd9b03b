/// The text that `--help` prints.
package enum HelpText {
    /// The title of the options that most commands have.
    package static let commonOptions = "Common options"

    /// Returns a help text with the common options behind the command's own ones.
    ///
    /// The parser prints sections with a title first.
    static func withCommonOptionsLast(_ text: String) -> String {
        let end = text.lastIndex { $0 != "\n" }.map(text.index(after:)) ?? text.startIndex
        var sections = text[..<end].split(separator: "\n\n", omittingEmptySubsequences: false)
        guard let common = sections.firstIndex(where: { $0.hasPrefix("\(commonOptions.uppercased()):\n") }),
            let own = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }), common < own
        else { return text }
        sections.insert(sections.remove(at: common), at: own)
        return sections.joined(separator: "\n\n") + text[end...]
    }
}
