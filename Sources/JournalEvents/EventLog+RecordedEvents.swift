package import EventLog
package import FoundationEssentials
package import HealthModel

extension EventLog {
    /// A stored event as the model's event.
    ///
    /// Throws `subjectErased` when its payload was destroyed on purpose.
    package func recorded(_ event: StoredEvent) throws -> RecordedEvent {
        try decode(open(event), EventPlace(event.header), event.stamp)
    }

    /// A frame as the model's event, inside its snapshot.
    package func recorded(_ frame: Frame) throws -> RecordedEvent {
        try decode(open(frame), EventPlace(frame), frame.stamp)
    }

    /// The events of a stream as the model's events, all of them.
    package func recordedEvents(of stream: UUID) throws -> [RecordedEvent] {
        var result: [RecordedEvent] = []
        while true {
            let page = try events(of: stream, from: UInt64(result.count) + 1)
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
            reason: decoded.reason
        )
    }
}

/// What the model needs of a header.
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
    /// Where, when and by whom it entered the log.
    package var stamp: Stamp {
        Stamp(position: position, recordedAt: Instant(microseconds: recordedAt), actor: header.actor)
    }
}

extension Frame {
    /// Where, when and by whom it entered the log.
    package var stamp: Stamp {
        Stamp(position: position, recordedAt: Instant(microseconds: recordedAt), actor: actor)
    }
}
