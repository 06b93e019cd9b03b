package import EventLog
package import FoundationEssentials
package import HealthModel

extension EventLog {
    /// A stored event as the model's event.
    ///
    /// Throws `subjectErased` when its payload was destroyed on purpose.
    package func recorded(_ event: StoredEvent) throws -> RecordedEvent {
        try decode(
            open(event),
            event.header,
            Stamp(
                position: event.position,
                recordedAt: Instant(microseconds: event.recordedAt),
                actor: event.header.actor
            )
        )
    }

    /// A frame as the model's event, inside its snapshot.
    package func recorded(_ frame: Frame) throws -> RecordedEvent {
        try decode(open(frame), frame.header, frame.stamp)
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

    private func decode(_ payload: [UInt8], _ header: EventHeader, _ stamp: Stamp) throws -> RecordedEvent {
        let decoded = try EventCodec.decode(
            type: header.type,
            schemaVersion: header.schemaVersion,
            kind: header.kind,
            payload: payload
        )
        let subject = header.record ?? header.subject
        return RecordedEvent(
            stamp: stamp,
            subject: subject,
            stream: header.stream,
            entry: header.entry == .zero || header.entry == subject ? nil : header.entry,
            event: decoded.event,
            reason: decoded.reason
        )
    }
}

extension Frame {
    /// Where, when and by whom it entered the log.
    package var stamp: Stamp {
        Stamp(position: position, recordedAt: Instant(microseconds: recordedAt), actor: actor)
    }
}
