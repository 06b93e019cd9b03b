package import FoundationEssentials
package import HealthModel

/// What accepting an invitation would do for the account that holds its code.
package struct InvitationPreview: Hashable, Sendable {
    package let record: UUID
    /// The terms that the invitation grants.
    package let terms: GrantTerms
    /// The account's own grant on the record, which accepting replaces; nil if it has no open grant.
    package let replaced: Grant?

    package init(record: UUID, terms: GrantTerms, replaced: Grant?) {
        self.record = record
        self.terms = terms
        self.replaced = replaced
    }
}
