import Foundation
import TestSupport
import Testing

@testable import HealthModel

@Suite("Words that a search looks for")
struct SearchQueryTests {
    private func match(_ query: String, _ text: String, in context: String = "") throws -> SearchQuery.Match? {
        let query = try SearchQuery(query)
        return query.match(query.words(in: SearchText(text)), context: query.words(in: SearchText(context)))
    }

    @Test(
        "The beginning of each word is enough, whatever case, accents and order",
        arguments: [
            ("rabies", "Rabies, booster", SearchQuery.Match.exact), ("RAB boost", "Rabies, booster", .exact),
            ("booster rabies", "Rabies, booster", .exact), ("zurich", "Universitätsspital Zürich", .exact),
            ("universitätss", "UNIVERSITATSSPITAL", .exact), ("hauptstrasse", "Hauptstraße 7", .exact),
            ("75.4", "75.4 kg", .exact), ("2025-03", "2025-03-04", .exact), ("кашель", "Сухой Кашель", .exact),
        ]
    )
    func found(query: String, text: String, expected: SearchQuery.Match) throws {
        #expect(try match(query, text) == expected)
    }

    @Test(
        "One typing error is allowed in a word of four letters or more without a digit",
        arguments: [
            ("rabeis", "Rabies", SearchQuery.Match.near), ("rabbies", "Rabies", .near), ("rabis", "Rabies", .near),
            ("rasies", "Rabies", .near), ("metfromin 500", "Metformin 500 mg", .near),
        ]
    )
    func near(query: String, text: String, expected: SearchQuery.Match) throws {
        #expect(try match(query, text) == expected)
    }

    @Test(
        "Other words are not found",
        arguments: [
            ("rabies", "Rabbit"), ("abies", "xRabies"), ("bie", "Rabies"), ("cat", "car"), ("2024", "2025"),
            ("rabies tetanus", "Rabies"), ("rbeis", "Rabies"), ("a1b2", "a1b3"),
        ]
    )
    func missing(query: String, text: String) throws {
        #expect(try match(query, text) == nil)
    }

    @Test("The context completes what the text says, but does not suffice alone")
    func context() throws {
        #expect(try match("biscuit rabies", "Rabies", in: "Biscuit") == .exact)
        #expect(try match("biscuit rabeis", "Rabies", in: "Biscuit") == .near)
        #expect(try match("biscuit", "Rabies", in: "Biscuit") == nil)
        #expect(try match("biscuit rabies", "Tetanus", in: "Biscuit") == nil)
        #expect(try match("biscuit", "Biscuit was fine", in: "Biscuit") == .exact)
    }

    @Test("A query without a letter or digit, with too many words, or too long is refused with its field")
    func refused() {
        let texts = [
            "", "  -- !", String(repeating: "a ", count: 17),
            String(repeating: "a", count: SearchQuery.maximumText + 1), "a\u{7}b",
        ]
        for text in texts {
            let error = #expect(throws: ModelError.self) { try SearchQuery(text) }
            #expect(error?.code == .invalid, "\(text.count)")
            #expect(error?.field == "text", "\(text.count)")
        }
        #expect(throws: Never.self) { try SearchQuery(String(repeating: "a ", count: 16)) }
    }

    @Test("What people read in an entry is searched, and ids and digests are not")
    func entry() throws {
        var content = EntryContent(kind: Document.kind)
        let digest = String(repeating: "feedbee5", count: 8)
        for (name, text) in [
            ("date", "2025-03-04"), ("name", "Discharge letter"), ("content.digest", digest), ("content.size", "12"),
            ("comment", "from Dr. Müller"),
        ] { try content.set(name, text: text) }
        var text = SearchText()
        text.add(content)
        for (query, isFound) in [
            ("document", true), ("discharge", true), ("muller", true), ("2025", true), ("feedbee5", false),
        ] {
            let query = try SearchQuery(query)
            #expect((query.match(query.words(in: text)) == .exact) == isFound, "\(query.text)")
        }
    }

    /// One letter of a word is changed, removed, added or exchanged with the next one at random.
    @Test("Any single typing error in a long word is found")
    func anyError() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            var letters = Array("metoprolol")
            let index = Int.random(in: 0..<letters.count - 1, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: letters[index] = "x"
            case 1: letters.remove(at: index)
            case 2: letters.insert("x", at: index)
            default: letters.swapAt(index, index + 1)
            }
            let typed = String(letters)
            #expect(try match(typed, "Metoprolol") != nil, "\(typed)")
        }
    }
}
