package import FoundationEssentials

/// How much of its substances one unit of a plan contains, such as 5 mg.
///
/// An amount alone says nothing: 8 tablets of 5 mg are 40 mg.
package struct PlanStrength: Hashable, Sendable {
    /// The amount of one substance with its unit.
    package struct Part: Hashable, Sendable {
        package var amount: ExactDecimal
        package var unit: String

        package init(_ amount: ExactDecimal, _ unit: String) { (self.amount, self.unit) = (amount, unit) }
    }

    /// One for each substance, in their order.
    package var parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }

    /// Reads the strength of a medication or a supplement; nil unless that of all its substances is known.
    package init?(_ body: FieldValues) {
        let substances = body.groups(PlanFields.substances)
        let parts = substances.compactMap { substance -> Part? in
            guard let amount = substance.decimal(PlanFields.Substance.strength),
                let unit = substance.text(PlanFields.Substance.strengthUnit)
            else { return nil }
            return Part(amount, unit)
        }
        guard !parts.isEmpty, parts.count == substances.count else { return nil }
        self.parts = parts
    }

    /// Returns how much is in an amount; nil for a share such as %, and if it has too many digits.
    package func times(_ amount: ExactDecimal) -> PlanStrength? {
        var product: [Part] = []
        for part in parts {
            guard part.unit != "%", let content = part.amount.multiplied(by: amount) else { return nil }
            product.append(Part(content, part.unit))
        }
        return PlanStrength(product)
    }

    /// The strength in words, such as `5 mg` or `50 mg + 12.5 mg`; `number` writes a number.
    package func text(_ number: (ExactDecimal) -> String = \.description) -> String {
        parts.map { "\(number($0.amount)) \($0.unit)" }.joined(separator: " + ")
    }

    /// Adds the strength to an amount that is written with its unit: `8 tablets × 5 mg = 40 mg`.
    ///
    /// `shown` is empty for a dose without an amount.
    package func text(
        behind shown: String,
        of amount: ExactDecimal?,
        _ number: (ExactDecimal) -> String = \.description
    ) -> String {
        let strength = text(number)
        guard !shown.isEmpty else { return "? × \(strength)" }
        if amount == ExactDecimal(coefficient: 1, scale: 0) { return "\(shown) (\(strength))" }
        let each = parts.count > 1 ? "(\(strength))" : strength
        guard let amount, let content = times(amount) else { return "\(shown) × \(each)" }
        return "\(shown) × \(each) = \(content.text(number))"
    }
}

extension PlanStrength {
    /// Parses the text that ``text(_:)`` writes.
    package init(parsing text: String) throws(ModelError) {
        var parts: [Part] = []
        for part in text.split(separator: " + ", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count >= 2, let unit = words.last, !unit.isEmpty else {
                throw ModelError(.invalid, "is not a strength, such as 5 mg")
            }
            parts.append(Part(try ExactDecimal(parsingAmount: words.dropLast().joined(separator: " ")), String(unit)))
        }
        self.init(parts)
    }
}

extension PlanStrength.Part {
    /// Parses the strength of one substance as a person types it: `5 mg`, `2.5mg`, `½ mg` or `50 mcg`.
    ///
    /// `number` reads the number in the notation of the person. The unit is one of the field `strengthUnit`, or another
    /// spelling of it. Throws an error that describes the problem.
    package init(typed text: String, number: (String) -> ExactDecimal?) throws(ModelError) {
        let text = text.trimmed
        guard let start = text.firstIndex(where: { $0.isLetter || $0 == "%" }),
            case (let digits, let unit) = (String(text[..<start]).trimmed, text[start...]), !digits.isEmpty
        else { throw ModelError(.invalid, "is a number and a unit, such as \"5 mg\"") }
        if unit.contains("+") || unit.contains(where: \.isNumber) {
            throw ModelError(.invalid, "is that of one substance, a number and a unit, such as \"5 mg\"")
        }
        if unit.contains("/") {
            throw ModelError(.invalid, "is what one unit contains, a number and a unit: \"10 mg\" in 1 mL, not mg/mL")
        }
        guard let known = Self.units[unit.lowercased()] else {
            throw ModelError(.invalid, "is a number and a unit: mg, µg (mcg), g, IU, mmol, mL or %")
        }
        guard let amount = number(digits) else {
            throw ModelError(.invalid, "is a number and a unit, such as \"5 mg\", \"2.5 mg\" or \"1000 mg\"")
        }
        if amount <= .zero { throw ModelError(.invalid, "must be greater than 0") }
        self.init(amount, known)
    }

    /// The units of the field `strengthUnit`, by their spellings in lowercase.
    private static let units: [String: String] = [
        "mg": "mg", "milligram": "mg", "milligrams": "mg", "milligramm": "mg", "milligramme": "mg",
        "milligrammes": "mg",
        "µg": "µg", "μg": "µg", "ug": "µg", "mcg": "µg", "microgram": "µg", "micrograms": "µg", "mikrogramm": "µg",
        "microgramme": "µg", "microgrammes": "µg", "g": "g", "gram": "g", "grams": "g", "gramm": "g", "gramme": "g",
        "grammes": "g", "iu": "IU", "ie": "IU", "i.e.": "IU", "ui": "IU", "units": "IU", "mmol": "mmol", "ml": "mL",
        "%": "%",
    ]
}

/// The product that is counted in the doses of a plan.
package struct PlanProduct: Hashable, Sendable {
    package var name: String
    package var unit: String?
    package var strength: PlanStrength?

    package init(name: String, unit: String? = nil, strength: PlanStrength? = nil) {
        (self.name, self.unit, self.strength) = (name, unit, strength)
    }

    /// An amount with its unit and the strength, such as `8 tablets × 5 mg = 40 mg`; `words` is what the plan says
    /// instead of a number.
    package func text(of amount: ExactDecimal?, words: String? = nil) -> String {
        let shown =
            amount.map { amount in
                unit.map { "\(amount) \(AmountText.unit($0, behind: amount))" } ?? amount.description
            } ?? words ?? ""
        return strength.map { $0.text(behind: shown, of: amount) } ?? shown
    }

    /// The name with the unit and the strength, for a list of doses with bare numbers: `Prednisone (tablet, 5 mg)`.
    package var label: String {
        let details = [unit, strength?.text()].compactMap(\.self)
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    }
}

extension EntryState {
    /// The product that is counted in the doses of the medication or the supplement; nil for another kind of entry.
    package var planProduct: PlanProduct? {
        planName.map {
            PlanProduct(name: $0, unit: content.body.text(PlanFields.unit), strength: PlanStrength(content.body))
        }
    }
}

extension Sequence<EntryState> {
    /// The products that are counted in the doses of the medications and supplements among the entries, by entry id.
    package var planProducts: [UUID: PlanProduct] {
        reduce(into: [:]) { products, entry in
            if let product = entry.planProduct { products[entry.id] = product }
        }
    }
}
