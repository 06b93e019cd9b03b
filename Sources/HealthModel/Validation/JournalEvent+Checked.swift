extension JournalEvent {
    /// The event that begins a journal, if its values may enter the log.
    ///
    /// Whether the zone is one that the machine knows is for the caller to see: that takes a look at its files.
    package static func creating(name: String, zone: String) throws(ModelError) -> JournalEvent {
        try TextCheck.check(name, field: "name", maximum: Limits.line)
        if zone.isEmpty { throw ModelError(.invalid, field: "zone", "is required") }
        try TextCheck.check(zone, field: "zone", maximum: Limits.line)
        return .journalCreated(name: name, zone: zone)
    }

    /// The event that keeps what another tool sent, if it may enter the log.
    package static func receiving(
        streamName: String,
        contentType: String,
        data: [UInt8]
    ) throws(ModelError) -> JournalEvent {
        try check(streamName: streamName)
        try TextCheck.check(contentType, field: "contentType", maximum: Limits.contentType)
        if data.count > Limits.externalData {
            throw ModelError(.invalid, field: "data", "is longer than \(Limits.externalData) bytes")
        }
        return .externalReceived(streamName: streamName, contentType: contentType, data: data)
    }

    /// Refuses what cannot be the name of a stream of other tools' events.
    package static func check(streamName: String) throws(ModelError) {
        if streamName.isEmpty { throw ModelError(.invalid, field: "stream", "is required") }
        try TextCheck.check(streamName, field: "stream", maximum: Limits.streamName)
    }

    /// The event that says where a backup was made, if its values may enter the log.
    package static func backingUp(to place: String, head: UInt64) throws(ModelError) -> JournalEvent {
        try TextCheck.check(place, field: "place", maximum: Limits.place)
        return .journalBackedUp(place: place, head: head)
    }

    /// The event that says what a journal was restored from, if its values may enter the log.
    package static func restoring(head: UInt64, from place: String) throws(ModelError) -> JournalEvent {
        try TextCheck.check(place, field: "from", maximum: Limits.place)
        return .journalRestored(head: head, from: place)
    }

    /// Refuses a reason that may not stand beside an event, or a purpose within one.
    package static func check(reason: String, field: String = "reason") throws(ModelError) {
        try TextCheck.check(reason, field: field, maximum: Limits.reason)
    }
}
