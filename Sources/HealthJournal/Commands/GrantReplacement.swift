/// The existing grant that a new one may replace.
package enum GrantReplacement: Hashable, Sendable {
    /// None: the request fails if the account already has an open grant on other terms.
    case none
    /// The grant that was given at this position, which the caller has seen.
    case given(at: UInt64)
    /// Any existing grant.
    case any
}
