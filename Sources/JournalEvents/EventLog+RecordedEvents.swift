package import EventLog
package import FoundationEssentials
package import HealthModel

extension EventLog {
    /// Returns a stored event as a model event.
    ///
    /// Throws `subjectErased` if the payload was erased.
    package func recorded(_ event: StoredEvent) throws -> RecordedEvent {
        try decode(open(event), EventPlace(event.header), event.stamp)
    }

    /// Returns a frame as a model event, inside the frame's read snapshot.
    package func recorded(_ frame: Frame) throws -> RecordedEvent {
        try decode(open(frame), EventPlace(frame), frame.stamp)
    }

    /// Returns the events of a stream after a version, by default all of them, as model events.
    package func recordedEvents(of stream: UUID, after version: UInt64 = 0) throws -> [RecordedEvent] {
        var result: [RecordedEvent] = []
        while true {
            let page = try events(of: stream, from: version + UInt64(result.count) + 1)
            if page.isEmpty { return result }
            for event in page { result.append(try recorded(event)) }
        }
    }

    private func decode(_ payload: [UInt8], _ place: EventPlace, _ stamp: Stamp) throws -> RecordedEvent {
        let decoded = try EventCodec.decode(
            type: place.type,
            schemaVersion: place.schemaVersion,
            kind: place.kind,
            payload: payload
        )
        let subject = place.record ?? place.subject
        return RecordedEvent(
            stamp: stamp,
            subject: subject,
            stream: place.stream,
            entry: place.entry == .zero || place.entry == subject ? nil : place.entry,
            event: decoded.event,
            reason: decoded.reason,
            origin: decoded.origin,
            clock: decoded.clock
        )
    }
}

/// The values of a header that the model needs.
private struct EventPlace {
    let type: UInt16
    let schemaVersion: UInt16
    let kind: UInt16
    let stream: UUID
    let subject: UUID
    let entry: UUID
    let record: UUID?

    init(_ header: EventHeader) {
        (type, schemaVersion, kind) = (header.type, header.schemaVersion, header.kind)
        (stream, subject, entry, record) = (header.stream, header.subject, header.entry, header.record)
    }

    init(_ frame: Frame) {
        (type, schemaVersion, kind) = (frame.type, frame.schemaVersion, frame.kind)
        (stream, subject, entry, record) = (frame.stream, frame.subject, frame.entry, frame.record)
    }
}

extension StoredEvent {
    /// The position, recorded time and actor of the event.
    package var stamp: Stamp {
        Stamp(position: position, recordedAt: Instant(microseconds: recordedAt), actor: header.actor)
    }
}

extension Frame {
    /// The position, recorded time and actor of the event.
    package var stamp: Stamp {
        Stamp(position: position, recordedAt: Instant(microseconds: recordedAt), actor: actor)
    }
}
