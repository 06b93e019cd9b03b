/// A cost of the subject's health care.
package enum Cost {
    package static let year = Field(1, "year", "Year", .integer(1_900...2_200), isRequired: true)
    /// May be negative: a refund.
    package static let amount = Field(
        2,
        "amount",
        "Amount paid",
        .decimal(-1_000_000_000_000...1_000_000_000_000),
        isRequired: true
    )
    package static let currency = Field(3, "currency", "Currency", .text(maximum: 3), format: .currency)
    package static let category = Field(4, "category", "Category", .text(maximum: Limits.line))
    /// Whether the amount is the total of the year or a single item; totals and items are never added together.
    package static let basis = Field(5, "basis", "Basis", .choice([total, item]), isRequired: true)

    package static let total = "total"
    package static let item = "item"

    package static let kind = Kind(
        code: 20,
        name: "cost",
        label: "Cost",
        plural: "Costs",
        section: .myhealth,
        fields: [year, amount, currency, category, basis],
        summary: [year, amount, currency],
        example: ["year": "2024", "amount": "184.50", "currency": "CHF", "category": "Dentist", "basis": "item"]
    )
}
