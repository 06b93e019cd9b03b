internal import Crypto
internal import FoundationEssentials

/// How the payload of an event is sealed.
enum Sealing {
    /// Whether an event is sealed under the key of its entry.
    ///
    /// The event of an entry's erasure must stay readable.
    static func isByEntry(_ header: EventHeader) -> Bool {
        header.category == EventLog.entryCategory && header.entry != .zero && header.type != EventLog.entryErasedType
    }

    /// Whether a record must have a root for the keys of its entries when an event is appended.
    ///
    /// The root is created together with the record's own key, so that the first entry does not wait for another sync.
    static func needsRoot(_ header: EventHeader) -> Bool {
        isByEntry(header) || header.category == EventLog.recordCategory && header.stream == header.subject
    }

    /// A key that seals new events, and what the log must not have destroyed when they are committed.
    struct NewKey {
        let key: SymmetricKey
        /// The id of the root from which the key was derived; nil for any other key.
        var root: UUID?
        /// The id of the entry's slot that holds the key; nil for any other key.
        var slot: UUID?
    }
}

extension EventLog {
    /// The category of events that change an entry; `EventCategory.entry` of the model.
    package static let entryCategory: UInt16 = 4
    /// The category of events that change a record; `EventCategory.record` of the model.
    static let recordCategory: UInt16 = 3
}
