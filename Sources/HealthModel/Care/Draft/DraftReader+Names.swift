internal import FoundationEssentials

/// Names of medication and supplements.
extension DraftReader {
    /// A name in the sentence, with the plans of the record that it may mean.
    struct Product {
        var range: Range<Int>
        var plans: [DraftPlan]
        /// The substance or product of a list; nil if no list has the name.
        var substance: Substance?

        /// Whether it cannot be a food: the record has it, or it is not a supplement.
        var isMedication: Bool { !plans.isEmpty || substance?.isSupplement == false }

        /// The plan, if there is only one.
        var plan: DraftPlan? { plans.count == 1 ? plans[0] : nil }
    }

    /// The first name that the record or a list has; of several that begin at one word, the longest.
    var product: Product? {
        for start in words.indices where isFree(start) {
            for length in stride(from: min(5, words.count - start), to: 0, by: -1) {
                let range = start..<start + length
                guard range.allSatisfy(isFree), let found = product(in: range) else { continue }
                return found
            }
        }
        return nil
    }

    private func product(in range: Range<Int>) -> Product? {
        let phrase = FoldedName(words[range].map(\.heard).joined(separator: " "))
        // Articles, verbs and numbers are not names, although a plan may begin with one.
        guard !phrase.isEmpty, range.count > 1 || !isCommonWord(phrase.text) else { return nil }
        for name in [phrase, phrase.singular] {
            let substance = names.catalogue.substance(named: name)
            let plans = plans(named: name)
            if !plans.isEmpty || substance != nil { return Product(range: range, plans: plans, substance: substance) }
        }
        return nil
    }

    private func isCommonWord(_ text: String) -> Bool {
        vocabulary.empty.contains(text) || vocabulary.took.contains(text) || vocabulary.numbers[text] != nil
            || vocabulary.ends.contains(text) || vocabulary.countUnits[text] != nil || Int(text) != nil
            || vocabulary.strengthUnits[text] != nil
    }

    /// The plans with a name: those that have exactly it, else those that begin with it, else those of its substance.
    private func plans(named name: FoldedName) -> [DraftPlan] {
        let exact = names.plans.filter { $0.foldedName == name }
        if !exact.isEmpty { return exact }
        let beginning = name.text + " "
        let longer = names.plans.filter { $0.foldedName.text.hasPrefix(beginning) }
        if !longer.isEmpty { return longer }
        guard let substance = names.catalogue.substance(of: name)?.name else { return [] }
        return names.plans.filter { plan in
            let contained = plan.substances.compactMap { $0.text(PlanFields.Substance.name) }.map { FoldedName($0) }
            return (contained + [plan.foldedName])
                .contains { names.catalogue.substance(of: $0)?.name == substance }
        }
    }

    /// Returns the words from an index on that may be a name which no list has.
    func unknownName(from start: Int) -> Range<Int>? {
        var first = start
        while let text = word(first), vocabulary.empty.contains(text) || vocabulary.begin.contains(text) { first += 1 }
        var end = first
        while end - first < 4, let text = word(end), words[end].number == nil, words[end].time == nil,
            !vocabulary.ends.contains(text), !vocabulary.periods.contains(text), vocabulary.numbers[text] == nil,
            vocabulary.countUnits[text] == nil,
            end == first || !words[end].isAfterBreak
        {
            end += 1
        }
        return end > first ? first..<end : nil
    }

    /// A strength such as `400 mg`, or a number right behind a name.
    struct Strength {
        var range: Range<Int>
        var value: ExactDecimal
        var unit: String?

        var text: String { unit.map { "\(value) \($0)" } ?? value.description }
    }

    /// Returns the first number with a unit of strength, or else the number right behind the name.
    ///
    /// Nil if the numbers of the sentence are doubtful.
    func strength(of name: Range<Int>?) -> Strength? {
        guard !isDoubtful else { return nil }
        for index in words.indices where name?.contains(index) != true {
            guard let number = number(at: index), number.isAmount, !number.isArticle, !isJoined(index),
                let text = word(number.end), let unit = vocabulary.strengthUnits[text]
            else { continue }
            return Strength(range: index..<number.end + 1, value: number.value, unit: unit)
        }
        guard let next = name?.upperBound, isFree(next), let value = words[next].number, word(next + 1) != "times"
        else { return nil }
        return Strength(range: next..<next + 1, value: value)
    }
}
