/// Numbers, in digits or in words.
extension DraftReader {
    struct Number {
        var value: ExactDecimal
        /// The index behind its last word.
        var end: Int
        /// Whether it is an article, which means one.
        var isArticle = false

        /// Whether it may be an amount or a weight.
        var isAmount: Bool { value > .zero && value <= ExactDecimal(1_000_000) }
    }

    /// Returns the number that begins at a word: `75.4`, `two`, `half a`, `one and a half`, `75 point 4`, `twenty one`.
    func number(at index: Int) -> Number? {
        guard let text = word(index) else { return nil }
        if text == "half" {
            let isFollowed = word(index + 1) == "a" || word(index + 1) == "an"
            return Number(value: .half, end: index + (isFollowed ? 2 : 1))
        }
        if text == "a" || text == "an" {
            if word(index + 1) == "half" { return Number(value: .half, end: index + 2) }
            if word(index + 1) == "couple" {
                return Number(value: ExactDecimal(2), end: index + (word(index + 2) == "of" ? 3 : 2))
            }
            return Number(value: ExactDecimal(1), end: index + 1, isArticle: true)
        }
        guard var number = digits(at: index) ?? spelled(at: index) else { return nil }
        if word(number.end) == "point", let fraction = digits(at: number.end + 1) ?? spelled(at: number.end + 1) {
            let written = "\(number.value).\(fraction.value)"
            if let value = try? ExactDecimal(parsing: written) { number = Number(value: value, end: fraction.end) }
        }
        if word(number.end) == "and", word(number.end + 1) == "a", word(number.end + 2) == "half",
            let value = number.value.adding(.half)
        {
            number = Number(value: value, end: number.end + 3)
        }
        return number
    }

    private func digits(at index: Int) -> Number? {
        guard isFree(index), let value = words[index].number else { return nil }
        return Number(value: value, end: index + 1)
    }

    private func spelled(at index: Int) -> Number? {
        guard let first = word(index).flatMap({ vocabulary.numbers[$0] }) else { return nil }
        var (value, end) = (first, index + 1)
        if (1...9).contains(first), word(end) == "hundred" {
            (value, end) = (first * 100, end + 1)
            let rest = word(end) == "and" ? end + 1 : end
            if let more = belowHundred(at: rest) { (value, end) = (value + more.value, more.end) }
        } else if let more = belowHundred(at: index) {
            (value, end) = (more.value, more.end)
        }
        return Number(value: ExactDecimal(value), end: end)
    }

    private func belowHundred(at index: Int) -> (value: Int, end: Int)? {
        guard let first = word(index).flatMap({ vocabulary.numbers[$0] }) else { return nil }
        if first >= 20, let unit = word(index + 1).flatMap({ vocabulary.numbers[$0] }), (1...9).contains(unit) {
            return (first + unit, index + 2)
        }
        return (first, index + 1)
    }

    /// Returns the whole number that begins at a word, if it is in a range.
    func wholeNumber(at index: Int, in range: ClosedRange<Int>) -> (value: Int, end: Int)? {
        guard let number = number(at: index), let value = Int(number.value.description), range.contains(value) else {
            return nil
        }
        return (value, number.end)
    }
}

extension ExactDecimal {
    static let half = ExactDecimal(coefficient: 5, scale: 1)

    init(_ number: Int) { self.init(coefficient: Int64(number), scale: 0) }
}
