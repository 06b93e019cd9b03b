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
        let kind = event.content?.kind ?? kind
        // Views look at nothing but the header to tell whether an event of an entry concerns them.
        guard id != .zero, stream != .zero, subject != .zero, entry != .zero else {
            throw ModelError(.invalid, field: "id", "an id of nothing but zeros stands for none")
        }
        if event.type.category == .entry, entry == nil || kind == nil {
            throw ModelError(.invalid, field: "kind", "an event of an entry names the entry and its kind")
        }
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
        header.kind = kind?.code ?? 0
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
