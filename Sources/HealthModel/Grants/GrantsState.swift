package import FoundationEssentials

/// One caregiver's grant as it is known at some position of the log.
package struct Grant: Hashable, Sendable {
    package var account: UUID
    package var terms: GrantTerms
    /// The event that gave the grant these terms.
    package var given: Stamp
    package var revoked: Stamp?

    package init(account: UUID, terms: GrantTerms, given: Stamp, revoked: Stamp? = nil) {
        self.account = account
        self.terms = terms
        self.given = given
        self.revoked = revoked
    }

    /// Whether the grant lets its caregiver in on a day.
    package func isActive(on day: Day) -> Bool {
        revoked == nil && terms.cover(day)
    }

    /// Whether the grant lets its caregiver in on a day or will on a later one: what the limit counts.
    package func isOpen(on day: Day) -> Bool {
        revoked == nil && terms.until.map { day <= $0 } ?? true
    }
}

/// All grants of one record as they are known at some position of the log, the revoked and the ended ones among them.
package struct GrantsState: Hashable, Sendable {
    package var grants: [UUID: Grant] = [:]

    package init() {}

    package subscript(account: UUID) -> Grant? { grants[account] }

    /// The grants that let somebody in on a day, in the order in which they were given.
    package func active(on day: Day) -> [Grant] {
        sorted.filter { $0.isActive(on: day) }
    }

    /// All grants in the order in which they were given.
    package var sorted: [Grant] {
        grants.values.sorted { ($0.given.position, $0.account.uuidString) < ($1.given.position, $1.account.uuidString) }
    }
}
