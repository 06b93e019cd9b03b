internal import HealthModel

/// Suggests the value that was probably meant, if an option or an argument takes one of several.
enum MistypedValueHint {
    /// Whether an error of the parser is about a value.
    static func isOfValue(_ message: String) -> Bool { message.hasPrefix("The value '") }

    /// Returns the hint for an error of the parser, which names the value and those that are possible; nil for any other
    /// error, and if no possible value is similar.
    static func text(for message: String) -> String? {
        // A list of a few values is in one line, with quotes; a longer one has a line for each value.
        let form = /The value '(.*)' is invalid for '.*'\. Please provide one of (.*)/
        guard let found = message.firstMatch(of: form) else { return nil }
        let listed = message[found.0.endIndex...].split(separator: "\n").filter { $0.hasPrefix("  - ") }
        let values = found.2.matches(of: /'([^']*)'/).map { String($0.1) } + listed.map { String($0.dropFirst(4)) }
        return Spelling.nearest(to: String(found.1), among: values)
            .map { "'\(found.1)' is unknown. Did you mean '\($0)'?" }
    }
}
