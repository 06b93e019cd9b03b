import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel

/// The option of commands on a plan that may be named.
struct PlanRecordOption: ParsableArguments {
    @Option(name: .long, help: "The record of a plan that is given by its name (default: the only record there is).")
    var record: String?
}

extension JournalAccess {
    /// Returns the plan with an id, the unique beginning of an id, or a name.
    ///
    /// A name is that of a plan of `record`, which may be left out if the account sees only one record. Plans that were
    /// stopped count only if no other has the name.
    func plan(_ text: String, of record: String?) async throws -> UUID {
        var unknownID: JournalError?
        if UUID(uuidString: text) != nil || Journal.Records.isIDBeginning(text) {
            do {
                return try await entry(text)
            } catch let error as JournalError where error.code == .notFound {
                // It may be a name.
                unknownID = error
            }
        }
        let plans = try await plans(of: self.record(record, ofNamed: "plan", unknownID))
        let open = plans.filter { $0.content.body[PlanFields.stopped] == nil }
        for some in [open, plans] {
            switch NameChoice(text, among: some.map { $0.planName ?? "" }) {
            case .one(let index, _): return some[index].id
            case .several(let indices):
                throw JournalError(
                    .invalid,
                    field: "plan",
                    "is the name of several plans: \(shown(indices.map { some[$0] })); give more of the name, or the id"
                )
            case .similar: continue
            }
        }
        throw unknownPlan(text, among: plans)
    }

    private func plans(of record: UUID) async throws -> [EntryState] {
        var plans: [EntryState] = []
        for kind in [Drug.kind, Supplement.kind] {
            plans += try await perform(.entries(of: record, kind, ReadMoment(), retracted: false))
        }
        return plans
    }

    private func unknownPlan(_ text: String, among plans: [EntryState]) -> JournalError {
        var hint = "see: healthjournal plan list"
        if case .similar(let indices) = NameChoice(text, among: plans.map { $0.planName ?? "" }), !indices.isEmpty {
            hint = "did you mean \(shown(indices.map { plans[$0] }))?"
        }
        return JournalError(.notFound, field: "plan", "the record has no plan with that name or id; \(hint)")
    }

    /// The plans by ids that tell them apart, with their names on a terminal: what a script prints is often kept in a log.
    private func shown(_ plans: [EntryState]) -> String {
        let length = UUID.lengthOfBeginnings(plans.map(\.id))
        return
            plans.map { plan in
                let id = String(plan.id.text.prefix(length))
                return Terminal.isInteractive ? "\(plan.planName ?? "") (\(id))" : id
            }
            .joined(separator: ", ")
    }
}
