package import FoundationEssentials

/// A change of the stock of a medication or a supplement, or a count of it.
package enum Supply {
    /// The medication or the supplement.
    package static let of = Field(
        1,
        "of",
        "Medication or supplement",
        .entry(kinds: ["drug", "supplement"]),
        isRequired: true
    )
    package static let what = Field(2, "what", "What", .choice(What.allCases.map(\.rawValue)), isRequired: true)
    /// In the unit of the plan.
    package static let amount = Field(3, "amount", "Amount", .decimal(0...1_000_000, fractions: true), isRequired: true)
    package static let unit = Field(4, "unit", "Unit", .text(maximum: Limits.unit))
    package static let lot = Field(5, "lot", "Lot", .text(maximum: Limits.line))
    package static let expires = Field(6, "expires", "Expires", .day)
    package static let pharmacy = Field(7, "pharmacy", "Pharmacy", .text(maximum: Limits.line))

    /// What an entry says about the stock.
    package enum What: String, CaseIterable, Sendable {
        case received
        /// The stock was counted: whatever the journal computed before, this is the level.
        case counted
        case discarded
    }

    package static let kind = Kind(
        code: 24,
        name: "supply",
        label: "Stock",
        plural: "Stock",
        section: .myhealth,
        fields: [of, what, amount, unit, lot, expires, pharmacy],
        summary: [what, amount, unit],
        requiresTime: true,
        check: { content, now throws(ModelError) in
            // A delivery that has not arrived yet is not in stock: the level would be wrong until then.
            let latest = now.microseconds + Int64(DoseCheck.minutesAhead) * 60_000_000
            guard let at = content.instant, at.microseconds <= latest else {
                throw ModelError(
                    .invalid,
                    field: "date",
                    "must not be in the future: record a change of the stock when it happens"
                )
            }
        },
        example: [
            "date": "2026-03-01T09:00:00Z", "of": "0f8fad5b-d9cb-469f-a165-70867728950e", "what": "received",
            "amount": "30", "unit": "tablet",
        ]
    )
}

extension EntryContent {
    /// Creates an entry about the stock of a plan.
    package static func supply(
        of plan: UUID,
        _ what: Supply.What,
        _ amount: ExactDecimal,
        unit: String?,
        expires: Day? = nil,
        at date: Instant
    ) -> EntryContent {
        var content = EntryContent(kind: Supply.kind)
        content.date = .instant(date)
        content.body[Supply.of] = .id(plan)
        content.body[Supply.what] = .text(what.rawValue)
        content.body[Supply.amount] = .decimal(amount)
        content.body[Supply.unit] = unit.map { .text($0) }
        content.body[Supply.expires] = expires.map { .day($0) }
        return content
    }
}
