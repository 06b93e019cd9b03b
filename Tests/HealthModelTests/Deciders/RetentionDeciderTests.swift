import Testing

@testable import HealthModel

@Suite("Decisions about holds and erasures")
struct RetentionDeciderTests {
    private let created: JournalEvent
    private let today = Example.today
    private let tomorrow = Day(daysSince1970: Example.today.daysSince1970 + 1)
    private let yesterday = Day(daysSince1970: Example.today.daysSince1970 - 1)

    init() throws {
        created = .recordCreated(try Example.profile(.human, [("givenName", "Ada")]), owners: [Example.owner])
    }

    @Test("An open or closed record can be held until today or a later day")
    func holdsARecord() throws {
        #expect(try Given(created).when(.hold(until: tomorrow)) == [.recordHeld(until: tomorrow)])
        #expect(try Given(created).when(.hold(until: today)) == [.recordHeld(until: today)])
        #expect(try Given(created, .recordClosed).when(.hold(until: tomorrow)) == [.recordHeld(until: tomorrow)])
    }

    @Test("A hold can be extended but not shortened")
    func extendsHold() throws {
        let later = Day(daysSince1970: tomorrow.daysSince1970 + 1)
        let held = Given(created, .recordHeld(until: tomorrow))
        #expect(try held.when(.hold(until: later)) == [.recordHeld(until: later)])
        #expect(try held.when(.hold(until: tomorrow)).isEmpty)
        #expect(refusal { try held.when(.hold(until: today)) }?.code == .conflict)
    }

    @Test("A hold must end between today and 30 years from today")
    func limitsHold() throws {
        #expect(refusal { try Given(created).when(.hold(until: yesterday)) }?.field == "until")
        let last = today.adding(years: Limits.holdYears)
        #expect(try Given(created).when(.hold(until: last)) == [.recordHeld(until: last)])
        let beyond = Day(daysSince1970: last.daysSince1970 + 1)
        #expect(refusal { try Given(created).when(.hold(until: beyond)) }?.field == "until")
    }

    @Test("An open or closed record without a hold can be erased")
    func erasesWithoutHold() throws {
        #expect(try Given(created).when(.erase) == [.recordErased])
        #expect(try Given(created, .recordClosed).when(.erase) == [.recordErased])
    }

    @Test("A held record cannot be erased before the end of the hold")
    func refusesErasureDuringHold() throws {
        let held = Given(created, .recordHeld(until: today))
        #expect(refusal { try held.when(.erase) }?.code == .conflict)
        #expect(refusal { try held.when(.erase, today: yesterday) }?.code == .conflict)
        #expect(try held.when(.erase, today: tomorrow) == [.recordErased])
    }

    @Test("A missing record cannot be held or erased, and an erased one cannot be erased again")
    func missingRecord() {
        #expect(refusal { try Given().when(.hold(until: tomorrow)) }?.code == .notFound)
        #expect(refusal { try Given().when(.erase) }?.code == .notFound)
        #expect(refusal { try Given(created, .recordErased).when(.erase) }?.code == .notFound)
    }
}
