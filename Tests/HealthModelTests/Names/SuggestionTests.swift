import TestSupport
import Testing

@testable import HealthModel

/// Names that complete what a person types.
@Suite("Suggestions")
struct SuggestionTests {
    private func names(_ text: String, own: [String] = []) -> [String] {
        NameCatalogue.bundled.suggest(text, own: own).map(\.name)
    }

    @Test("Names of the record come first, then substances, then classes")
    func order() {
        let found = NameCatalogue.bundled.suggest("anti", own: ["Antilope Salve", "Zyx", "My anti-cold tea"])
        #expect(found.map(\.name).prefix(2) == ["Antilope Salve", "My anti-cold tea"])
        #expect(found.map(\.source).prefix(2) == [.own, .own])
        #expect(found.last?.source == .group)
        #expect(found.count == NameSuggestion.maximum)
        let statins = NameCatalogue.bundled.suggest("statin", own: [])
        #expect(statins.map(\.name) == ["statin"])
        #expect(statins.map(\.source) == [.group])
    }

    @Test("A name in another language or spelling leads to the same substance")
    func synonyms() throws {
        let found = try #require(NameCatalogue.bundled.suggest("acetaminoph", own: []).first)
        #expect(found.name == "Acetaminophen")
        #expect(found.substance == "paracetamol")
        #expect(names("PARACÉTAM") == ["Paracetamol"])
        #expect(names("vitamin d").first == "Vitamin D")
        #expect(names("felodipin").first == "Felodipin")
        #expect(names("säure").isEmpty)
        #expect(names("acide fol").first == "Acide folique")
        #expect(names("folico").first == "Ácido fólico")
    }

    @Test("A name that the record has is not suggested again as a substance")
    func once() throws {
        #expect(names("lisinop", own: ["LISINOPRIL", "Lisinopril"]) == ["LISINOPRIL"])
        let own = try #require(NameCatalogue.bundled.suggest("lisino", own: ["LISINOPRIL"]).first)
        #expect(own.source == .own)
        #expect(own.substance == "lisinopril")
        #expect(own.classes == ["ace-inhibitor"])
    }

    @Test(
        "One typing error is allowed from four letters on",
        arguments: ["lisonopril", "lisnopril", "lissinopril", "ilsinopril", "lisinoprli", "lixi"]
    )
    func errors(text: String) {
        #expect(names(text).contains("Lisinopril"))
    }

    @Test("Two typing errors, or one in three letters, find nothing of it")
    func tooManyErrors() {
        #expect(!names("lisonoprel").contains("Lisinopril"))
        #expect(!names("lix").contains("Lisinopril"))
        #expect(names("").isEmpty)
        #expect(names("!?").isEmpty)
    }

    @Test("A search finds what a slow comparison of all words finds")
    func slowReference() throws {
        try checkProperty("suggestions", times: 400) { random, comment in
            let items = (0..<random.int(0...60))
                .map { _ in
                    (0..<random.int(1...3)).map { _ in RandomName.make(&random) }
                }
            let index = NameIndex(items)
            // Names that begin like one of the items, with up to two errors, and others.
            var text =
                items.isEmpty || random.int(0...4) == 0
                ? RandomName.make(&random) : items.randomElement(using: &random)?.first ?? ""
            text = String(text.prefix(random.int(1...8)))
            for _ in 0..<random.int(0...2) { text = RandomName.mistyped(text, &random) }
            let query = NameQuery(text)
            let limit = random.int(1...10)
            for mistyped in [false, true] {
                let expected = items.enumerated()
                    .compactMap { item, names in
                        // A name that was typed whole is preferred to one that begins with it.
                        let whole = mistyped ? nil : names.lastIndex { FoldedName($0) == FoldedName(text) }
                        return SlowSearch.first(names, FoldedName(text).text, errors: mistyped ? 1 : 0)
                            .map { NameIndex.Match(item: item, name: whole ?? $0) }
                    }
                #expect(
                    index.matches(query, mistyped: mistyped, limit: limit) == Array(expected.prefix(limit)),
                    comment
                )
            }
        }
    }
}

/// Names of few different letters, so that many of them resemble each other.
private enum RandomName {
    static func make(_ random: inout SeededGenerator) -> String {
        (0..<random.int(1...3))
            .map { _ in
                String((0..<random.int(1...6)).map { _ in "abÁcé".randomElement(using: &random) ?? "a" })
            }
            .joined(separator: random.bool() ? " " : "-")
    }

    static func mistyped(_ text: String, _ random: inout SeededGenerator) -> String {
        var letters = Array(text)
        let place = random.int(0...max(0, letters.count - 1))
        switch random.int(0...3) {
        case 0: letters.insert("b", at: place)
        case 1 where !letters.isEmpty: letters.remove(at: place)
        case 2 where !letters.isEmpty: letters[place] = "c"
        case 3 where place + 1 < letters.count: letters.swapAt(place, place + 1)
        default: break
        }
        return String(letters)
    }
}

/// A search by the definition: the distance of the text to each beginning of each end of a name.
private enum SlowSearch {
    static func first(_ names: [String], _ text: String, errors: Int) -> Int? {
        guard !text.isEmpty else { return nil }
        return names.firstIndex { name in
            let words = FoldedName.words(of: name)
            return words.indices.contains { start in
                let end = Array(words[start...].joined(separator: " "))
                return (0...end.count).contains { distance(Array(text), Array(end[..<$0])) <= errors }
            }
        }
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours between two texts.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
