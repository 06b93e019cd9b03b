package import FoundationEssentials
package import HealthModel
internal import JournalCore

/// A medication or a supplement with its plan, as known at one position of the log.
package struct CarePlan: Hashable, Sendable {
    package let state: EntryState
    package let plan: Plan

    package var id: UUID { state.id }
    package var kind: Kind { state.kind }

    /// The name for display.
    package var name: String {
        let body = state.content.body
        return body.text(Drug.name) ?? body.text(Drug.rawText) ?? kind.label
    }

    /// The counted unit, such as a tablet; nil if the plan states none.
    package var unit: String? { state.content.body.text(PlanFields.unit) }
    /// How much of its substances one unit contains; nil if that is not known.
    package var strength: PlanStrength? { PlanStrength(state.content.body) }
    package var countsStock: Bool { state.content.body.flag(PlanFields.trackStock) ?? false }
    /// Whether doses without an amount are missing in a count: in the stock, or in the most that may be taken.
    package var needsAmounts: Bool { countsStock || plan.limits.maximumAmount != nil }
    /// How many days before the stock runs out a refill is due.
    package var refillLead: Int { state.content.body.int(PlanFields.refillLead) ?? 7 }
}
