extension JournalEvent {
    /// Returns the event that creates a journal; throws if a value is invalid.
    ///
    /// The caller must check that the time zone exists, because that requires reading the machine's files.
    package static func creating(name: String, zone: String) throws(ModelError) -> JournalEvent {
        try TextCheck.check(name, field: "name", maximum: Limits.line)
        if zone.isEmpty { throw ModelError(.invalid, field: "zone", "is required") }
        try TextCheck.check(zone, field: "zone", maximum: Limits.line)
        return .journalCreated(name: name, zone: zone)
    }

    /// Returns the event that stores an event of another tool; throws if a value is invalid.
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

    /// Checks the name of a stream of other tools' events; throws if it is invalid.
    package static func check(streamName: String) throws(ModelError) {
        if streamName.isEmpty { throw ModelError(.invalid, field: "stream", "is required") }
        try TextCheck.check(streamName, field: "stream", maximum: Limits.streamName)
    }

    /// Returns the event that records the location of a backup; throws if a value is invalid.
    package static func backingUp(to place: String, head: UInt64) throws(ModelError) -> JournalEvent {
        try TextCheck.check(place, field: "place", maximum: Limits.place)
        return .journalBackedUp(place: place, head: head)
    }

    /// Returns the event that records from which backup a journal was restored; throws if a value is invalid.
    package static func restoring(head: UInt64, from place: String) throws(ModelError) -> JournalEvent {
        try TextCheck.check(place, field: "from", maximum: Limits.place)
        return .journalRestored(head: head, from: place)
    }

    /// Returns the reason of a request or a form with normalized line endings; throws if it is invalid.
    ///
    /// The length limit applies to the text as received.
    package static func received(reason: String) throws(ModelError) -> String {
        let text = try TextCheck.received(reason, field: "reason", maximum: Limits.reason)
        try check(reason: text)
        return text
    }

    /// Checks the reason of an event; throws if it is invalid.
    package static func check(reason: String, field: String = "reason") throws(ModelError) {
        try TextCheck.check(reason, field: field, maximum: Limits.reason)
    }

    /// Checks the stated purpose of an access, which must be short because each access event stores it.
    package static func check(purpose: String) throws(ModelError) {
        try TextCheck.check(purpose, field: "Purpose", maximum: Limits.purpose)
    }
}
