import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("Decisions about invitations")
struct InvitationDeciderTests {
    private static let day: Int64 = 86_400_000_000
    private let digest = [UInt8](repeating: 7, count: 32)

    private func invitation(_ number: UInt8 = 50, days: Int64 = 7, terms: GrantTerms = GrantTerms()) -> Invitation {
        Invitation(
            id: Example.id(number),
            digest: number == 50 ? digest : [UInt8](repeating: number, count: 32),
            terms: terms,
            expires: Instant(microseconds: Example.now.microseconds + days * Self.day)
        )
    }

    private func granted(_ number: UInt8) -> JournalEvent {
        .caregiverGranted(account: Example.id(number), terms: GrantTerms())
    }

    @Test("An invitation needs valid terms, an open record, and an expiry within 30 days")
    func invites() throws {
        #expect(try Given().when(.invite(invitation())) == [.caregiverInvited(invitation())])
        #expect(try Given().when(.invite(invitation(days: 30))).count == 1)
        #expect(refusal { try Given().when(.invite(invitation(days: 31))) }?.field == "expires")
        #expect(refusal { try Given().when(.invite(invitation(days: 0))) }?.field == "expires")
        #expect(refusal { try Given().when(.invite(invitation()), isClosed: true) }?.code == .conflict)
        #expect(refusal { try Given().when(.invite(invitation(terms: GrantTerms(sections: [])))) }?.field == "sections")
        let past = GrantTerms(until: try Day(parsing: "2026-03-03"))
        #expect(refusal { try Given().when(.invite(invitation(terms: past))) }?.field == "until")
    }

    @Test("The number of open invitations is limited, and expired ones do not count")
    func limitsOpenInvitations() throws {
        var state = GrantsState()
        for number in 0..<UInt8(Limits.invitations) {
            let event = RecordedEvent(
                stamp: Example.stamp(UInt64(number) + 1),
                subject: Example.record,
                stream: Example.record,
                event: .caregiverInvited(invitation(100 + number))
            )
            evolve(&state, event)
        }
        let invite = InvitationCommand.invite(invitation())
        #expect(refusal { try decide(invite, state, now: Example.now, today: Example.today) }?.code == .conflict)
        // Expired invitations do not count toward the limit.
        let later = Instant(microseconds: Example.now.microseconds + 8 * Self.day)
        var fresh = invitation()
        fresh.expires = Instant(microseconds: later.microseconds + Self.day)
        #expect(try decide(.invite(fresh), state, now: later, today: Day(of: later)).count == 1)
    }

    @Test("An invitation grants its terms once, and an unknown, used, withdrawn or expired one is refused")
    func acceptsOnce() throws {
        let terms = GrantTerms(sections: [.doctorlist])
        let given = Given(.caregiverInvited(invitation(terms: terms)))
        let accept = InvitationCommand.accept(digest: digest, by: Example.anna)
        #expect(
            try given.when(accept) == [
                .invitationAccepted(Example.id(50)),
                .caregiverGranted(account: Example.anna, terms: terms, invitedBy: Example.owner),
            ]
        )
        for (events, now) in [
            ([], Example.now),
            ([.caregiverInvited(invitation(51))], Example.now),
            ([.caregiverInvited(invitation()), .invitationAccepted(Example.id(50))], Example.now),
            ([.caregiverInvited(invitation()), .invitationWithdrawn(Example.id(50))], Example.now),
            ([.caregiverInvited(invitation())], invitation().expires),
        ] as [([JournalEvent], Instant)] {
            var state = GrantsState()
            for (offset, event) in events.enumerated() {
                let stamp = Example.stamp(UInt64(offset) + 1)
                evolve(
                    &state,
                    RecordedEvent(stamp: stamp, subject: Example.record, stream: Example.record, event: event)
                )
            }
            #expect(refusal { try decide(accept, state, now: now, today: Day(of: now)) } == .noInvitation)
        }
    }

    @Test("An invitation cannot be accepted beyond the limit, by an owner, or in a closed record")
    func refusesAcceptance() throws {
        let accept = InvitationCommand.accept(digest: digest, by: Example.anna)
        let three = Given(.caregiverInvited(invitation()), granted(11), granted(12), granted(13))
        #expect(refusal { try three.when(accept) }?.code == .conflict)
        let given = Given(.caregiverInvited(invitation()))
        #expect(refusal { try given.when(accept, owners: [Example.anna]) }?.field == "account")
        #expect(refusal { try given.when(accept, isClosed: true) }?.code == .conflict)
    }

    @Test("An invitation can be withdrawn, and withdrawing it again changes nothing")
    func withdrawsOnce() throws {
        let withdraw = InvitationCommand.withdraw(Example.id(50))
        #expect(try Given(.caregiverInvited(invitation())).when(withdraw) == [.invitationWithdrawn(Example.id(50))])
        let again = Given(.caregiverInvited(invitation()), .invitationWithdrawn(Example.id(50)))
        #expect(try again.when(withdraw).isEmpty)
        #expect(refusal { try Given().when(withdraw) }?.code == .notFound)
    }
}
