import Testing

@testable import HealthModel

@Suite("Decisions about entries")
struct EntryDeciderTests {
    private let light: EntryContent
    private let heavy: EntryContent

    init() throws {
        light = try Example.weight("72.5")
        heavy = try Example.weight("75.5")
    }

    @Test("An entry can be added only once")
    func addsAnEntryOnce() throws {
        #expect(try Given().when(.add(light)) == [.entryAdded(light)])
        #expect(refusal { try Given(.entryAdded(light)).when(.add(light)) }?.code == .conflict)
    }

    @Test("Invalid content is refused when an entry is added or corrected")
    func refusesInvalidContent() throws {
        let invalid = try Example.weight("-1")
        #expect(refusal { try Given().when(.add(invalid)) }?.field == "value")
        #expect(refusal { try Given(.entryAdded(light)).when(.correct(invalid)) }?.field == "value")
    }

    @Test("A correction is recorded only if it differs from the latest content")
    func correctsDifferences() throws {
        #expect(try Given(.entryAdded(light)).when(.correct(heavy)) == [.entryCorrected(heavy)])
        #expect(try Given(.entryAdded(light)).when(.correct(light)).isEmpty)
        // The comparison is with the last correction, not with the content that was added.
        #expect(try Given(.entryAdded(light), .entryCorrected(heavy)).when(.correct(light)) == [.entryCorrected(light)])
        #expect(try Given(.entryAdded(light), .entryCorrected(heavy)).when(.correct(heavy)).isEmpty)
    }

    @Test("A correction cannot change the kind of an entry")
    func keepsKind() {
        let drug = EntryContent(kind: Drug.kind)
        #expect(refusal { try Given(.entryAdded(light)).when(.correct(drug)) }?.field == "kind")
    }

    @Test("An entry can be retracted and restored, and cannot be corrected while it is retracted")
    func retractsAndRestores() throws {
        #expect(try Given(.entryAdded(light)).when(.retract) == [.entryRetracted])
        #expect(refusal { try Given(.entryAdded(light), .entryRetracted).when(.retract) }?.code == .conflict)
        #expect(refusal { try Given(.entryAdded(light), .entryRetracted).when(.correct(heavy)) }?.code == .conflict)
        #expect(try Given(.entryAdded(light), .entryRetracted).when(.restore) == [.entryRestored])
        #expect(refusal { try Given(.entryAdded(light)).when(.restore) }?.code == .conflict)
        #expect(try Given(.entryAdded(light), .entryRetracted, .entryRestored).when(.retract) == [.entryRetracted])
    }

    @Test("A change of an entry that does not exist is refused as not found")
    func missingEntry() {
        for command in [EntryCommand.correct(light), .retract, .restore] {
            #expect(refusal { try Given().when(command) }?.code == .notFound)
        }
    }

    @Test("Every change of an entry in a closed record is refused")
    func closedRecord() {
        for command in [EntryCommand.add(light), .correct(heavy), .retract, .restore] {
            #expect(refusal { try Given(.entryAdded(light)).when(command, isClosed: true) }?.code == .conflict)
        }
        #expect(refusal { try Given().when(.add(light), isClosed: true) }?.code == .conflict)
    }
}
