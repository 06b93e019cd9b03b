package import FoundationEssentials

/// That a caregiver opened the emergency view of a record, as it is known at some position of the log.
package struct Emergency: Hashable, Sendable {
    package var account: UUID
    /// The first moment at which the view is closed again.
    package var expires: Instant
    package var opened: Stamp
    /// Why, in the words of who opened it.
    package var reason: String
    /// When an owner said that they had seen it, and which.
    package var acknowledged: Stamp?

    package init(account: UUID, expires: Instant, opened: Stamp, reason: String) {
        self.account = account
        self.expires = expires
        self.opened = opened
        self.reason = reason
    }

    package func isOpen(at now: Instant) -> Bool { now < expires }

    /// What is shown of a record, besides a name and a date of birth: what somebody needs who treats a stranger.
    package static let kinds: Set<Kind> = [Allergy.kind, Drug.kind, EmergencyContact.kind]
}
