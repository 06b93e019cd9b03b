import HealthModel
import Testing

@testable import Interchange

@Suite("Comparison of contents")
struct ComparisonTests {
    private func cost(_ amount: String, currency: String? = nil) throws -> EntryContent {
        var content = EntryContent(kind: Cost.kind)
        content.body[Cost.year] = .integer(2024)
        content.body[Cost.amount] = .decimal(try ExactDecimal(parsing: amount))
        content.body[Cost.basis] = .text(Cost.item)
        content.body[Cost.currency] = currency.map { .text($0) }
        return content
    }

    @Test("Numbers are compared by value, no matter how many decimal places they have")
    func comparesNumbersByValue() throws {
        #expect(try cost("75.50").hasSameContent(as: cost("75.5")))
        #expect(try !cost("75.50").hasSameContent(as: cost("75.51")))
    }

    @Test("An inferred value is not compared")
    func ignoresInferredValues() throws {
        var guessed = try cost("1", currency: "CHF")
        guessed.inferred = ["currency"]
        #expect(try guessed.hasSameContent(as: cost("1")))
        #expect(try !cost("1", currency: "CHF").hasSameContent(as: cost("1")))
        #expect(try !cost("1", currency: "CHF").hasSameContent(as: cost("1", currency: "EUR")))
    }

    @Test("The times at which the source app created and updated an entry are not compared")
    func ignoresSourceTimes() throws {
        var stamped = try cost("1")
        stamped.extra = [Extra(name: "createdAt", json: "1"), Extra(name: "mood", json: "2")]
        var other = try cost("1")
        #expect(!stamped.hasSameContent(as: other))
        other.extra = [Extra(name: "mood", json: "2"), Extra(name: "updatedAt", json: "3")]
        #expect(stamped.hasSameContent(as: other))
    }

    @Test("The bytes of a document are compared only if both sides have them")
    func ignoresMissingBytes() {
        var kept = EntryContent(kind: Document.kind)
        var content = FieldValues()
        content[Document.digest] = .text(String(repeating: "a", count: 64))
        content[Document.size] = .integer(4)
        kept.body[Document.content] = .group(content)
        var missing = EntryContent(kind: Document.kind)
        missing.body[Document.missing] = .flag(true)
        #expect(kept.hasSameContent(as: missing) && missing.hasSameContent(as: kept))
        var other = kept
        content[Document.size] = .integer(5)
        other.body[Document.content] = .group(content)
        #expect(!kept.hasSameContent(as: other))
    }

    @Test("An inferred currency is not exported, and the exported entry has the same id and content")
    func inferredCurrency() throws {
        let text = Fixtures.person(#""petYearlyCostEntries": [{"year": 2024, "amount": 1.50}]"#)
        let record = try Fixtures.read(text)
        var state = Fixtures.state(record)
        state.entries[0].content.body[Cost.currency] = .text("CHF")
        state.entries[0].content.inferred = ["currency"]
        let exported = PurusDocument.write(state)
        #expect(try Fixtures.array("petYearlyCostEntries", of: exported)[0]["currency"] == nil)
        let again = try PurusDocument.read(JSONWriter.bytes(exported), options: Fixtures.options())
        #expect(again.entries[0].id == record.entries[0].id)
        #expect(again.entries[0].content.hasSameContent(as: state.entries[0].content))
    }

    @Test("The comment, date, voice entry flag and subject are compared")
    func comparesOtherFields() throws {
        let base = try cost("1")
        var other = base
        other.comment = "x"
        #expect(!base.hasSameContent(as: other))
        other = base
        other.date = .day(Day(daysSince1970: 1))
        #expect(!base.hasSameContent(as: other))
        other = base
        other.voiceEntryUsed = true
        #expect(!base.hasSameContent(as: other))
        #expect(!RecordProfile(subject: .human).hasSameContent(as: RecordProfile(subject: .animal)))
    }
}
