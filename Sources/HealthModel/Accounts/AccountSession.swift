package import FoundationEssentials

/// A session of a signed-in account; its secret is issued once and never stored.
package struct AccountSession: Hashable, Sendable {
    package var id: UUID
    /// The SHA-256 of the secret.
    package var digest: [UInt8]
    /// The first moment at which the session is no longer valid.
    package var expires: Instant

    package init(id: UUID, digest: [UInt8], expires: Instant) {
        self.id = id
        self.digest = digest
        self.expires = expires
    }
}

/// The state of a session as of a position of the log.
package struct SessionState: Hashable, Sendable {
    package var session: AccountSession
    package var begun: Stamp
    package var ended: Stamp?

    package init(session: AccountSession, begun: Stamp, ended: Stamp? = nil) {
        self.session = session
        self.begun = begun
        self.ended = ended
    }

    package var id: UUID { session.id }
    package var digest: [UInt8] { session.digest }
    package var expires: Instant { session.expires }

    /// Reports whether the session is valid at a moment.
    package func isOpen(at now: Instant) -> Bool { ended == nil && now < expires }
}
