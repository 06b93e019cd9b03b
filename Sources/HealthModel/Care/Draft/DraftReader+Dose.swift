internal import FoundationEssentials

/// Doses and weights.
extension DraftReader {
    /// Reads a dose that was taken or skipped; nil if the sentence may say the opposite.
    mutating func dose() -> EntryContent? {
        var content = EntryContent(kind: Dose.kind)
        let isSkipped = words.contains { vocabulary.skipped.contains($0.text) }
        // `I forgot, but then I took it`
        let isUnclear = isSkipped && words.contains { ["took", "taken", "swallowed"].contains($0.text) }
        guard !isNegated, !isUnclear else { return nil }
        let verbs = isSkipped ? vocabulary.skipped.union(vocabulary.took) : vocabulary.took
        let status: LoggedDose.Status = isSkipped ? .skipped : .taken
        content.body[Dose.status] = .text(status.rawValue)
        // Times first, so that their numbers are not read as amounts.
        let occurrence = occurrence()
        content.date = .instant(occurrence?.instant ?? now.instant)
        if occurrence?.isGuess ?? true { content.inferred = ["date"] }
        wall = occurrence.map { now.clock.wall(at: $0.instant) }
        if isSkipped { reason(&content) }
        for index in words.indices where isFree(index) && verbs.contains(words[index].text) {
            understand(index..<index + 1, as: Dose.status.name, status.rawValue)
            break
        }
        let product = product
        let strength = strength(of: product?.range)
        let plan = product.flatMap { chosenPlan(of: $0, strength) }
        if let product {
            if let plan {
                // A dose that was skipped has no amount. It is read while the name before it is not used yet.
                if !isSkipped { amount(&content, product.range, plan, strength) }
                understand(product.range, as: Dose.of.name, plan.name)
                content.body[Dose.of] = .id(plan.id)
                if let strength, plan.has(strength) {
                    understand(strength.range, as: Drug.dosage.name, strength.text)
                }
            } else {
                missing(product.range, product.plans)
            }
        } else if let start = words.indices.first(where: { isName(at: $0) }), let range = unknownName(from: start) {
            missing(range, [])
        }
        return product == nil && missingPlan == nil ? nil : content
    }

    /// Notes a name without a plan of its own; it stays among the words that were not understood if several have it.
    private mutating func missing(_ range: Range<Int>, _ plans: [DraftPlan]) {
        guard plans.isEmpty else { return }
        let name = words[range].map(\.heard).joined(separator: " ").capitalisedFirst
        missingPlan = name
        understand(range, as: Drug.name.name, name)
    }

    private func isName(at index: Int) -> Bool {
        guard let text = word(index), words[index].number == nil, words[index].time == nil else { return false }
        return !vocabulary.empty.contains(text) && !vocabulary.ends.contains(text) && vocabulary.numbers[text] == nil
            && vocabulary.countUnits[text] == nil && vocabulary.strengthUnits[text] == nil && text != "half"
    }

    /// Chooses the plan; of several of one name, the only one that has the strength.
    private func chosenPlan(of product: Product, _ strength: Strength?) -> DraftPlan? {
        guard product.plans.count > 1, let strength else { return product.plan }
        let fitting = product.plans.filter { $0.has(strength) }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Reads how much was taken; an amount is never converted from a strength.
    private mutating func amount(
        _ content: inout EntryContent,
        _ name: Range<Int>,
        _ plan: DraftPlan,
        _ strength: Strength?
    ) {
        guard let amount = countedAmount(of: name, unit: plan.unit, strength) else { return }
        understand(amount.range, as: Dose.amount.name, amount.value.description)
        content.body[Dose.amount] = .decimal(amount.value)
    }

    /// Reads why a dose was skipped: the words behind `because`, or a known word.
    private mutating func reason(_ content: inout EntryContent) {
        let known = words.indices.first { isFree($0) && vocabulary.reasons[words[$0].text] != nil }
        if let known, let reason = vocabulary.reasons[words[known].text] {
            content.body[Dose.reason] = .text(reason.rawValue)
        }
        if let because = words.indices.first(where: { word($0) == "because" }), because + 1 < words.count {
            let range = because + 1..<words.count
            guard range.allSatisfy(isFree) else { return }
            let text = words[range].map(\.heard).joined(separator: " ")
            if content.body[Dose.reason] == nil { content.body[Dose.reason] = .text(LoggedDose.Reason.other.rawValue) }
            content.body[Dose.reasonText] = .text(text)
            understand(because..<words.count, as: Dose.reasonText.name, text)
        } else if let known, let reason = vocabulary.reasons[words[known].text] {
            understand(known..<known + 1, as: Dose.reason.name, reason.rawValue)
        }
    }

    /// Reads a weight.
    mutating func weight() -> EntryContent? {
        var content = EntryContent(kind: Weight.kind)
        let occurrence = occurrence()
        content.date =
            switch occurrence {
            case let found? where found.isGuess: .day(found.day)
            case let found?: .instant(found.instant)
            case nil: .instant(now.instant)
            }
        for index in words.indices where isFree(index) && vocabulary.weighed.contains(words[index].text) {
            use(index..<index + 1)
        }
        let numbers = words.indices.compactMap { index in number(at: index).map { (index, $0) } }
            .filter { !$0.1.isArticle && $0.1.isAmount }
        let measured = numbers.first { vocabulary.weightUnits[word($0.1.end) ?? ""] != nil } ?? numbers.first
        guard let (index, number) = measured else { return nil }
        content.body[Weight.value] = .decimal(number.value)
        understand(index..<number.end, as: Weight.value.name, number.value.description)
        if let unit = vocabulary.weightUnits[word(number.end) ?? ""] {
            content.body[Weight.unit] = .text(unit)
            understand(number.end..<number.end + 1, as: Weight.unit.name, unit)
        }
        return content
    }
}

extension DraftPlan {
    /// Whether the plan is of a strength, as its substances or its name say.
    fileprivate func has(_ strength: DraftReader.Strength) -> Bool {
        let isOfSubstance = substances.contains { substance in
            substance.decimal(PlanFields.Substance.strength) == strength.value
                && strength.unit.map { $0 == substance.text(PlanFields.Substance.strengthUnit) } ?? true
        }
        return isOfSubstance || FoldedName.words(of: name).contains(FoldedName(strength.value.description).text)
    }
}
