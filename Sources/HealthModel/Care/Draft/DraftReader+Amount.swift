/// How much was taken.
///
/// A wrong amount is worse than none, so that one is read only where its number cannot mean anything else.
extension DraftReader {
    /// A number of pieces, such as `two tablets`.
    struct CountedAmount {
        var range: Range<Int>
        var value: ExactDecimal
        /// Nil for a number directly before the name, or for a unit that only the plan has.
        var unit: String?
    }

    /// Returns the amount directly before a name: `two ibuprofen`, `half a tablet of ibuprofen`.
    ///
    /// A number behind the name may belong to the name, such as that of `omega 3 capsules`.
    func countedAmount(of name: Range<Int>, unit ownUnit: String?, _ strength: Strength?) -> CountedAmount? {
        let isRepeated = words.indices.contains { isFree($0) && vocabulary.repeats.contains(words[$0].text) }
        guard !isDoubtful, !isRepeated else { return nil }
        for index in 0..<name.lowerBound {
            guard let amount = amount(at: index, before: name, ownUnit, strength) else { continue }
            return hasNumber(besides: amount.range, name) ? nil : amount
        }
        return nil
    }

    private func amount(
        at index: Int,
        before name: Range<Int>,
        _ ownUnit: String?,
        _ strength: Strength?
    ) -> CountedAmount? {
        guard let number = pieces(at: index), number.end <= name.lowerBound, !isJoined(index),
            (index + 1...name.lowerBound).allSatisfy({ hasOnlySpaceBefore($0) })
        else { return nil }
        let own = ownUnit.map { FoldedName($0) }
        let ownCount = own.flatMap { vocabulary.countUnits[$0.text] }
        if number.end == name.lowerBound {
            // `two cough syrup` does not say whether it is 2 mL.
            guard own == nil || ownCount != nil else { return nil }
            return CountedAmount(range: index..<number.end, value: number.value)
        }
        guard let text = word(number.end), !isMeasure(text) else { return nil }
        let folded = FoldedName(text)
        if own == nil || (own != folded && own != folded.singular) {
            // Two spoons are not 2 mL.
            guard vocabulary.doseUnits.contains(text), let unit = vocabulary.countUnits[text] else { return nil }
            let pieces: Set<String> = ["tablet", "capsule"]
            let isSame = ownCount.map { $0 == unit || (pieces.contains($0) && pieces.contains(unit)) }
            guard own == nil || isSame == true else { return nil }
        }
        let links: Set<String> = ["of", "my", "the"]
        for place in number.end + 1..<name.lowerBound {
            guard links.contains(words[place].text) || strength?.range.contains(place) == true else { return nil }
        }
        return CountedAmount(range: index..<number.end + 1, value: number.value, unit: vocabulary.countUnits[text])
    }

    /// Returns the whole number from 1 to 10, or `half a`, at a word.
    private func pieces(at index: Int) -> (value: ExactDecimal, end: Int)? {
        guard let text = word(index) else { return nil }
        if text == "half" {
            guard word(index + 1) == "a" || word(index + 1) == "an" else { return nil }
            return (ExactDecimal.half, index + 2)
        }
        let heard = words[index].heard
        let digits = Int(heard).flatMap { String($0) == heard ? $0 : nil }
        guard let value = digits ?? vocabulary.numbers[text], (1...10).contains(value) else { return nil }
        return (ExactDecimal(value), index + 1)
    }

    /// Whether there is a number that is neither in a range nor a strength.
    private func hasNumber(besides range: Range<Int>, _ name: Range<Int>) -> Bool {
        words.indices.contains { index in
            guard isFree(index), isNumeral(index), !range.contains(index), !name.contains(index) else { return false }
            let next = word(index + 1) ?? ""
            if isMeasure(next) { return false }
            let isBehindName = index == name.upperBound && words[index].number != nil
            return !isBehindName || vocabulary.countUnits[next] != nil
        }
    }

    /// Whether a word is a number, or a time in digits.
    func isNumeral(_ index: Int) -> Bool {
        let word = words[index]
        return word.number != nil || word.time != nil || word.text == "half" || vocabulary.numbers[word.text] != nil
    }

    /// Whether a number may be only the last part of one, or of a range: `two fifty`, `5 to 10`.
    func isJoined(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        if isNumeral(index - 1) { return true }
        let links: Set<String> = ["and", "or", "to", "till", "through"]
        return index > 1 && links.contains(words[index - 1].text) && isNumeral(index - 2)
    }

    /// Whether a word is a unit of mass or volume, or another one of strength.
    func isMeasure(_ text: String) -> Bool {
        vocabulary.strengthUnits[text] != nil || vocabulary.weightUnits[text] != nil
            || vocabulary.measures.contains(text)
    }

    private func hasOnlySpaceBefore(_ index: Int) -> Bool { words[index].gap.allSatisfy(\.isWhitespace) }

    // MARK: - Doubt and negation

    /// Whether numbers of the sentence may mean something else than they seem to; then it gives no amount.
    var isDoubtful: Bool { hasDoubtfulSigns || words.contains { vocabulary.doubtful.contains($0.text) } }

    /// Whether signs make a number doubtful: `1/2`, `1½`, `.5`, `2-3`, `0,125`, `1'000`, `5%`.
    var hasDoubtfulSigns: Bool {
        // Digits that are not ASCII are fractions such as ½, or are not read.
        if text.contains(where: { "/⁄∕／".contains($0) || ($0.isNumber && !$0.isASCII) }) { return true }
        return words.indices.contains { index in
            let word = words[index]
            guard word.heard.first?.isNumber == true else { return false }
            let parts = word.heard.split(separator: ".")
            let isGrouped = parts.count > 2 || (parts.count == 2 && parts[1].count == 3 && parts[0] != "0")
            if word.heard.contains(",") || isGrouped { return true }
            if !DraftReader.isPlain(word.gap, isFirst: index == 0) { return true }
            return index + 1 < words.count && !DraftReader.isPlain(words[index + 1].gap, isFirst: false)
        }
    }

    /// Whether there is nothing but space beside a number, or a mark at the end of the word before it.
    private static func isPlain(_ gap: String, isFirst: Bool) -> Bool {
        guard let first = gap.first else { return true }
        let rest = !isFirst && ",.;!?:".contains(first) ? gap.dropFirst() : gap[...]
        return !rest.isEmpty && rest.allSatisfy(\.isWhitespace)
    }

    /// Whether the sentence may say that something did not happen.
    var isNegated: Bool {
        words.indices.contains { index in
            let (heard, text) = (words[index].heard, words[index].text)
            if vocabulary.negations.contains(text) { return true }
            // Any spelling of `n't`: with an apostrophe of any kind, without one, or with a space instead.
            if text.hasSuffix("nt") {
                let stem = String(text.dropLast(2))
                return heard.contains(where: \.isApostrophe) || stem.isEmpty || vocabulary.auxiliaries.contains(stem)
            }
            return text.hasSuffix("n") && index + 1 < words.count && words[index + 1].text == "t"
        }
    }
}
