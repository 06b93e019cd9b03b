package import FoundationEssentials
package import HealthModel

/// A part of the application that takes part in changes that the core makes.
///
/// A journal is opened with the capabilities that it has. Their methods do nothing by default.
package protocol Capability: Sendable {
    /// Follows a change of entries of a kind, or of several kinds if it is nil.
    ///
    /// The change is durable already: an error must not make it look refused.
    func entriesChanged(of kind: Kind?, in record: UUID, of journal: Journal, by caller: Caller) async

    /// Adds to the erasure of a record what ends with the record.
    func addErasure(of record: UUID, in journal: Journal, to change: inout Change) throws

    /// Returns what the operator should know of a journal; for `doctor`.
    func findings(in journal: Journal) -> [Finding]
}

extension Capability {
    package func entriesChanged(of kind: Kind?, in record: UUID, of journal: Journal, by caller: Caller) async {}
    package func addErasure(of record: UUID, in journal: Journal, to change: inout Change) throws {}
    package func findings(in journal: Journal) -> [Finding] { [] }
}

extension Journal {
    /// Tells the capabilities that entries of a record have changed: of one kind, or of several if it is nil.
    package func entriesChanged(of kind: Kind?, in record: UUID, by caller: Caller) async {
        for capability in capabilities { await capability.entriesChanged(of: kind, in: record, of: self, by: caller) }
    }

    /// Tells the capabilities that entries of several kinds have changed, such as by an import.
    package func entriesChanged(in records: Set<UUID>, by caller: Caller) async {
        for record in records { await entriesChanged(of: nil, in: record, by: caller) }
    }
}
