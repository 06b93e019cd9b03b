/// A name in the form in which names are compared: lowercase, without accents, with single spaces between words.
///
/// `Île-de-Mer 5` and `ile de mer 5` have the same form.
package struct FoldedName: Hashable, Sendable {
    package let text: String

    package init(_ name: String) {
        text = FoldedName.words(of: name).joined(separator: " ")
    }

    package var isEmpty: Bool { text.isEmpty }

    /// The longest phrase that is looked up in a text, in words.
    static let longestPhrase = 5

    /// Splits a text into folded words; everything but letters and digits separates words.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        fold(text) { letter in
            if let letter {
                word.append(letter)
            } else if !word.isEmpty {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
        }
        return words
    }

    /// Calls `take` with each folded letter and digit of a text, and with nil after each word.
    @inline(__always)
    static func fold(_ text: String, _ take: (Unicode.Scalar?) -> Void) {
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                // Most letters of most names, without a search in the tables of Unicode.
                switch scalar {
                case "a"..."z", "0"..."9": take(scalar)
                case "A"..."Z": take(Unicode.Scalar(UInt8(scalar.value) | 0x20))
                default: take(nil)
                }
                continue
            }
            // Accents that are separate scalars, after the letter to which they belong.
            if scalar.properties.generalCategory == .nonspacingMark { continue }
            let letters = bases[scalar].map { Array($0.unicodeScalars) } ?? lowercase(scalar)
            for letter in letters where letter.properties.generalCategory != .nonspacingMark {
                if letter.properties.isAlphabetic || letter.properties.numericType != nil {
                    for base in bases[letter].map({ Array($0.unicodeScalars) }) ?? [letter] { take(base) }
                } else {
                    take(nil)
                }
            }
        }
        take(nil)
    }

    private static func lowercase(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        scalar.isASCII && !("A"..."Z").contains(scalar)
            ? [scalar] : Array(scalar.properties.lowercaseMapping.unicodeScalars)
    }

    /// The letters of Latin alphabets with accents, and what they are without.
    ///
    /// A table of our own, so that names compare equal on every machine, whatever its version of Unicode is.
    private static let bases: [Unicode.Scalar: String] = {
        let letters: [(String, String)] = [
            ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("h", "ĥħ"),
            ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"), ("n", "ñńņňŉ"), ("o", "òóôõöøōŏő"),
            ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
            ("ae", "æ"), ("oe", "œ"), ("ss", "ß"), ("th", "þ"),
        ]
        var bases: [Unicode.Scalar: String] = [:]
        for (base, accented) in letters {
            for scalar in accented.unicodeScalars {
                bases[scalar] = base
                for upper in scalar.properties.uppercaseMapping.unicodeScalars where !upper.isASCII {
                    bases[upper] = base
                }
            }
        }
        return bases
    }()
}

extension FoldedName {
    /// Creates a name from words that are folded already.
    private init(words: some Sequence<String>) { text = words.joined(separator: " ") }

    /// Returns all phrases of a text, of up to five words each; a plural in -s counts as its singular as well.
    static func phrases(of text: String) -> Set<FoldedName> {
        let words = words(of: text)
        var found: Set<FoldedName> = []
        for start in words.indices {
            for end in start..<min(words.count, start + longestPhrase) {
                let phrase = FoldedName(words: words[start...end])
                found.insert(phrase)
                found.insert(phrase.singular)
            }
        }
        return found
    }

    /// The name without a final s, if it is long enough for a plural.
    var singular: FoldedName {
        text.utf8.count > 3 && text.hasSuffix("s") ? FoldedName(words: [String(text.dropLast())]) : self
    }
}
