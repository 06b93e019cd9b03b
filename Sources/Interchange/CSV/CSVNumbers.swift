/// How the numbers of a file are written.
package struct CSVNumbers: Hashable, Sendable {
    /// The decimal sign: a point or a comma.
    package var decimal: UInt8
    /// What separates groups of three digits, if anything does.
    package var thousands: UInt8?

    package init(decimal: UInt8, thousands: UInt8? = nil) {
        (self.decimal, self.thousands) = (decimal, thousands)
    }

    package static let point = CSVNumbers(decimal: UInt8(ascii: "."), thousands: UInt8(ascii: ","))
    package static let comma = CSVNumbers(decimal: UInt8(ascii: ","), thousands: UInt8(ascii: "."))

    /// Returns the decimal sign with a name; nil for any other text.
    package static func sign(named name: String) -> UInt8? {
        switch name {
        case "point": point.decimal
        case "comma": comma.decimal
        default: nil
        }
    }

    /// Returns a number as JSON writes it, with the digits that it has; nil for other text.
    ///
    /// Groups must have three digits: otherwise a decimal sign could be taken for a separator of thousands.
    func canonical(_ text: String) -> String? {
        // A fixed space, also a narrow one, separates thousands as a space does, and an apostrophe may be typographic.
        var rest = Substring(
            text.trimmed.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
                .replacing("\u{2019}", with: "'")
        )
        let isNegative = rest.first == "-" || rest.first == "−"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        let parts = rest.utf8.split(separator: decimal, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ digits($0) }) else { return nil }
        var result = (isNegative ? "-" : "") + whole
        if parts.count == 2 {
            guard let fraction = Self.onlyDigits(parts[1]) else { return nil }
            result += "." + fraction
        }
        return result
    }

    private func digits(_ text: Substring.UTF8View) -> String? {
        // An apostrophe, as Swiss programs write it, can be nothing else.
        let apostrophe = UInt8(ascii: "'")
        guard let thousands = text.contains(apostrophe) ? apostrophe : thousands, text.contains(thousands) else {
            return Self.onlyDigits(text)
        }
        let groups = text.split(separator: thousands, omittingEmptySubsequences: false)
        guard let first = groups.first, (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        let joined = groups.compactMap(Self.onlyDigits)
        return joined.count == groups.count ? joined.joined() : nil
    }

    private static func onlyDigits(_ text: Substring.UTF8View) -> String? {
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(Substring(text))
    }

    /// Returns the number at the beginning of a text such as `104 mmHg`, and what follows it; nil if it begins with none.
    ///
    /// Spaces between digits belong to the number, which is refused later if they do not separate thousands. So does what
    /// could be a second number: nothing is cut off from `120/80` or `5e3`.
    static func divided(_ text: String) -> (number: String, unit: String)? {
        let characters = Array(text.trimmed)
        var end = 0
        while end < characters.count {
            let character = characters[end]
            let isPart = character.isASCII && character.isNumber || ".,'’+-−".contains(character)
            let isGap =
                character.isWhitespace && end + 1 < characters.count && characters[end + 1].isASCII
                && characters[end + 1].isNumber
            guard isPart || isGap else { break }
            end += 1
        }
        let rest = characters[end...]
        guard characters[..<end].contains(where: \.isNumber), rest.first.map({ !"/:".contains($0) }) ?? true else {
            return nil
        }
        if let first = rest.first, "eE".contains(first), rest.dropFirst().first?.isNumber == true { return nil }
        // Behind a number comes a unit, and not a sign that may belong to the number, as in 9’830 or 7½.
        if let first = rest.first, !first.isLetter, !first.isWhitespace, !"%‰°([*µ".contains(first) { return nil }
        let unit = String(rest).trimmed
        if continues(unit) { return nil }
        return (String(characters[..<end]), unit)
    }

    /// Whether what follows a number has a second number that is a part of the value, as in `1h 30min` or `11 st 4 lb`, and not
    /// of the unit, as in `x 10^9/L` or `m2`.
    private static func continues(_ unit: String) -> Bool {
        let word = unit.prefix { $0.isLetter || $0 == "'" }
        let rest = unit.dropFirst(word.count).drop { $0 == "." }
        if rest.drop(while: \.isWhitespace).first?.isNumber != true { return false }
        if rest.first?.isWhitespace == true { return !["x", ""].contains(word.lowercased()) }
        return ["h", "hr", "hrs", "std", "min", "st", "lb", "lbs", "ft", "'"].contains(word.lowercased())
    }

    /// Returns the two numbers of a blood pressure such as `120/80` or `120 / 80 mmHg`; nil for other text.
    static func halves(_ text: String) -> (first: String, second: String)? {
        let parts = text.trimmed.replacing("⁄", with: "/").split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let first = String(parts[0]).trimmed
        let second = String(parts[1]).trimmed
        guard let lower = divided(second), ["", "mmhg", "mm[hg]", "mm hg"].contains(lower.unit.lowercased()),
            divided(first)?.unit.isEmpty == true
        else { return nil }
        return (first, lower.number.trimmed)
    }
}

/// The known units, with a code for each, so that a cell can be compared with the unit that its mapping gives.
enum CSVUnits {
    /// Returns the code of a unit, the same for each way of writing it; nil for an unknown one.
    static func code(_ text: String) -> String? { codes[text.lowercased()] }

    private static let codes: [String: String] = {
        let known = FHIRUnits.codes.map { ($0.key.lowercased(), $0.value) }
        let others = [
            "kpa": "kPa", "lb": "lb", "lbs": "lb", "st": "st", "in": "in", "bpm": "/min", "1/min": "/min",
            "beats/min": "/min", "schläge/min": "/min", "bpm.": "/min",
        ]
        return others.merging(known) { $1 }
    }()
}

extension String {
    /// The text without white space at its ends; also without the fixed spaces that some programs write.
    var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
