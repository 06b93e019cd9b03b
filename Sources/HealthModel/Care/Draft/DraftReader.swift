internal import FoundationEssentials

/// Reads one sentence, and records the words that were understood.
struct DraftReader {
    let text: String
    let words: [Word]
    let names: DraftNames
    let now: DraftMoment
    let vocabulary: DraftWords
    private var isUsed: [Bool]
    private var found: [(start: Int, what: Draft.Understood)] = []
    var missingPlan: String?
    /// When a dose was taken, as the sentence says.
    var wall: WallMoment?

    /// A word as it was written, and in the form in which it is compared.
    struct Word {
        var heard: String
        var text: String
        /// Nil for a word that is not written in digits.
        var number: ExactDecimal?
        var time: WallTime?
        /// Whether a time is written as on a 24-hour clock.
        var isExact = false
        /// Whether a comma or a full stop is before it.
        var isAfterBreak: Bool
        /// The text between the word before and this one.
        var gap: String
    }

    init(_ text: String, _ names: DraftNames, _ now: DraftMoment, _ vocabulary: DraftWords) {
        self.text = text
        words = DraftReader.words(of: text)
        self.names = names
        self.now = now
        self.vocabulary = vocabulary
        isUsed = [Bool](repeating: false, count: words.count)
    }

    // MARK: - Words

    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var isAfterBreak = false
        let letters = Array(text)
        var index = 0
        var end = 0
        func isDigit(_ place: Int) -> Bool {
            place < letters.count && letters[place].isASCII && letters[place].isNumber
        }
        while index < letters.count {
            let start = index
            if isDigit(index) {
                while isDigit(index) || index < letters.count && ".,:".contains(letters[index]) && isDigit(index + 1) {
                    index += 1
                }
            } else if letters[index].isLetter {
                while index < letters.count,
                    letters[index].isLetter || letters[index].isNumber || letters[index].isApostrophe
                {
                    index += 1
                }
            } else {
                if ",.;!?".contains(letters[index]) { isAfterBreak = true }
                index += 1
                continue
            }
            let heard = String(letters[start..<index])
            let gap = String(letters[end..<start])
            words.append(Word(heard: heard, isAfterBreak: isAfterBreak && !words.isEmpty, gap: gap))
            isAfterBreak = false
            end = index
        }
        return words
    }

    // MARK: - Understood words

    /// Whether a word exists and was not understood yet.
    func isFree(_ index: Int) -> Bool { words.indices.contains(index) && !isUsed[index] }

    /// The text of a word that was not understood yet.
    func word(_ index: Int) -> String? { isFree(index) ? words[index].text : nil }

    mutating func use(_ range: Range<Int>) { for index in range { isUsed[index] = true } }

    /// Marks words as understood.
    ///
    /// `heard` replaces the text of the words, if they do not follow each other.
    mutating func understand(_ range: Range<Int>, as field: String, _ value: String, heard: String? = nil) {
        use(range)
        let heard = heard ?? words[range].map(\.heard).joined(separator: " ")
        found.append((range.lowerBound, Draft.Understood(heard: heard, field: field, value: value)))
    }

    var draft: Draft {
        let rest = words.indices.filter { !isUsed[$0] && !vocabulary.empty.contains(words[$0].text) }
        return Draft(
            understood: found.sorted { $0.start < $1.start }.map(\.what),
            rest: rest.map { words[$0].heard },
            missingPlan: missingPlan,
            wall: wall
        )
    }

    // MARK: - The topic

    enum Topic { case weight, meal, dose, plan }

    /// What the sentence is about; nil if that is not clear.
    var topic: Topic? {
        let texts = Set(words.map(\.text))
        func has(_ some: Set<String>) -> Bool { !some.isDisjoint(with: texts) }
        if has(vocabulary.weighed), words.indices.contains(where: { number(at: $0) != nil }) { return .weight }
        let product = product
        let isAboutPlan = schedules.contains { $0 }
        if has(vocabulary.skipped) { return .dose }
        let isMeal = has(Set(vocabulary.meals.keys)) && has(vocabulary.ate)
        if has(vocabulary.ate.subtracting(vocabulary.took)) || isMeal { return .meal }
        if has(vocabulary.took) {
            if texts.contains("had"), has(vocabulary.took.subtracting(["had"])) == false {
                // Garlic may be a supplement, but it is a food unless the record has it as a supplement.
                guard product?.isMedication == true else { return .meal }
            }
            return .dose
        }
        if isAboutPlan || has(vocabulary.begin) { return .plan }
        if has(Set(vocabulary.meals.keys)), product?.isMedication != true { return .meal }
        guard let product else { return nil }
        let next = product.range.upperBound
        if let strength = number(at: next), vocabulary.strengthUnits[word(strength.end) ?? ""] != nil { return .plan }
        return product.plan != nil || product.range.lowerBound > 0 ? .dose : .plan
    }

    /// For each word, whether it belongs to a plan rather than to a single dose.
    private var schedules: [Bool] {
        words.indices.map { index in
            let (text, next) = (words[index].text, word(index + 1))
            return switch text {
            case "every", "daily", "weekly", "nightly", "mornings", "evenings", "nights": true
            case "twice", "once": ["a", "daily", "per", "each", "weekly"].contains(next)
            case "times": ["a", "daily", "per", "each"].contains(next)
            case "as", "when", "if": ["needed", "required", "necessary"].contains(next)
            default: false
            }
        }
    }
}

extension DraftReader.Word {
    fileprivate init(heard: String, isAfterBreak: Bool, gap: String) {
        self.heard = heard
        self.isAfterBreak = isAfterBreak
        self.gap = gap
        text = heard == "µg" || heard == "μg" ? heard : FoldedName(heard.filter { !$0.isApostrophe }).text
        guard heard.first?.isNumber == true else { return }
        let parts = heard.split(separator: ":")
        if parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), parts[1].count == 2, minute < 60,
            hour < 24
        {
            time = WallTime(minutes: hour * 60 + minute)
            isExact = hour == 0 || hour > 12 || heard.hasPrefix("0")
            return
        }
        // A comma before three digits separates thousands; another one is a decimal comma.
        let groups = heard.split(separator: ",")
        let isThousands = groups.count > 1 && groups[0] != "0" && groups.dropFirst().allSatisfy { $0.count == 3 }
        number = try? ExactDecimal(parsing: heard.replacing(",", with: isThousands ? "" : "."))
    }
}

extension Character {
    /// Keyboards and dictation write an apostrophe in several ways.
    var isApostrophe: Bool { "'’‘ʼ`´′＇".contains(self) }
}
