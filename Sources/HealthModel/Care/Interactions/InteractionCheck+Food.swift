internal import FoundationEssentials

extension InteractionCheck {
    /// The meals of the last 24 hours.
    private var recentMeals: [CheckedMeal] {
        let start = now.adding(minutes: -1_440)
        return input.meals.filter { $0.at > start && $0.at <= now }
    }

    // MARK: - Allergies

    /// Compares a medication with the allergies of the person.
    mutating func checkAllergies(_ matched: Matched) {
        for allergy in input.allergies {
            let party = InteractionFinding.Party(name: allergy.name, role: .allergy, entry: allergy.id)
            let named = index.substances(in: allergy.name) + [index.resolve(FoldedName(allergy.name))]
            var keys: Set<RuleIndex.Key> = []
            for name in named { keys.formUnion(index.keys(of: name)) }
            let phrases = FoldedName.phrases(of: allergy.name)
            var isFound = false
            var isCritical = false
            for (set, rule) in index.rules(.allergy, naming: matched.keys)
            where index.names(rule.a, of: set, matched.keys) {
                guard index.names(rule.b, of: set, keys) || isNamed(rule.b, phrases) else { continue }
                isFound = true
                if rule.severity == .critical { isCritical = true }
                add(InteractionFinding(rule, of: index.sets[set], [matched.party, party], namespace))
            }
            if isCritical { continue }
            // A rule that rates it lower, such as one about another class, does not hide an allergy to the same.
            let isSame = !Set(matched.substances).isDisjoint(with: named)
            let group = matched.substances.flatMap { index.classes(of: $0) }
                .first { phrases.contains(FoldedName($0.name)) || phrases.contains(FoldedName($0.name).singular) }
            // Another member of a class that a rule about allergies names, as with two cephalosporins.
            let isRelated = index.shareAllergyGroup(keys, matched.keys)
            guard isSame || !isFound && (isRelated || group != nil) else { continue }
            add(
                InteractionFinding(
                    ruleSet: InteractionFinding.ownRules,
                    label: InteractionFinding.ownRules,
                    rule: "allergy",
                    kind: .allergy,
                    severity: .critical,
                    [matched.party, party],
                    effect: "An allergy to this substance, or to substances like it, is recorded.",
                    advice: "Do not take it before you have asked a doctor or pharmacist.",
                    source: "",
                    namespace
                )
            )
        }
    }

    /// Whether the class of a term is named itself, as in an allergy to penicillins.
    private func isNamed(_ term: InteractionRule.Term?, _ phrases: Set<FoldedName>) -> Bool {
        guard case .group(let name)? = term else { return false }
        return phrases.contains(FoldedName(name)) || phrases.contains(FoldedName(name).singular)
    }

    // MARK: - Food

    /// Compares a medication with the foods eaten in the last 24 hours, and adds advice that holds for any meal.
    mutating func checkFood(_ matched: Matched) {
        for (set, rule) in index.rules(.food, naming: matched.keys) {
            guard let food = rule.b, index.names(rule.a, of: set, matched.keys) else { continue }
            if rule.isStanding {
                // Nothing is known to have been eaten, so that it does not interrupt.
                let severity = min(rule.severity, .medium)
                add(InteractionFinding(rule, of: index.sets[set], severity: severity, [matched.party], namespace))
            }
            let names = index.members(of: food, in: set)
            for meal in recentMeals {
                guard let eaten = meal.firstFood(of: names) else { continue }
                let party = meal.party(eaten)
                add(InteractionFinding(rule, of: index.sets[set], [matched.party, party], namespace))
            }
        }
    }

    /// Compares the foods eaten with the allergies of the person, and with what they watch for.
    mutating func checkFoodAllergies() {
        let rules = index.rules(.foodAllergy)
        for meal in recentMeals {
            let watched = meal.watchedFor.map { InteractionFinding.Party(name: $0, role: .allergy, entry: nil) }
            let known = input.allergies.map { InteractionFinding.Party(name: $0.name, role: .allergy, entry: $0.id) }
            for allergy in known + watched {
                let phrases = FoldedName.phrases(of: allergy.name)
                var isFound = false
                for (set, rule) in rules {
                    let avoided = index.members(of: rule.b ?? rule.a, in: set)
                    let isAvoided = avoided.contains { phrases.contains($0) || phrases.contains($0.singular) }
                    guard isAvoided || isNamed(rule.b ?? rule.a, phrases),
                        let eaten = meal.firstFood(of: index.members(of: rule.a, in: set))
                    else { continue }
                    isFound = true
                    let party = meal.party(eaten)
                    add(InteractionFinding(rule, of: index.sets[set], [party, allergy], namespace))
                }
                let name = FoldedName(allergy.name)
                guard !isFound, !name.isEmpty, let eaten = meal.firstFood(of: [name, name.singular]) else { continue }
                add(
                    InteractionFinding(
                        ruleSet: InteractionFinding.ownRules,
                        label: InteractionFinding.ownRules,
                        rule: "food allergy",
                        kind: .foodAllergy,
                        severity: .high,
                        [meal.party(eaten), allergy],
                        effect: "An allergy to this food is recorded, or it is watched for.",
                        advice: "Ask a doctor or pharmacist what to do, and call for help at once if you feel unwell.",
                        source: "",
                        namespace
                    )
                )
            }
        }
    }
}

extension CheckedMeal {
    fileprivate func party(_ food: String) -> InteractionFinding.Party {
        InteractionFinding.Party(name: food, role: .food, entry: isAsked ? nil : id)
    }

    /// Returns the first food that is named by one of the names.
    fileprivate func firstFood(of names: [FoldedName]) -> String? {
        foods.first { food in
            let phrases = FoldedName.phrases(of: food)
            return names.contains { phrases.contains($0) || phrases.contains($0.singular) }
        }
    }
}
