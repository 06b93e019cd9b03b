package import FoundationEssentials
package import HealthModel
package import JournalCore

extension Journal.NameSuggestions {
    /// Reads a sentence into a prefilled entry; nothing is stored, except that the record was read.
    package func draft(_ text: String, in record: UUID, _ caller: Caller) async throws(JournalError) -> Draft {
        let catalogue = try journal.nameCatalogue()
        let draft = try await journal.care.readingCare(of: record, CareQuestion(), caller) { care, now in
            let clocks = try journal.care.clocks(of: care)
            let plans = care.plans.filter { !$0.isOver(on: clocks.person.day(at: now)) }
                .sorted { $0.state.latest.position > $1.state.latest.position }
            return try Draft.read(
                text,
                names: DraftNames(
                    plans: plans.compactMap { DraftPlan(id: $0.id, $0.state.content) },
                    catalogue: catalogue
                ),
                now: DraftMoment(now, clocks.person)
            )
        }
        journal.usage.count(draft: draft.outcome.rawValue)
        return draft
    }
}

extension CarePlan {
    /// Whether the plan was stopped before a day.
    fileprivate func isOver(on day: Day) -> Bool { plan.stopped.map { $0.day < day } ?? false }
}
