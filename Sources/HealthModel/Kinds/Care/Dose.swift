/// A dose of a medication or a supplement that was taken or skipped.
///
/// The entry's date is the time at which it was taken.
package enum Dose {
    /// The medication or the supplement.
    package static let of = Field(
        1,
        "of",
        "Medication or supplement",
        .entry(kinds: ["drug", "supplement"]),
        isRequired: true
    )
    /// The name of the planned dose, as ``Slot`` writes it; absent for a dose outside the plan.
    package static let slot = Field(2, "slot", "Planned dose", .text(maximum: Limits.slot))
    /// When it was due, by the plan and the time zones that were known when it was logged.
    package static let planned = Field(3, "planned", "Due", .instant)
    package static let plannedAmount = Field(
        4,
        "plannedAmount",
        "Planned amount",
        .decimal(0...1_000_000, fractions: true)
    )
    package static let status = Field(5, "status", "Status", .choice(["taken", "skipped"]), isRequired: true)
    /// In the unit of the plan.
    package static let amount = Field(6, "amount", "Amount", .decimal(0...1_000_000, fractions: true))
    package static let reason = Field(
        7,
        "reason",
        "Reason",
        .choice(LoggedDose.Reason.allCases.map(\.rawValue))
    )
    package static let reasonText = Field(8, "reasonText", "Reason in words", .text(maximum: Limits.line))
    /// Where on the body it was injected or applied.
    package static let site = Field(9, "site", "Site", .text(maximum: Limits.line))
    /// The zone in which it was taken, if the device stated it.
    package static let zone = Field(10, "zone", "Time zone", .zone)
    /// The time as the device stated it, if it was corrected because the device's clock was wrong.
    package static let stated = Field(11, "stated", "Time by the device's clock", .instant)

    package static let kind = Kind(
        code: 23,
        name: "dose",
        label: "Dose",
        plural: "Doses",
        section: .myhealth,
        fields: [of, slot, planned, plannedAmount, status, amount, reason, reasonText, site, zone, stated],
        summary: [status, amount],
        requiresTime: true,
        check: DoseCheck.check,
        derivedID: { content in
            guard let plan = content.body.id(of), let slot = content.body.text(slot) else { return nil }
            return (try? Slot(parsing: slot))?.entryID(of: plan)
        },
        example: [
            "date": "2026-03-02T07:05:00Z", "of": "0f8fad5b-d9cb-469f-a165-70867728950e", "status": "taken",
            "amount": "1",
        ]
    )
}
