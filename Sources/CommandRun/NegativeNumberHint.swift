/// Explains why a number below 0 is not taken as an argument.
enum NegativeNumberHint {
    /// Returns the hint for the arguments of a command that could not be parsed; nil if none is such a number.
    static func text(for arguments: [String]) -> String? {
        let own = arguments.prefix { $0 != "--" }
        guard let number = own.first(where: { $0.wholeMatch(of: /-[0-9.,]*[0-9]/) != nil }) else { return nil }
        return "'\(number)' is read as an option. Put -- before a number below 0, behind all options: -- \(number)"
    }
}
