package import FoundationEssentials
package import HealthModel

extension CloudEvent {
    /// The kind of entry that the event becomes; nil if the event is stored as received.
    package var kind: Kind? { Kind.ofEvent(type: type) }

    /// The record of an event that becomes an entry.
    package func record() throws(ModelError) -> UUID {
        guard let record = subject.flatMap(UUID.init(uuidString:)) else {
            throw ModelError(.invalid, field: "subject", "must be the id of the record")
        }
        return record
    }

    /// Returns the content of the entry that the event adds.
    ///
    /// The event's `time` becomes the entry's date, unless the data has a date of its own.
    package func entry(of kind: Kind, now: Instant) throws(ModelError) -> EntryContent {
        var content = try NativeDocument.content(ofEvent: json(), kind: kind, at: DocumentPath("data"), now: now)
        if content.date == nil, let time {
            content.date = .instant(time)
            try content.date?.check(field: "time", now: now)
        }
        return content
    }

    private func json() throws(ModelError) -> JSONValue {
        switch data {
        case .json(let value): return value
        case .binary(let bytes):
            // Over HTTP, JSON data without a declared media type arrives as bytes.
            guard datacontenttype.map(CloudEvent.isJSON) ?? true else {
                throw ModelError(
                    .invalid,
                    field: "datacontenttype",
                    "must be application/json for an event of this type"
                )
            }
            return try JSONReader.read(bytes, at: DocumentPath("data"), maximumBytes: CloudEvent.maximumBytes)
        case nil: throw ModelError(.invalid, field: "data", "is missing")
        }
    }

    static func isJSON(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence == "application/json" || essence.hasSuffix("+json")
    }
}
