import Testing

@testable import HealthModel

@Suite("Decisions about records")
struct RecordDeciderTests {
    private let ada: RecordProfile
    private let created: JournalEvent

    init() throws {
        ada = try Example.profile(.human, [("givenName", "Ada")])
        created = .recordCreated(ada, owners: [Example.owner])
    }

    @Test("A record is created with its profile and owner")
    func createsARecord() throws {
        #expect(try Given().when(.create(ada, owner: Example.owner)) == [created])
    }

    @Test("A record cannot be created twice")
    func refusesSecondCreation() {
        #expect(refusal { try Given(created).when(.create(ada, owner: Example.owner)) }?.code == .conflict)
    }

    @Test("An invalid profile is refused when a record is created or changed")
    func refusesInvalidProfile() throws {
        let invalid = try Example.profile(.human, [("birthdate", "1800-01-01")])
        #expect(refusal { try Given().when(.create(invalid, owner: Example.owner)) }?.field == "birthdate")
        #expect(refusal { try Given(created).when(.change(invalid)) }?.field == "birthdate")
    }

    @Test("A change is recorded only if it differs from the latest profile")
    func changesDifferences() throws {
        let married = try Example.profile(.human, [("givenName", "Ada"), ("familyName", "King")])
        #expect(try Given(created).when(.change(married)) == [.recordChanged(married)])
        #expect(try Given(created).when(.change(ada)).isEmpty)
        #expect(try Given(created, .recordChanged(married)).when(.change(ada)) == [.recordChanged(ada)])
    }

    @Test("A person's record cannot become an animal's")
    func keepsSubject() {
        let animal = RecordProfile(subject: .animal)
        #expect(refusal { try Given(created).when(.change(animal)) }?.field == "subject")
    }

    @Test("A closed record cannot be changed or closed again")
    func refusesChangesOnceClosed() throws {
        #expect(try Given(created).when(RecordCommand.close) == [.recordClosed])
        #expect(refusal { try Given(created, .recordClosed).when(RecordCommand.close) }?.code == .conflict)
        #expect(refusal { try Given(created, .recordClosed).when(.change(ada)) }?.code == .conflict)
    }

    @Test("A closed record is reopened, an open one is not, and a reopened one can be changed")
    func reopens() throws {
        #expect(try Given(created, .recordClosed).when(RecordCommand.reopen) == [.recordReopened])
        #expect(refusal { try Given(created).when(RecordCommand.reopen) }?.code == .conflict)
        #expect(refusal { try Given().when(RecordCommand.reopen) }?.code == .notFound)
        #expect(try Given(created, .recordClosed, .recordReopened).when(RecordCommand.close) == [.recordClosed])
    }

    @Test("A record that does not exist cannot be changed or closed")
    func missingRecord() {
        #expect(refusal { try Given().when(.change(ada)) }?.code == .notFound)
        #expect(refusal { try Given().when(RecordCommand.close) }?.code == .notFound)
    }
}
