package import FoundationEssentials
package import HealthModel

/// What a caller takes for granted of an entry that is to be changed.
package struct ExpectedEntry: Hashable, Sendable {
    /// The record and the kind under which it was asked for; of others there is no such entry.
    package var record: UUID?
    package var kind: Kind?
    /// The position of its last change that the caller has seen.
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
