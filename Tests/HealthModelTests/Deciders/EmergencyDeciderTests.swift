import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("Decisions about the emergency view")
struct EmergencyDeciderTests {
    private func granted(_ until: String? = nil, emergencyAfterEnd: Bool = false) throws -> JournalEvent {
        let day = try until.map { text throws in try Day(parsing: text) }
        let terms = GrantTerms(sections: [.conflicts], until: day, emergencyAfterEnd: emergencyAfterEnd)
        return .caregiverGranted(account: Example.anna, terms: terms)
    }

    private func open(_ hours: Int = 4, _ reason: String = "found unconscious") -> EmergencyCommand {
        .open(account: Example.anna, hours: hours, reason: reason)
    }

    @Test("Any active grant opens the emergency view, and an ended one does only if its terms allow it")
    func opensForCaregiver() throws {
        let expires = Instant(microseconds: Example.now.microseconds + 4 * 3_600_000_000)
        let opened = [JournalEvent.emergencyOpened(account: Example.anna, expires: expires)]
        #expect(try Given(granted()).when(open()) == opened)
        // A grant that has ended does not allow opening the emergency view, unless the owner chose `emergencyAfterEnd`.
        #expect(refusal { try Given(granted("2020-01-01")).when(open()) }?.field == "account")
        #expect(try Given(granted("2020-01-01", emergencyAfterEnd: true)).when(open()) == opened)
        #expect(refusal { try Given().when(open()) }?.field == "account")
        let revoked = Given(try granted(), .caregiverRevoked(account: Example.anna))
        #expect(refusal { try revoked.when(open()) }?.field == "account")
    }

    @Test(
        "The emergency view can be opened for 1 to 24 hours",
        arguments: [(0, false), (1, true), (24, true), (25, false), (-1, false)]
    )
    func limitsHours(hours: Int, isOpened: Bool) throws {
        let given = Given(try granted())
        if isOpened {
            #expect(try given.when(open(hours)).count == 1)
        } else {
            #expect(refusal { try given.when(open(hours)) }?.field == "hours")
        }
    }

    @Test(
        "The emergency view needs a reason of at least ten characters, without counting extra white space",
        arguments: ["", "help", "         x", "a  \n\n   b\t\t", "123456789"]
    )
    func requiresReason(reason: String) throws {
        let given = Given(try granted())
        #expect(refusal { try given.when(open(4, reason)) }?.field == "reason")
    }

    @Test("An owner's acknowledgement of a notice is recorded once")
    func acknowledges() throws {
        let opened = JournalEvent.emergencyOpened(account: Example.anna, expires: Example.now)
        let given = Given(try granted(), opened)
        #expect(try given.when(.acknowledge(2)) == [.noticeAcknowledged(position: 2)])
        #expect(refusal { try given.when(.acknowledge(1)) }?.code == .notFound)
        #expect(try Given(granted(), opened, .noticeAcknowledged(position: 2)).when(.acknowledge(2)).isEmpty)
    }
}
