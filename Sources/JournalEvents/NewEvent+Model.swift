package import EventLog
package import FoundationEssentials
package import HealthModel

extension NewEvent {
    /// A model's event made ready for the log.
    ///
    /// `kind` and `occurred` of an entry stand in clear in the header, so that views are indexed without a key.
    package init(
        _ event: JournalEvent,
        id: UUID,
        stream: UUID,
        subject: UUID,
        entry: UUID? = nil,
        kind: Kind? = nil,
        origin: EventOrigin,
        requestDigest: [UInt8] = []
    ) throws(ModelError) {
        var header = EventHeader(
            stream: stream,
            id: id,
            subject: subject,
            type: event.type.rawValue,
            schemaVersion: event.type.schemaVersion,
            category: event.type.category.rawValue,
            actor: origin.actor,
            correlation: origin.correlation,
            source: origin.source.rawValue
        )
        header.entry = entry ?? .zero
        header.kind = (event.content?.kind ?? kind)?.code ?? 0
        header.occurred = event.content?.date
            .map { date in
                if case .instant = date {
                    EventHeader.Occurred(daysSince1970: date.day.daysSince1970, isInstant: true)
                } else {
                    EventHeader.Occurred(daysSince1970: date.day.daysSince1970, isInstant: false)
                }
            }
        self.init(
            header: header,
            payload: try EventCodec.encode(event, reason: origin.reason, requestDigest: requestDigest)
        )
    }
}
