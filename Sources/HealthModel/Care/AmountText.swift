/// Writes the units behind amounts.
package enum AmountText {
    /// The plurals of the units that are counted, and that the journal knows as English words.
    private static let plurals = [
        "tablet": "tablets", "capsule": "capsules", "pill": "pills", "drop": "drops", "puff": "puffs",
        "spray": "sprays", "patch": "patches", "sachet": "sachets", "dose": "doses", "injection": "injections",
        "suppository": "suppositories", "spoon": "spoons", "teaspoon": "teaspoons", "tablespoon": "tablespoons",
        "lozenge": "lozenges", "softgel": "softgels", "gummy": "gummies", "scoop": "scoops", "unit": "units",
    ]

    /// Returns the form of a unit that follows an amount: `2 tablets`, but `0.5 tablet` and `2 mL`.
    ///
    /// A unit that is not among the known words is returned as it was written.
    package static func unit(_ unit: String, behind amount: ExactDecimal) -> String {
        isOne(amount) ? unit : plurals[unit] ?? unit
    }

    /// Whether the unit behind an amount is in the singular.
    package static func isOne(_ amount: ExactDecimal) -> Bool {
        amount > .zero && amount <= ExactDecimal(coefficient: 1, scale: 0)
    }
}
