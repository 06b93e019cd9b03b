package import EventLog
package import FoundationEssentials
package import HealthModel

extension NewEvent {
    /// Creates the log's form of a model event, with its header and its encoded payload.
    ///
    /// `clock` is the time of the machine's clock in microseconds since 1970, if the recorded time will be later.
    /// `kind` and `occurred` of an entry are not encrypted in the header, so that views can be indexed without a key.
    package init(
        _ event: JournalEvent,
        id: UUID,
        stream: UUID,
        subject: UUID,
        entry: UUID? = nil,
        kind: Kind? = nil,
        origin: EventOrigin,
        requestDigest: [UInt8] = [],
        clock: Int64? = nil
    ) throws(ModelError) {
        let kind = event.content?.kind ?? kind
        // Views use only the header to decide whether an event of an entry concerns them.
        guard id != .zero, stream != .zero, subject != .zero, entry != .zero else {
            throw ModelError(.invalid, field: "id", "an id of only zeros is not valid")
        }
        if event.type.category == .entry, entry == nil || kind == nil {
            throw ModelError(.invalid, field: "kind", "an event of an entry must name the entry and its kind")
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
            payload: try EventCodec.encode(
                event,
                reason: origin.reason,
                requestDigest: requestDigest,
                clock: clock,
                origin: origin.change
            )
        )
    }
}
