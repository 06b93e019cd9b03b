/// The words that a search looks for.
///
/// A word is found where a word of the text begins with it. Case and accents do not count.
package struct SearchQuery: Hashable, Sendable {
    /// The maximum length of a query, in UTF-8 bytes.
    package static let maximumText = 200
    /// The maximum number of words; each has a bit in ``FoundWords``.
    package static let maximumWords = 16

    /// The text as it was typed.
    package let text: String
    private let words: [NameQuery]
    /// Whether each word may have a typing error: it is long enough, and no digit is in it.
    private let allowsError: [Bool]

    /// Throws `invalid` if a text is too long, has too many words, or has neither letters nor digits.
    package init(_ text: String) throws(ModelError) {
        try TextCheck.check(text, field: "text", maximum: SearchQuery.maximumText)
        self.text = text
        let words = FoldedName.words(of: text).map { NameQuery($0) }
        self.words = words
        allowsError = words.map { word in
            word.allowsError && !word.letters.contains { $0.properties.numericType != nil }
        }
        guard !words.isEmpty else {
            throw ModelError(.invalid, field: "text", "has no letter and no digit to look for")
        }
        guard words.count <= SearchQuery.maximumWords else {
            throw ModelError(.invalid, field: "text", "has more than \(SearchQuery.maximumWords) words")
        }
    }

    /// How well a text matches.
    package enum Match: Hashable, Sendable {
        case exact
        /// Some words have a typing error: a letter too many, too few, a wrong one, or two in the wrong order.
        case near
    }

    /// Which words of the query a text contains: a bit for each.
    package struct FoundWords: Hashable, Sendable {
        fileprivate var exact: UInt32 = 0
        fileprivate var near: UInt32 = 0

        package init() {}
    }

    /// Returns the words of the query that a text contains.
    package func words(in text: SearchText) -> FoundWords {
        var found = FoundWords()
        for index in words.indices {
            let (word, bit) = (words[index], UInt32(1) << UInt32(index))
            for range in text.words {
                if word.begins(text.letters[range]) {
                    found.exact |= bit
                    found.near |= bit
                    break
                }
                if allowsError[index], found.near & bit == 0, word.isNear(text.letters[range]) { found.near |= bit }
            }
        }
        return found
    }

    /// Returns how well a text matches that contains some words itself, and others through its context.
    ///
    /// All words must be found, and at least one of them in the text itself. The context of an entry is the name of its
    /// record: a search for "biscuit rabies" finds the vaccinations of Biscuit, but "biscuit" does not find all entries.
    package func match(_ own: FoundWords, context: FoundWords = FoundWords()) -> Match? {
        let all = UInt32((UInt64(1) << UInt64(words.count)) - 1)
        if own.exact != 0, own.exact | context.exact == all { return .exact }
        if own.near != 0, own.near | context.near == all { return .near }
        return nil
    }
}
