package import FoundationEssentials

/// The result of a check of interactions.
package struct CheckResult: Hashable, Sendable {
    /// The most serious ones first.
    package var findings: [InteractionFinding]
    /// The names of medications and supplements in use, and of allergies, that could not be matched with any rule set.
    package var notChecked: [String]
    /// The names of medication without planned times that is not known to be taken.
    package var notInUse: [String]
    /// The names and versions of the rule sets; empty if none is loaded.
    package var ruleSets: [String]
    /// How many medications and supplements were matched: their names are known, which does not mean that the rules
    /// cover all their combinations.
    package var matched: Int
    /// Whether all rules are for people, and the subject is an animal.
    package var isForPeopleOnly: Bool

    package init(
        findings: [InteractionFinding],
        notChecked: [String],
        notInUse: [String],
        ruleSets: [String],
        matched: Int,
        isForPeopleOnly: Bool = false
    ) {
        self.findings = findings
        self.notChecked = notChecked
        self.notInUse = notInUse
        self.ruleSets = ruleSets
        self.matched = matched
        self.isForPeopleOnly = isForPeopleOnly
    }

    /// The text in ``notChecked`` if the rules that come with the program are applied to an animal.
    package static let animals = "what is dangerous for animals: the starter rules are for people"

    /// What the findings amount to.
    package enum Outcome: String, CaseIterable, Sendable {
        case found
        case noneFound = "none found"
        /// No rules are loaded, all are for people while the subject is an animal, or no medication or
        /// supplement in use could be matched: nothing is known.
        case notChecked = "not checked"
    }

    package var outcome: Outcome {
        if ruleSets.isEmpty { return .notChecked }
        if !findings.isEmpty { return .found }
        return isForPeopleOnly || matched == 0 && !notChecked.isEmpty ? .notChecked : .noneFound
    }
}

/// Returns what may not go together among the medication, allergies and meals of a person at a moment.
///
/// Neither the order of the inputs nor an earlier check affects the result. `namespace` is that of the findings' ids:
/// a secret of the record.
package func checkInteractions(
    _ input: CheckInput,
    _ index: RuleIndex,
    at now: Instant,
    _ clocks: CareClocks,
    namespace: UUID
) -> CheckResult {
    var check = InteractionCheck(input, index, now, clocks, namespace)
    check.run()
    return check.result
}

struct InteractionCheck {
    /// A medication that is in use, with its substances as the rules name them.
    struct Matched {
        let plan: CheckedPlan
        let substances: [FoldedName]
        let keys: Set<RuleIndex.Key>

        var party: InteractionFinding.Party {
            let role: InteractionFinding.Role = plan.kind == Supplement.kind ? .supplement : .medication
            return InteractionFinding.Party(name: plan.name, role: role, entry: plan.question == .asked ? nil : plan.id)
        }
    }

    let input: CheckInput
    let index: RuleIndex
    let now: Instant
    let clocks: CareClocks
    let namespace: UUID
    private(set) var plans: [Matched] = []
    private var findings: [UUID: InteractionFinding] = [:]
    private var notChecked: Set<String> = []
    private var notInUse: Set<String> = []
    private var matched = 0

    init(_ input: CheckInput, _ index: RuleIndex, _ now: Instant, _ clocks: CareClocks, _ namespace: UUID) {
        (self.input, self.index, self.now, self.clocks, self.namespace) = (input, index, now, clocks, namespace)
    }

    mutating func run() {
        for plan in input.plans.sorted(by: { $0.id.text < $1.id.text }) { match(plan) }
        for (number, one) in plans.enumerated() {
            let rules = (index.rules(.duplicate, naming: one.keys), index.rules(.pair, naming: one.keys))
            for other in plans[(number + 1)...] { compare(one, other, duplicates: rules.0, pairs: rules.1) }
            checkAllergies(one)
            checkFood(one)
        }
        for allergy in input.allergies where !index.knows(allergy: allergy.name) { notChecked.insert(allergy.name) }
        checkFoodAllergies()
        checkMaximums()
        // A substance that is harmless for people can be deadly for a cat.
        if usesRulesForPeople { notChecked.insert(CheckResult.animals) }
    }

    /// Whether the rules that come with the program are applied to an animal.
    private var usesRulesForPeople: Bool { input.isOfAnimal && index.sets.contains(where: \.isStarter) }

    var result: CheckResult {
        CheckResult(
            findings: findings.values.sorted { ($1.severity, $0.id.text) < ($0.severity, $1.id.text) },
            notChecked: notChecked.sorted(),
            notInUse: notInUse.sorted(),
            ruleSets: index.sets.map(\.label),
            matched: matched,
            isForPeopleOnly: usesRulesForPeople && index.sets.allSatisfy(\.isStarter)
        )
    }

    mutating func add(_ finding: InteractionFinding) { findings[finding.id] = finding }

    /// Notes that something about a medication could not be checked.
    mutating func skip(_ plan: CheckedPlan, _ what: String) { notChecked.insert("\(plan.name) (\(what))") }

    private mutating func match(_ plan: CheckedPlan) {
        switch plan.use(at: now, clocks) {
        case .active: break
        case .inactive: return
        case .stopped(let day): return skip(plan, "stopped on \(day)")
        case .paused: return skip(plan, "paused")
        case .ahead(let begin): return skip(plan, "begins on \(begin.day)")
        case .unknown:
            notInUse.insert(plan.name)
            return
        }
        let named = plan.substances.isEmpty ? [plan.name] : plan.substances.map(\.name)
        var resolved: [FoldedName] = []
        var unknown: [String] = []
        for name in named {
            let isMedication = plan.kind == Drug.kind
            let parts =
                index.isKnown(FoldedName(name)) ? nil : index.parts(ofName: name, isMedication: isMedication)
            resolved += parts?.known ?? [index.resolve(FoldedName(name))]
            guard let rest = parts?.rest, !rest.isEmpty || parts?.known.isEmpty == true else { continue }
            unknown += rest.isEmpty ? [name] : rest
            // What no rule names may be in two medications all the same.
            resolved += rest.map { index.resolve(FoldedName($0)) }
        }
        if resolved.allSatisfy({ !index.isKnown($0) }) {
            notChecked.insert(plan.name)
        } else {
            matched += 1
            for name in unknown { skip(plan, name) }
        }
        var keys: Set<RuleIndex.Key> = []
        for substance in resolved { keys.formUnion(index.keys(of: substance)) }
        plans.append(Matched(plan: plan, substances: resolved.filter { !$0.isEmpty }, keys: keys))
    }

    // MARK: - Two medications

    private mutating func compare(
        _ one: Matched,
        _ other: Matched,
        duplicates: [RuleIndex.Found],
        pairs: [RuleIndex.Found]
    ) {
        let common = Set(one.substances).intersection(other.substances)
        for substance in common.sorted(by: { $0.text < $1.text }) {
            add(
                InteractionFinding(
                    ruleSet: InteractionFinding.ownRules,
                    label: InteractionFinding.ownRules,
                    rule: "duplicate \(substance.text)",
                    kind: .duplicate,
                    severity: .high,
                    [one.party, other.party],
                    effect: "Both contain \(substance.text), so that more of it may be taken than is meant.",
                    advice: "Ask a doctor or pharmacist whether both are meant to be taken.",
                    source: "",
                    namespace
                )
            )
        }
        for (set, rule) in duplicates where index.names(rule.a, of: set, other.keys) {
            // The same substance twice is found without a rule.
            let members = one.substances.filter { index.names(rule.a, of: set, index.keys(of: $0)) }
            guard Set(members).isDisjoint(with: other.substances) else { continue }
            add(InteractionFinding(rule, of: index.sets[set], [one.party, other.party], namespace))
        }
        for (set, rule) in pairs {
            let (forward, backward) = (names(one, other, rule, set), names(other, one, rule, set))
            guard forward || backward else { continue }
            let parties = forward ? [one.party, other.party] : [other.party, one.party]
            add(InteractionFinding(rule, of: index.sets[set], parties, namespace))
        }
    }

    /// Whether a rule is about a substance of one medication and another substance of the other.
    private func names(_ one: Matched, _ other: Matched, _ rule: InteractionRule, _ set: Int) -> Bool {
        guard index.names(rule.a, of: set, one.keys), index.names(rule.b, of: set, other.keys) else { return false }
        return one.substances.contains { first in
            index.names(rule.a, of: set, index.keys(of: first))
                && other.substances.contains { second in
                    first != second && index.names(rule.b, of: set, index.keys(of: second))
                }
        }
    }
}
