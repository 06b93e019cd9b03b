import HealthModel

/// An amount that a text states: a number and a known unit, and nothing else.
struct MangoAmount: Hashable {
    let number: ExactDecimal
    /// The unit in the singular, as plans contain it.
    let unit: String

    /// Nil if the text contains anything besides a positive number and one known unit.
    init?(_ text: String) {
        let text = text.trimmedSpaces
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        let rest = String(text.dropFirst(digits.count)).trimmedSpaces
        // 1,000 is a thousand to some and one to others: such a text is kept as it is.
        let isAmbiguous = digits.wholeMatch(of: /[1-9]\d{0,2}[.,]\d{3}/) != nil
        guard !isAmbiguous, let unit = Self.units[rest.lowercased()],
            let number = try? ExactDecimal(parsing: String(digits.map { $0 == "," ? "." : $0 })), number > .zero,
            digits.count <= 12, number <= ExactDecimal(coefficient: 1_000_000, scale: 0)
        else { return nil }
        (self.number, self.unit) = (number, unit)
    }

    private static let units: [String: String] = {
        var units = [
            "ml": "mL", "mg": "mg", "g": "g", "µg": "µg", "mcg": "µg", "ug": "µg", "iu": "IU", "puff": "puff",
            "puffs": "puff", "patch": "patch", "patches": "patch", "suppository": "suppository",
            "suppositories": "suppository",
        ]
        for name in [
            "tablet", "capsule", "pill", "drop", "spray", "sachet", "unit", "teaspoon", "tablespoon", "gummy",
            "lozenge", "softgel", "scoop", "injection",
        ] { (units[name], units[name + "s"]) = (name, name) }
        return units
    }()
}

extension String {
    fileprivate var trimmedSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
