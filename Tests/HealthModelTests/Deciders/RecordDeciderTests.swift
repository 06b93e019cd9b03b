import Testing

@testable import HealthModel

struct RecordDeciderTests {
    private let ada: RecordProfile
    private let created: JournalEvent

    init() throws {
        ada = try Example.profile(.human, [("givenName", "Ada")])
        created = .recordCreated(ada, owners: [Example.owner])
    }

    @Test func createsARecord() throws {
        #expect(try Given().when(.create(ada, owner: Example.owner)) == [created])
    }

    @Test func createsNoRecordTwice() {
        #expect(refusal { try Given(created).when(.create(ada, owner: Example.owner)) }?.code == .conflict)
    }

    @Test func createsNoRecordOfInvalidValues() throws {
        let invalid = try Example.profile(.human, [("birthdate", "1800-01-01")])
        #expect(refusal { try Given().when(.create(invalid, owner: Example.owner)) }?.field == "birthdate")
        #expect(refusal { try Given(created).when(.change(invalid)) }?.field == "birthdate")
    }

    @Test func changesARecordOnlyWhereItDiffers() throws {
        let married = try Example.profile(.human, [("givenName", "Ada"), ("familyName", "King")])
        #expect(try Given(created).when(.change(married)) == [.recordChanged(married)])
        #expect(try Given(created).when(.change(ada)).isEmpty)
        #expect(try Given(created, .recordChanged(married)).when(.change(ada)) == [.recordChanged(ada)])
    }

    @Test func keepsItsSubject() {
        let animal = RecordProfile(subject: .animal)
        #expect(refusal { try Given(created).when(.change(animal)) }?.field == "subject")
    }

    @Test func refusesChangesOnceClosed() throws {
        #expect(try Given(created).when(RecordCommand.close) == [.recordClosed])
        #expect(refusal { try Given(created, .recordClosed).when(RecordCommand.close) }?.code == .conflict)
        #expect(refusal { try Given(created, .recordClosed).when(.change(ada)) }?.code == .conflict)
    }

    @Test func findsNothingToChange() {
        #expect(refusal { try Given().when(.change(ada)) }?.code == .notFound)
        #expect(refusal { try Given().when(RecordCommand.close) }?.code == .notFound)
    }
}
