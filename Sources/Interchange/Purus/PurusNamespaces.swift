package import FoundationEssentials

/// Where ids are derived from that a document does not give.
///
/// Ids stand in clear in the log. Derived from what an entry says alone, an id would let anybody who has the folder try
/// out what somebody is called or what their blood value was. So each namespace is a secret of the journal, and that of a
/// record's entries one that is gone when its subject is erased.
package struct PurusNamespaces: Sendable {
    /// For records.
    let records: UUID
    /// For the entries of a record.
    let entries: @Sendable (UUID) throws -> UUID

    package init(records: UUID, entries: @escaping @Sendable (UUID) throws -> UUID) {
        self.records = records
        self.entries = entries
    }
}
