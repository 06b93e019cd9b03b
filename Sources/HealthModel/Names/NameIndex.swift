/// An index of names for completing what a person types.
///
/// It is a table of the starts of all words. A search visits each of them once, which takes a few milliseconds for
/// 100,000 names.
package struct NameIndex: Sendable {
    /// The folded names, one after another.
    private var letters: [Unicode.Scalar] = []
    private var names: [Name] = []
    /// Where each word begins in `letters`.
    private var wordStarts: [Int32] = []

    private struct Name {
        /// The item to which the name belongs; the names of an item follow each other.
        var item: Int32
        /// Which of the names of the item it is.
        var number: Int32
        /// The range of its words in `wordStarts`.
        var words: Range<Int32>
        var end: Int32
    }

    /// A name that was found.
    package struct Match: Hashable, Sendable {
        package var item: Int
        /// Which of the names of the item it is.
        package var name: Int
    }

    /// Creates the index of items with their names; the order of the items is that of the matches.
    package init(_ items: some Sequence<[String]>) {
        for (item, list) in items.enumerated() {
            for (number, text) in list.enumerated() {
                let first = Int32(wordStarts.count)
                for (index, word) in FoldedName.words(of: text).enumerated() {
                    if index > 0 { letters.append(" ") }
                    wordStarts.append(Int32(letters.count))
                    letters.append(contentsOf: word.unicodeScalars)
                }
                names.append(
                    Name(
                        item: Int32(item),
                        number: Int32(number),
                        words: first..<Int32(wordStarts.count),
                        end: Int32(letters.count)
                    )
                )
            }
        }
    }

    /// Returns the first items that have a name with a word that begins with the query, in their order.
    ///
    /// `mistyped` allows one typing error: a letter too many, too few, a wrong one, or two in the wrong order.
    package func matches(_ query: NameQuery, mistyped: Bool, limit: Int) -> [Match] {
        var found: [Match] = []
        guard !query.letters.isEmpty, limit > 0 else { return found }
        for name in names {
            if let last = found.last, last.item == Int(name.item) {
                // Of several names of an item, the one that was typed is meant.
                if !mistyped, isWhole(name, query) { found[found.count - 1].name = Int(name.number) }
                continue
            }
            if found.count == limit { break }
            let isFound = name.words.contains { word in
                let start = Int(wordStarts[Int(word)])
                return mistyped
                    ? query.isNear(letters[start..<Int(name.end)]) : query.begins(letters[start..<Int(name.end)])
            }
            if isFound { found.append(Match(item: Int(name.item), name: Int(name.number))) }
        }
        return found
    }

    private func isWhole(_ name: Name, _ query: NameQuery) -> Bool {
        guard let first = name.words.first else { return false }
        return letters[Int(wordStarts[Int(first)])..<Int(name.end)].elementsEqual(query.letters)
    }
}

/// A text that a person typed, prepared for a search.
package struct NameQuery: Hashable, Sendable {
    /// The folded text, with one space between words.
    let letters: [Unicode.Scalar]
    /// Whether it is long enough for a search that allows a typing error.
    package let allowsError: Bool

    /// From how many letters on a typing error is allowed.
    package static let lettersForError = 4

    package init(_ text: String) {
        letters = Array(FoldedName(text).text.unicodeScalars)
        allowsError = letters.count { $0 != " " } >= NameQuery.lettersForError
    }

    /// Reports whether a name begins with the query.
    func begins(_ name: ArraySlice<Unicode.Scalar>) -> Bool { name.starts(with: letters) }

    /// Reports whether a name begins with the query, or would without one typing error in it.
    ///
    /// If there is one error, all letters before the first difference are right, or are so by another reading of the
    /// error, so only the letters behind it need to be compared.
    func isNear(_ name: ArraySlice<Unicode.Scalar>) -> Bool {
        var (typed, right) = (letters.startIndex, name.startIndex)
        while typed < letters.endIndex, right < name.endIndex, letters[typed] == name[right] {
            typed += 1
            right += 1
        }
        guard typed < letters.endIndex else { return true }
        // A letter too many.
        if agree(typed + 1, right, name) { return true }
        guard right < name.endIndex else { return false }
        // A wrong letter, or one too few.
        if agree(typed + 1, right + 1, name) || agree(typed, right + 1, name) { return true }
        return typed + 1 < letters.endIndex && right + 1 < name.endIndex && letters[typed] == name[right + 1]
            && letters[typed + 1] == name[right] && agree(typed + 2, right + 2, name)
    }

    /// Reports whether the rest of a name begins with the rest of the query.
    private func agree(_ typed: Int, _ right: Int, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
        name[right...].starts(with: letters[typed...])
    }
}
