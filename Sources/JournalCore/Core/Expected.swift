package import FoundationEssentials
package import HealthModel

/// The state that a caller expects of an entry that it changes.
package struct ExpectedEntry: Hashable, Sendable {
    /// The record and the kind under which the entry was requested; an entry of others counts as not found.
    package var record: UUID?
    package var kind: Kind?
    /// The position of the entry's last change that the caller has seen.
    package var position: UInt64?

    package init(record: UUID? = nil, kind: Kind? = nil, position: UInt64? = nil) {
        self.record = record
        self.kind = kind
        self.position = position
    }

    func isPlace(of state: EntryState) -> Bool {
        record ?? state.record == state.record && kind ?? state.kind == state.kind
    }

    func requireSeen(_ state: EntryState) throws(JournalError) {
        if let position, position != state.latest.position { throw .stale }
    }
}
