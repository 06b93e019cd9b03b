/// Erasures that an older copy of the key file had undone were repeated.
package struct ErasuresRepeated: EventData {
    /// The number of records, people and entries whose keys were destroyed again.
    package var count: UInt64

    package static var type: EventType { EventType(code: 203) }

    package static let definition = EventDefinition(
        "erasures.repeated",
        .journal,
        "Erasures repeated",
        ErasuresRepeated.init,
        EventField(1, "count", \.count, .json)
    )

    package var summary: EventSummary {
        count == 1
            ? "an erasure that an older key file had undone" : "\(count) erasures that an older key file had undone"
    }
}

extension JournalEvent {
    package static func erasuresRepeated(count: Int) -> JournalEvent {
        JournalEvent(ErasuresRepeated(count: UInt64(count)))
    }
}
