import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("Decisions about owners")
struct OwnerDeciderTests {
    private let created = JournalEvent.recordCreated(RecordProfile(subject: .human), owners: [Example.owner])

    private func granted(_ account: UUID) -> JournalEvent {
        .caregiverGranted(account: account, terms: GrantTerms())
    }

    @Test("Adding an owner again changes nothing, and a closed or missing record gets no new owner")
    func addsAnOwnerOnce() throws {
        #expect(try Given(created).when(.add(Example.anna)) == [.recordOwnerAdded(Example.anna)])
        #expect(try Given(created, .recordOwnerAdded(Example.anna)).when(.add(Example.anna)).isEmpty)
        #expect(try Given(created).when(.add(Example.owner)).isEmpty)
        #expect(refusal { try Given().when(.add(Example.anna)) }?.code == .notFound)
        #expect(refusal { try Given(created, .recordClosed).when(.add(Example.anna)) }?.code == .conflict)
    }

    @Test("The grant of an account that becomes an owner is revoked")
    func revokesGrantOfNewOwner() throws {
        let added = [JournalEvent.recordOwnerAdded(Example.anna), .caregiverRevoked(account: Example.anna)]
        #expect(try Given(created, granted(Example.anna)).when(.add(Example.anna)) == added)
        let revoked = Given(created, granted(Example.anna), .caregiverRevoked(account: Example.anna))
        #expect(try revoked.when(.add(Example.anna)) == [.recordOwnerAdded(Example.anna)])
    }

    @Test("A record has at most ten owners")
    func limitsOwners() throws {
        let ten = JournalEvent.recordCreated(
            RecordProfile(subject: .human),
            owners: (0..<UInt8(Limits.owners)).map { Example.id(100 + $0) }
        )
        #expect(refusal { try Given(ten).when(.add(Example.anna)) }?.field == "account")
    }

    @Test("Any owner except the last can be removed, also from a closed record")
    func removesAnyOwnerButTheLast() throws {
        let two = Given(created, .recordOwnerAdded(Example.anna))
        #expect(try two.when(.remove(Example.owner)) == [.recordOwnerRemoved(Example.owner)])
        #expect(try two.when(.remove(Example.anna)) == [.recordOwnerRemoved(Example.anna)])
        #expect(refusal { try Given(created).when(.remove(Example.owner)) }?.code == .conflict)
        #expect(refusal { try Given(created).when(.remove(Example.anna)) }?.code == .notFound)
        let left = Given(created, .recordOwnerAdded(Example.anna), .recordOwnerRemoved(Example.owner))
        #expect(refusal { try left.when(.remove(Example.anna)) }?.code == .conflict)
        // Removing an owner does not change the record's contents, so it is allowed in a closed record.
        let closed = Given(created, .recordOwnerAdded(Example.anna), .recordClosed)
        #expect(try closed.when(.remove(Example.anna)) == [.recordOwnerRemoved(Example.anna)])
    }

    @Test("The removal of an owner withdraws the open invitations that this owner created")
    func withdrawsInvitations() throws {
        let invitation = Invitation(
            id: Example.id(50),
            digest: [UInt8](repeating: 1, count: 32),
            terms: GrantTerms(),
            expires: Instant(microseconds: Example.now.microseconds + 1_000_000)
        )
        // `Given` records all events with the owner as the actor, so the invitation is the owner's.
        let given = Given(created, .recordOwnerAdded(Example.anna), .caregiverInvited(invitation))
        let gone: [JournalEvent] = [.invitationWithdrawn(invitation.id), .recordOwnerRemoved(Example.owner)]
        #expect(try Set(given.when(.remove(Example.owner))) == Set(gone))
        #expect(try given.when(.remove(Example.anna)) == [.recordOwnerRemoved(Example.anna)])
    }

    @Test("A transfer leaves one owner, revokes all active grants and withdraws all open invitations")
    func transfers() throws {
        let invitation = Invitation(
            id: Example.id(50),
            digest: [UInt8](repeating: 1, count: 32),
            terms: GrantTerms(),
            expires: Instant(microseconds: Example.now.microseconds + 1_000_000)
        )
        var used = invitation
        used.id = Example.id(51)
        let given = Given(
            created,
            .recordOwnerAdded(Example.id(40)),
            granted(Example.anna),
            granted(Example.id(41)),
            .caregiverRevoked(account: Example.id(41)),
            granted(Example.id(42)),
            .caregiverInvited(invitation),
            .caregiverInvited(used),
            .invitationAccepted(used.id)
        )
        #expect(
            try given.when(.transfer(to: Example.id(42))) == [
                .recordTransferred(to: Example.id(42)), .caregiverRevoked(account: Example.anna),
                .caregiverRevoked(account: Example.id(42)), .invitationWithdrawn(invitation.id),
            ]
        )
        // A transfer to one of several owners makes that account the only owner; a transfer to the only owner changes
        // nothing.
        #expect(
            try Given(created, .recordOwnerAdded(Example.anna)).when(.transfer(to: Example.anna))
                == [.recordTransferred(to: Example.anna)]
        )
        #expect(try Given(created, granted(Example.anna)).when(.transfer(to: Example.owner)).isEmpty)
        #expect(refusal { try Given(created, .recordClosed).when(.transfer(to: Example.anna)) }?.code == .conflict)
    }

    @Test("The owners of a record follow from the events that add, remove and replace them")
    func foldsOwners() {
        var owners = [UUID]().owners(after: created)
        #expect(owners == [Example.owner])
        owners = owners.owners(after: .recordOwnerAdded(Example.anna)).owners(after: .recordOwnerAdded(Example.anna))
        #expect(owners == [Example.owner, Example.anna])
        #expect(owners.owners(after: .recordOwnerRemoved(Example.owner)) == [Example.anna])
        #expect(owners.owners(after: .recordTransferred(to: Example.id(9))) == [Example.id(9)])
        #expect(owners.owners(after: .recordClosed) == owners)
    }
}
