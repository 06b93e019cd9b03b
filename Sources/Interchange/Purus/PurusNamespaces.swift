package import FoundationEssentials

/// The namespaces from which ids are derived for records and entries without an id.
///
/// Ids are stored in the log in plaintext. If an id were derived from content alone, anyone with a copy of the folder
/// could test guesses of a name or of a blood value against it. Each namespace is therefore a secret of the journal,
/// and the namespace of a record's entries is destroyed when the record's subject is erased.
package struct PurusNamespaces: Sendable {
    /// The namespace of the ids of records.
    let records: UUID
    /// Returns the namespace of the ids of a record's entries.
    let entries: @Sendable (UUID) throws -> UUID

    package init(records: UUID, entries: @escaping @Sendable (UUID) throws -> UUID) {
        self.records = records
        self.entries = entries
    }
}
