package import FoundationEssentials

/// One opening of a record's emergency view by a caregiver, as of a position of the log.
package struct Emergency: Hashable, Sendable {
    package var account: UUID
    /// The first moment at which the view is closed again.
    package var expires: Instant
    package var opened: Stamp
    /// The reason that the caregiver gave.
    package var reason: String
    /// When and by which owner the opening was acknowledged; nil if it was not.
    package var acknowledged: Stamp?
    /// When and by whom the view was closed before it expired: the grant was revoked, or the profile no longer permits
    /// practices to open it; nil if it was not.
    package var ended: Stamp?

    package init(account: UUID, expires: Instant, opened: Stamp, reason: String) {
        self.account = account
        self.expires = expires
        self.opened = opened
        self.reason = reason
    }

    package func isOpen(at now: Instant) -> Bool { ended == nil && now < expires }

    /// The kinds of entries that the emergency view shows, besides a name and a date of birth.
    package static let kinds = Set(Kind.all.filter(\.isUrgent))

    /// The kinds whose entries of the last `recentMinutes` the view of a whole record also shows.
    package static let recentKinds: Set<Kind> = [Dose.kind]
    package static let recentMinutes = 48 * 60
}
