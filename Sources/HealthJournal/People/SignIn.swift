package import FoundationEssentials
package import HealthModel

/// Where somebody signs in from.
package struct SignInSource: Hashable, Sendable {
    package var source: EventSource
    /// What tells one machine from another, as an IP address; kept in memory alone, to limit attempts by it.
    package var address: String?

    package init(_ source: EventSource, address: String? = nil) {
        self.source = source
        self.address = address
    }
}

/// That somebody signed in.
package struct SignIn: Hashable, Sendable {
    /// What lets them in from now on; shown this once.
    package let secret: String
    package let session: UUID
    package let account: UUID
    package let expires: Instant
}
