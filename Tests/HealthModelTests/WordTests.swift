import HealthModel
import Testing

/// The words that people type instead of codes.
@Suite("Words")
struct WordTests {
    @Test("Each kind is found by its code, its label and its plural, and no word means two kinds")
    func kinds() throws {
        for kind in Kind.all {
            for text in [
                kind.name, kind.label, kind.plural, kind.word, kind.word.replacing(" ", with: "-"),
                kind.label.uppercased(),
            ] { #expect(Kind.typed(text) == kind, "\(text)") }
        }
        #expect(Kind.typed("medication")?.name == "drug")
        #expect(Kind.typed("blood-values")?.name == "blood")
        #expect(Kind.typed("") == nil)
        #expect(Kind.typed("medications for the heart") == nil)
    }

    @Test("Sections and verbs are found by their words and codes, and the words are not those of others")
    func sections() throws {
        for section in Section.allCases {
            #expect(try Section(typed: section.word) == section && Section(typed: section.name) == section)
        }
        for verb in Verb.allCases { #expect(try Verb(typed: verb.word) == verb && Verb(typed: verb.name) == verb) }
        #expect(try Section(typed: "Doctors") == .doctorlist && Verb(typed: "add") == .contribute)
        #expect(throws: ModelError.self) { try Section(typed: "doctor") }
        // The interfaces accept codes alone.
        #expect(throws: ModelError.self) { try Section(named: "doctors") }
    }
}
