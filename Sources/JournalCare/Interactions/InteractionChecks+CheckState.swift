internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import MedicalRecords

/// What a check of a record looks at, as known at one position.
struct CheckState {
    var input: CheckInput
    let clocks: CareClocks
    let position: UInt64
    let now: Instant
    /// The namespace of the ids of findings: a secret of the record.
    let namespace: UUID

    func check(_ index: RuleIndex) -> CheckResult {
        checkInteractions(input, index, at: now, clocks, namespace: namespace)
    }
}

extension Journal.InteractionChecks {
    /// The kinds that a check reads.
    static let checkKinds: Set<Kind> = [
        Drug.kind, Supplement.kind, Dose.kind, Zone.kind, Allergy.kind, Meal.kind, Interaction.kind,
    ]
    /// How many of the newest meals are looked at; those of the last 24 hours are among them.
    private static let meals = 200
    /// For how many days doses are read: those that make a plan active, and those that are planned near by.
    private static let checkedDays = 16

    func checkState(of record: UUID, asOf position: UInt64, now: Instant) throws -> CheckState {
        let care = try journal.care.careState(of: record, asOf: position)
        let today = Day(of: now)
        let days =
            today.adding(
                days: -Self.checkedDays
            )...today.adding(days: Self.checkedDays)
        let doses = try journal.care.doses(of: care.plans, in: care, days: days)
        func entries(_ kind: Kind, limit: Int) throws -> [EntryState] {
            var selection = MedicalRecordsView.Selection()
            selection.kinds = [kind]
            selection.includesRetracted = false
            if limit < .max { (selection.before, selection.limit) = (.max, limit) }
            return try journal.contents(for: .care).record(record, asOf: position, selection)?.entries ?? []
        }
        let allergies = try entries(Allergy.kind, limit: .max)
            .compactMap { entry -> CheckedAllergy? in
                let ended = entry.content.body.text(SharedFields.ended).flatMap { try? PartialDate(parsing: $0) }
                guard let name = entry.content.body.text(Allergy.name), ended.map({ $0.firstDay > today }) ?? true
                else {
                    return nil
                }
                return CheckedAllergy(id: entry.id, name: name)
            }
        let meals = try entries(Meal.kind, limit: Self.meals)
            .compactMap { CheckedMeal(id: $0.id, $0.content) }
        return CheckState(
            input: CheckInput(
                plans: care.plans.map {
                    CheckedPlan(id: $0.id, $0.state.content, plan: $0.plan, doses: doses[$0.id] ?? [])
                },
                allergies: allergies,
                meals: meals,
                isOfAnimal: try journal.medicalRecords.header(of: record, asOf: position)?.profile.subject == .animal
            ),
            clocks: try journal.care.clocks(of: care),
            position: position,
            now: now,
            namespace: try journal.log.opaqueID(of: "findings", subject: record)
        )
    }
}
