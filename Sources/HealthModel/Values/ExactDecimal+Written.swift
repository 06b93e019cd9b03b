extension ExactDecimal {
    /// Reads a number as people write it: with a decimal point or comma, and with spaces between groups of three digits.
    ///
    /// Nil for another text, and for one such as `250,000`, which may be a quarter of a million.
    package init?(written text: String) {
        let groups = text.split { " \u{A0}\u{202F}".contains($0) }
        // As in `1 200.5`: 1 to 3 digits, and then groups of 3.
        if let first = groups.first, groups.count > 1 {
            let isFirst = first.wholeMatch(of: /-?[0-9]{1,3}/) != nil
            let areMiddle = groups.dropFirst().dropLast().allSatisfy { $0.wholeMatch(of: /[0-9]{3}/) != nil }
            guard isFirst, areMiddle, groups.last?.wholeMatch(of: /[0-9]{3}([.,][0-9]+)?/) != nil else { return nil }
        }
        var plain = groups.joined()
        if let comma = plain.firstIndex(of: ",") {
            let decimals = plain[comma...].dropFirst()
            let isPlain = groups.count > 1 || ["0", "-0"].contains(String(plain[..<comma]))
            if decimals.count == 3, !isPlain { return nil }
            plain.replaceSubrange(comma...comma, with: ".")
        }
        guard let number = try? ExactDecimal(parsing: plain) else { return nil }
        self = number
    }
}
